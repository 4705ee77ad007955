// The text trace: what P writes to <program>_0_<n>.txt.
#include "plang/trace/p_traces.h"

#include <fmt/format.h>

namespace tarry::plang {

std::string p_text(const std::vector<PRecord>& records) {
  std::string out;
  for (const PRecord& record : records)
    if (!record.tag.empty()) out += fmt::format("<{}> {}\n", record.tag, record.words);
  return out;
}

}  // namespace tarry::plang
