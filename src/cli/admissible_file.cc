#include "cli/admissible_file.h"

#include <fmt/format.h>

#include "base/units.h"
#include "enforce/set_image.h"
#include "trace/whole_file.h"

namespace tarry::cli {

Result<std::string> read_schedules(const std::filesystem::path& file) {
  auto bytes = read_whole(file);
  if (!bytes) return bytes;
  if (const std::string wrong = enforce::wrong_with_image(*bytes); !wrong.empty()) return Diagnostic{fmt::format("{}: error: {}", file.string(), wrong)};
  return bytes;
}

Result<enforce::ScheduleSet> load_schedules(const std::filesystem::path& file) {
  const auto bytes = read_schedules(file);
  if (!bytes) return bytes.error();
  return enforce::ScheduleSet::of_image(*bytes);
}

std::string number_of(std::uint64_t n, const std::string& noun) { return fmt::format("{} {}{}", with_separators(n), noun, n == 1 ? "" : "s"); }

}  // namespace tarry::cli
