#include "trace/render/json.h"

#include <nlohmann/json.hpp>

#include "base/version.h"

namespace tarry {

std::string json_text(const OrderedJson& json) { return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace); }

OrderedJson text_or_null(const std::string& text) { return text.empty() ? OrderedJson(nullptr) : OrderedJson(text); }

std::string render_error_json(const std::string& kind, const std::string& message, int exit_code) {
  const OrderedJson out{{"schema", 1}, {"tarry", kVersion}, {"verdict", "error"}, {"error", {{"kind", kind}, {"message", message}}}, {"exit_code", exit_code}};
  return json_text(out);
}

}  // namespace tarry
