#include "cli/free_runs.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "cli/enforced_process.h"
#include "enforce/kind.h"

namespace tarry::cli {
namespace {

std::map<std::string, std::uint32_t> kinds_by_name() {
  std::map<std::string, std::uint32_t> out;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(enforce::Kind::kCount); ++i) out.emplace(enforce::name_of(static_cast<enforce::Kind>(i)), i);
  return out;
}

/// Reads a log (enforce/rt/run_log.h). Returns nothing if it is not complete.
RecordedRun run_of(const std::string& log) {
  static const auto kinds = kinds_by_name();
  std::vector<std::pair<std::uint64_t, RecordedEvent>> events;
  bool ended = false;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::uint32_t thread = 0, size = 0;
    std::uint64_t claimed = 0, done = 0;
    std::string kind, object;
    if (line.starts_with("end ")) ended = true;
    if (!(words >> thread >> kind >> size >> claimed >> done >> object)) continue;
    const auto known = kinds.find(kind);
    if (known == kinds.end()) continue;
    events.push_back({claimed, {thread, known->second, object.starts_with("v:") ? std::stoll(object.substr(2)) : 0}});
  }
  if (!ended || events.size() >= enforce::kMostRecorded) return {};
  std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  RecordedRun out;
  for (const auto& [time, event] : events) out.push_back(event);
  return out;
}

}  // namespace

FreeRuns record_free_runs(const Executable& program, std::uint32_t times) {
  constexpr std::chrono::seconds kLongest{10};
  FreeRuns out;
  const auto library = library_of_enforcement();
  const auto facts = native::inspect(program.file);
  if (!library || !facts) return out;
  std::vector<std::string> command = program.arguments;
  command.insert(command.begin(), std::filesystem::absolute(program.file));
  for (std::uint32_t i = 0; i < times; ++i) {
    const SharedFile log("tarry-free-run");
    const int status = run_and_wait(command, enforced_environment(*library, *facts, fmt::format("record:{}", log.number())), Streams::kNone, kLongest);
    RecordedRun run = WIFEXITED(status) ? run_of(log.content()) : RecordedRun();
    if (run.empty()) ++out.unusable;
    else if (std::find(out.recorded.begin(), out.recorded.end(), run) == out.recorded.end()) out.recorded.push_back(std::move(run));
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) break;  // it does not end, or we are to end
  }
  return out;
}

}  // namespace tarry::cli
