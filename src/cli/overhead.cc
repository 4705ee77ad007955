#include "cli/overhead.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <vector>

#include "base/write_all.h"
#include "cli/enforced_process.h"
#include "enforce/set_image.h"

namespace tarry::cli {
namespace {

double seconds_of(const std::vector<std::string>& command, const std::vector<std::string>& environment, int& status) {
  constexpr std::chrono::seconds kLongest{60};
  const auto began = std::chrono::steady_clock::now();
  status = run_and_wait(command, environment, Streams::kNone, kLongest);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

Overhead measure_overhead(const Executable& program, const std::string& image) {
  Overhead out;
  const auto library = library_of_enforcement();
  const auto facts = native::inspect(program.file);
  if (!library || !facts) return out.problem = library ? facts.error().text : library.error().text, out;
  std::vector<std::string> command = program.arguments;
  command.insert(command.begin(), std::filesystem::absolute(program.file));
  const enforce::ImageView view(image.data());
  std::vector<double> plain, enforced;
  for (int i = 0; i < Overhead::kRuns; ++i) {
    const SharedFile set("tarry-schedules"), shared("tarry-run");
    if (const int error = write_all(set.number(), image); error != 0) throw std::system_error(error, std::generic_category(), "write");
    const MappedBlock block(shared, view.labels().size());
    int status = 0;
    plain.push_back(seconds_of(command, {}, status));
    if (WIFSIGNALED(status)) return out.problem = "the program fails or does not end when it is run by itself", out;
    enforced.push_back(seconds_of(command, enforced_environment(*library, *facts, fmt::format("{}:{}", set.number(), shared.number())), status));
    if (!WIFEXITED(status) || block->unverified.load() != 0 || block->attached.load() == 0) return out.problem = "a run leaves the set: the program depends on an input that was not verified", out;
  }
  out.plain = median(plain);
  out.enforced = median(enforced);
  return out;
}

}  // namespace tarry::cli
