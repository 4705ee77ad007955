// tarry bench: measures a table of a paper again, beside the paper's figures. The measurements are scripts in bench/.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>

#include "cli/command_line.h"
#include "toolchain/surroundings.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

struct Measurement {
  const char* name;
  const char* script;  // in bench/
};
constexpr Measurement kMeasurements[] = {{"ase17-table1", "ase17/table1/run.py"}};

const Manual kBenchManual{
    .usage = "Usage: tarry bench ase17-table1 [OPTIONS]",
    .summary = "Measures a table of a paper again. ase17-table1: Last Zero and Indexer with 15 threads under sets of 1 to all traces, each by the median of\n"
               "the runs, with the overhead and the time to verify, beside the paper's figures. Prints a line per row and draws a plot.",
    .examples = "  tarry bench ase17-table1\n"
                "  tarry bench ase17-table1 --runs 100 --traces 1,128,all --svg table1.svg\n",
    .closing = "Needs Python 3 and a C++ compiler. All rows take an hour with 1,000 runs. See docs/performance.md.\n",
};

/// The folder of the scripts: installed, or that of the sources that this tool was built of.
std::optional<fs::path> script_of(const Measurement& measurement) {
  std::error_code error;
  const fs::path beside = own_executable().parent_path();
  for (const char* const way : {"../share/tarry/bench", "../../../bench", "../../bench"})
    if (const fs::path script = (beside / way / measurement.script).lexically_normal(); fs::is_regular_file(script, error)) return script;
  return std::nullopt;
}

}  // namespace

int bench_command(const Arguments& arguments) {
  CLI::App app("", "tarry bench");
  std::string name, svg;
  std::vector<std::string> words;
  app.add_option("WHAT", name, "ase17-table1")->type_name("")->required()->group("What to measure");
  const auto pass_on = [&](const char* option, const char* value, const char* help) {
    add_value(app, option, value, help, [&words, option](const std::string& text) -> std::optional<std::string> {
      words.insert(words.end(), {option, text});
      return std::nullopt;
    })->group("How to measure");
  };
  pass_on("--runs", "N", "runs of each program per row (default: 1000)");
  pass_on("--traces", "N,…", "sizes of the sets; 'all': all traces (default: 1,16,128,256,1024,2048,16384,all)");
  pass_on("--programs", "NAME,…", "last_zero, indexer (default: both)");
  app.add_option("--svg", svg, "the file of the plot (default: the name of the table, with .svg)")->type_name("FILE")->group("How to measure");
  if (const auto end = parse(app, kBenchManual, arguments)) return *end;
  for (const Measurement& one : kMeasurements) {
    if (name != one.name) continue;
    const auto script = script_of(one);
    if (!script) return refuse(usage_error(fmt::format("the script 'bench/{}' is not there: it is in Tarry's sources, and in share/tarry where Tarry is installed", one.script)));
    words.insert(words.begin(), {"python3", *script, "--tarry", own_executable(), "--svg", svg.empty() ? name + ".svg" : svg});
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    std::fflush(nullptr);
    ::execvp(raw[0], raw.data());
    return refuse(usage_error(fmt::format("python3 could not be started: {}", std::strerror(errno))));  // NOLINT(concurrency-mt-unsafe): one thread
  }
  std::vector<std::string> names;
  for (const Measurement& one : kMeasurements) names.emplace_back(one.name);
  return refuse(unknown_name("measurement", name, names));
}

}  // namespace tarry::cli
