// What all JSON that people and scripts read has in common.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tarry {

using OrderedJson = nlohmann::ordered_json;

/// As text, valid UTF-8 whatever the program printed.
std::string json_text(const OrderedJson& json);

OrderedJson text_or_null(const std::string& text);

/// What there is to say when a command ends without a verdict: "verdict" is "error". `kind`: "input" or "internal".
std::string render_error_json(const std::string& kind, const std::string& message, int exit_code);

}  // namespace tarry
