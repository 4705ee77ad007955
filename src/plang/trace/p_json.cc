// The JSON trace: what P writes to <program>_0_<n>.trace.json.
#include "plang/trace/p_traces.h"

namespace tarry::plang {

std::string p_json(const std::vector<PRecord>& records) {
  PJson out = PJson::array();
  for (const PRecord& record : records)
    if (!record.type.empty()) out.push_back({{"type", record.type}, {"details", record.details}});
  return out.dump(2, ' ', false, PJson::error_handler_t::replace) + "\n";
}

}  // namespace tarry::plang
