// tarry list: the searches and explorers there are, from the registry.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "core/registry.h"
#include "trace/render/json.h"

namespace tarry::cli {
namespace {


OrderedJson json_of(const std::vector<Param>& params) {
  OrderedJson out = OrderedJson::array();
  for (const Param& p : params) out.push_back({{"name", p.name}, {"default", p.fallback}, {"min", p.min}, {"max", p.max}, {"help", p.help}});
  return out;
}

void describe(OrderedJson& out, const Made<Search>& kind) {
  out["takes_explorer"] = kind.takes_explorer;
  out["complete"] = kind.complete;
  out["decides_liveness"] = kind.decides_liveness;
  out["models"] = !kind.reduces;  // and P programs
  out["threads"] = kind.runs;
}
void describe(OrderedJson& /*out*/, const Made<Explorer>& /*kind*/) {}

template <class T>
OrderedJson json_of() {
  OrderedJson out = OrderedJson::array();
  for (const Entry<T>& entry : Registry<T>::all()) {
    OrderedJson one{{"name", entry.name}, {"summary", entry.summary}, {"paper", entry.paper}, {"params", json_of(entry.params)}};
    describe(one, entry.kind);
    out.push_back(std::move(one));
  }
  return out;
}

template <class T>
void print(bool verbose) {
  std::size_t width = 0;
  for (const Entry<T>& entry : Registry<T>::all()) width = std::max(width, entry.name.size());
  for (const Entry<T>& entry : Registry<T>::all()) {
    fmt::print("{:{}}  {}\n", entry.name, width, entry.summary);
    if (!verbose) continue;
    fmt::print("{:{}}    {}\n", "", width, entry.paper);
    for (const Param& p : entry.params)
      fmt::print("{:{}}    {}:{}=N  {} ({} to {}; default {})\n", "", width, entry.name, p.name, p.help, p.min, p.max, p.fallback);
  }
}

const Manual kListManual{
    .usage = "Usage: tarry list [searches|explorers] [-v] [--json]",
    .summary = "Lists the searches and explorers there are; with -v also their papers and parameters.",
    .examples = "  tarry list searches\n"
                "  tarry list explorers --json\n",
    .closing = "",
};

}  // namespace

int list_command(const Arguments& arguments) {
  CLI::App app("", "tarry list");
  std::string what;
  bool json = false;
  bool verbose = false;
  app.add_option("WHAT", what, "searches or explorers; without it, both")->type_name("")->group("What to list");
  app.add_flag("-v,--verbose", verbose, "shows papers and parameters")->group("Other");
  app.add_flag("--json", json, "prints all there is to know as JSON")->group("Other");
  if (const auto end = parse(app, kListManual, arguments)) return *end;

  const bool searches = what.empty() || what == "searches";
  const bool explorers = what.empty() || what == "explorers";
  if (!searches && !explorers) return refuse(usage_error(fmt::format("cannot list '{}': expected searches or explorers", what)));
  if (json) {
    OrderedJson out{{"schema", 1}};
    if (searches) out["searches"] = json_of<Search>();
    if (explorers) out["explorers"] = json_of<Explorer>();
    fmt::print("{}\n", out.dump(2));
    return kNoBug;
  }
  if (what.empty()) fmt::print("searches (--search NAME):\n");
  if (searches) print<Search>(verbose);
  if (what.empty()) fmt::print("\nexplorers (--explorer NAME):\n");
  if (explorers) print<Explorer>(verbose);
  return kNoBug;
}

}  // namespace tarry::cli
