#include "cli/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "base/units.h"
#include "cli/p_check_options.h"
#include "cli/terminal.h"
#include "core/usage.h"
#include "toolchain/source_files.h"

namespace tarry::cli {
namespace {

const Manual kCheckManual{
    .usage = "Usage: tarry check TARGET [MORE] [options] [-- arguments of the program]",
    .summary = "Explores the schedules of a program until it finds a bug, has explored them all, or reaches a limit.",
    .examples = "  tarry check queue_test.cpp queue.cpp -- 3           a program with threads: compiled, and checked with argument 3\n"
                "  tarry check ./queue_test                            the same, built with 'tarry c++'\n"
                "  tarry check philosophers.cpp                        a model; all cores, up to 60 seconds\n"
                "  tarry check examples/p/bank                         all tests of a P project, one after the other\n"
                "  tarry check                                         the same, in the folder of its .pproj\n"
                "  tarry check Bank.pproj -tc tcOne -s 1000            some of its tests, 1000 random schedules each\n"
                "  tarry check philosophers.cpp -D N=8 -D BUG=1        with macros of the model set\n"
                "  tarry check model.cpp --time 10m --memory 8G        longer\n"
                "  tarry check model.cpp --search ses --max-delays 3   all schedules with up to 3 delays\n"
                "  tarry check model.cpp --fail-unless-verified        for CI: fails unless the verdict is \"verified\"\n"
                "  tarry check model.cpp --json | jq .verdict          for scripts\n",
    .closing = "Exit codes:\n"
               "  0    no bug: verified, or no bug found as far as the output says\n"
               "  1    a bug was found\n"
               "  2    the input or the command is wrong\n"
               "  70   Tarry's own fault\n"
               "  130  interrupted, after the summary\n",
    .common = {"TARGET", "-D", "--testcase", "--time", "--memory", "--jobs", "--search", "--explorer", "--samples", "--max-delays", "--max-preemptions", "--keep-going", "--seed", "--fail-unless-verified", "--json", "--trace", "--help"},
};

Take file(std::optional<std::filesystem::path>& out) {
  return [&out](const std::string& text) -> std::optional<std::string> {
    if (text.empty()) return "the name of a file";
    out = text;
    return std::nullopt;
  };
}

constexpr std::uint64_t kAny = ~std::uint64_t{0};
using Kind = Option::Kind;

void add_all(Options& to, Options more) {
  for (Option& option : more) to.push_back(std::move(option));
}

/// Options for targets that have several tests. They come first in the group of P, whose users know them.
Options test_options(CheckOptions& o) {
  const std::string group = "P programs";
  return {
      {.names = "--testcase", .value = "NAME", .help = "runs every test whose name starts with NAME, of GoogleTest too (also: -tc; default: all tests)", .group = group, .take = [&o](const std::string& text) -> std::optional<std::string> { return o.test_prefix = text, std::nullopt; }},
      {.names = "--list-tests", .kind = Kind::kFlag, .help = "prints the names of the tests, and checks nothing", .group = group, .take = set_true(o.list_tests)},
  };
}

Options search_options(CheckOptions& o) {
  const std::string group = "How to search";
  return {
      {.names = "--search", .value = "NAME[:PARAMETER=N]", .help = "how schedules are walked, as in dfs or pct:depth=5; see 'tarry list searches', with -v for their parameters (default: portfolio)", .group = group, .take = set_text(o.search)},
      {.names = "--explorer", .value = "NAME|FILE", .help = "which process goes first; see 'tarry list explorers', or a .cpp of your own (default: run-to-completion)", .group = group, .take = set_text(o.explorer)},
      {.names = "--seed", .value = "N", .help = "the seed of all randomness (default: 1)", .group = group, .take = number(o.engine.seed, std::uint64_t{0}, kAny)},
      {.names = "-s,--samples", .value = "N", .help = "ends after N random executions; implies random-walk if no search is named", .group = group, .take = number(o.engine.limits.samples, std::uint64_t{1}, kAny)},
      {.names = "--explore,--keep-going", .kind = Kind::kFlag, .help = "keeps searching after a bug; lists each bug once with its count. With -s, or for programs with threads", .group = group, .take = set_true(o.engine.keep_going)},
      {.names = "--fairness", .value = "none|weak|strong", .help = "liveness: which endless executions count; none: all of them; weak: those that schedule every process that can always run; strong: those that schedule every process that can run again and again (default: weak; none with map, ndfs and iterative-ndfs)", .group = group, .take = one_of({"none", "weak", "strong"}, [&o](std::size_t i) { o.engine.fairness = static_cast<LoopFairness>(i); })},
      {.names = "--choices", .value = "fair|demonic", .help = "liveness: a data choice that recurs takes every outcome (fair), or may go against the program for ever (demonic) (default: fair)", .group = group, .take = one_of({"fair", "demonic"}, [&o](std::size_t i) { o.engine.choices = static_cast<LoopChoices>(i); })},
      {.names = "--choice-cost", .value = "value|unit", .help = "cost of a data choice: one delay per value, or one for all (default: value)", .group = group, .take = one_of({"value", "unit"}, [&o](std::size_t i) { o.engine.choice_cost = static_cast<ChoiceCost>(i); })},
  };
}

Options limit_options(CheckOptions& o) {
  const std::string group = "Limits";
  Limits& limits = o.engine.limits;
  limits.time = std::chrono::seconds(60);
  limits.memory = machine_memory() / 4 * 3;
  o.engine.jobs = machine_cores();
  return {
      {.names = "--time", .value = "DURATION", .help = "500ms, 30s, 5m, 2h or none (default: 60s)", .group = group, .take = [&limits](const std::string& text) -> std::optional<std::string> {
         limits.time = parse_duration(text);
         if (limits.time || text == "none") return std::nullopt;
         return "a duration such as 500ms, 30s, 5m or 2h, or none";
       }},
      {.names = "--memory", .value = "SIZE", .help = "512M, 4G (default: 75 % of the machine's)", .group = group, .take = [&limits](const std::string& text) -> std::optional<std::string> {
         const auto size = parse_size(text);
         if (!size || *size < (1u << 20)) return "a size of at least 1M, such as 512M or 4G";
         limits.memory = *size;
         return std::nullopt;
       }},
      {.names = "-j,--jobs", .value = "N", .help = "workers, 1 to 256 (default: one per core)", .group = group, .take = number(o.engine.jobs, 1u, kMaxWorkers)},
      {.names = "--max-depth", .value = "N", .help = "cuts executions after N steps; given, it rules out \"verified\" where one was cut (default: 10000, and longer ones come last)", .group = group, .take = [&limits](const std::string& text) {
         limits.max_depth_given = true;
         return number(limits.max_depth, 1u, 1'000'000'000u)(text);
       }},
      {.names = "--max-delays", .value = "N", .help = "ends after the executions with N delays", .group = group, .take = number(limits.max_delays, std::uint64_t{0}, kAny >> 1)},
      {.names = "--max-preemptions", .value = "N", .help = "ends after the executions with N preemptions", .group = group, .take = number(limits.max_preemptions, std::uint64_t{0}, kAny >> 1)},
      {.names = "--strict-bound", .kind = Kind::kFlag, .help = "explores again what was first reached at a higher cost, so that a bound means all executions within it (with explorer 'random' each on its own, which ends only where executions do)", .group = group, .take = set_true(o.engine.strict_bound)},
      {.names = "--step-timeout", .value = "DURATION", .help = "a step that takes longer each time is a bug: nontermination; in P programs it is a limit (default: 10s)", .group = group, .take = [&o](const std::string& text) -> std::optional<std::string> {
         const auto duration = parse_duration(text);
         if (!duration || duration->count() < 100) return "a duration of at least 100ms, such as 10s";
         o.step_timeout = *duration;
         return std::nullopt;
       }},
  };
}

Options store_options(CheckOptions& o) {
  const std::string group = "Visited states";
  const Take store = one_of({"exact", "bitstate"}, [&o](std::size_t i) { o.engine.store = static_cast<StoreKind>(i); });
  return {
      {.names = "--store", .value = "exact|bitstate", .help = "how visited states are kept; only exact can verify (default: exact)", .group = group, .take = [store](const std::string& text) -> std::optional<std::string> {
         if (text == "hash64") return "exact or bitstate (hash64 was removed: exact takes less memory and can verify)";
         return store(text);
       }},
      {.names = "--cache", .value = "none|program|program+explorer", .help = "what makes two states the same (default: program)", .group = group, .take = one_of({"none", "program", "program+explorer"}, [&o](std::size_t i) { o.engine.cache = static_cast<CacheKey>(i); })},
      {.names = "--when-full", .value = "stop|replace", .help = "what happens when memory is spent (default: stop)", .group = group, .take = one_of({"stop", "replace"}, [&o](std::size_t i) { o.engine.when_full = static_cast<WhenFull>(i); })},
  };
}

Take accepted(Demand& demand) {
  return [&demand](const std::string& text) -> std::optional<std::string> {
    for (const auto part : std::views::split(text, ',')) {
      const std::string_view what(part.begin(), part.end());
      if (what == "fair") demand.accepts_fair = true;
      else if (what == "safety") demand.accepts_safety = true;
      else if (what == "limits") demand.accepts_limits = true;
      else return "fair, safety, limits, or several of them with commas between";
    }
    return std::nullopt;
  };
}

/// An option for each form of reports but the one for the screen.
Options form_options(CheckOptions& o, const std::string& group) {
  Options out;
  for (const Renderer& form : renderers()) {
    if (form.to == Renderer::To::kScreen) continue;
    Option option{.names = "--" + form.name, .kind = Kind::kFlag, .help = form.help, .group = group};
    option.take = [&o, &form](const std::string&) -> std::optional<std::string> { return o.form = &form, std::nullopt; };
    if (form.to == Renderer::To::kFile) {
      option.kind = Kind::kValue;
      option.value = "FILE";
      option.take = [&o, &form](const std::string& name) -> std::optional<std::string> {
        if (name.empty()) return "the name of a file";
        o.files[form.name] = name;
        return std::nullopt;
      };
    }
    out.push_back(std::move(option));
  }
  return out;
}

Options output_options(CheckOptions& o) {
  const std::string group = "Output";
  Options all = form_options(o, group);
  const Options others = {
      {.names = "--trace", .value = "FILE", .help = "where a finding is written (default: a new file in the folder of -o)", .group = group, .take = file(o.trace)},
      {.names = "-o,--output", .value = "FOLDER", .help = "the folder of traces (default: tarry-out)", .group = group, .take = [&o](const std::string& text) -> std::optional<std::string> {
         if (text.empty()) return "the name of a folder";
         o.output = text;
         return std::nullopt;
       }},
      {.names = "--fail-unless-verified", .kind = Kind::kFlag, .help = "exits with 1 unless the verdict is \"verified\", assumes nothing about schedules and leaves nothing open", .group = group, .take = set_true(o.demand.verified)},
      {.names = "--accept", .value = "WHAT", .help = "for --fail-unless-verified: fair (\"verified for fair schedules\" is enough), safety (liveness of specs may be left open), limits (the verdict says which), or several: fair,limits", .group = group, .take = accepted(o.demand)},
      {.names = "--no-progress", .kind = Kind::kFlag, .help = "shows no progress", .group = group, .take = set_true(o.no_progress)},
      {.names = "-v,--verbose", .kind = Kind::kFlag, .help = "shows the whole trace of a finding", .group = group, .take = set_true(o.verbose)},
      color_option(o.color),
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Texts of the parameters that were given, by name. `--depth 5` is another way to say `--search pct:depth=5`, which the help does not show: one option for each name
/// that some search declares.
using GivenParams = std::map<std::string, std::string>;
Options param_options(GivenParams& given) {
  std::set<std::string> names;
  for (const auto& entry : Registry<Search>::all())
    for (const Param& p : entry.params) names.insert(p.name);
  Options out;
  for (const std::string& name : names)
    out.push_back({.names = "--" + name, .value = "N", .take = [&given, name](const std::string& value) -> std::optional<std::string> { return given[name] = value, std::nullopt; }});
  return out;
}

/// All options of `tarry check`: the shared options and the options of each front end.
class Declared {
 public:
  Declared(CheckOptions& o, GivenParams& params) : tests_(test_options(o)) {
    for (Options more : {search_options(o), limit_options(o), store_options(o), output_options(o), param_options(params)}) add_all(shared_, std::move(more));
    for (const FrontEnd& front_end : front_ends()) {
      targets_.push_back(front_end.make());
      own_.push_back(targets_.back()->options());
    }
  }

  /// In the order of the help. An option that several front ends have is there once, with what each says about it.
  Options all() const {
    Options out = tests_;
    for (const Options& options : own_)
      for (const Option& option : options) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const Option& other) { return other.name() == option.name(); });
        if (same == out.end()) out.push_back(option);
        else if (!option.help.empty() && option.help != same->help) same->help += "; " + option.help;
      }
    for (const Option& option : shared_)
      if (std::none_of(out.begin(), out.end(), [&](const Option& other) { return other.name() == option.name(); })) out.push_back(option);
    return out;
  }

  /// Runs the setters of the options that were given, and makes the target of its front end. Returns what is wrong. Requires: the front end is known.
  std::optional<Diagnostic> take(CheckOptions& o) {
    const auto index = static_cast<std::size_t>(o.front_end - front_ends().data());
    const Options& own = own_[index];
    for (const GivenOption& given : o.given.all())
      if (!has(tests_, given.name) && !has(shared_, given.name) && !has(own, given.name)) return not_for(given.name, o.target);
    for (const Options* const options : std::initializer_list<const Options*>{&tests_, &own, &shared_})
      if (auto wrong = take_given(*options, o.given)) return wrong;
    for (const Option& option : own)  // a replay may start in another folder
      if (const GivenOption* const found = option.is_path ? o.given.find(option.name()) : nullptr) {
        std::vector<std::string> values = found->values;
        for (std::string& value : values) value = std::filesystem::absolute(value).lexically_normal().string();
        o.given.set(option.name(), std::move(values));
      }
    o.loader = std::move(targets_[index]);
    return std::nullopt;
  }

 private:
  static bool has(const Options& options, const std::string& name) {
    return std::any_of(options.begin(), options.end(), [&](const Option& option) { return option.name() == name; });
  }

  /// Options that the target has no use for are refused, not ignored.
  Diagnostic not_for(const std::string& name, const std::string& target) const {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (has(own_[i], name)) others.push_back(front_ends()[i].plural);
    if (others.empty()) return usage_error(fmt::format("unknown option '{}'", name));
    return usage_error(fmt::format("{} is for {}, and '{}' is {}", name, fmt::join(others, " and "), target, others.size() == 1 ? "none" : "neither"));
  }

  Options tests_, shared_;
  std::vector<std::unique_ptr<Target>> targets_;  // of each front end
  std::vector<Options> own_;
};

template <class T>
std::vector<std::string> registered() {
  std::vector<std::string> names;
  for (const auto& entry : Registry<T>::all()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> with_explorer() {
  std::vector<std::string> names;
  for (const auto& entry : Registry<Search>::all())
    if (entry.kind.takes_explorer) names.push_back(entry.name);
  return names;
}

Diagnostic not_a_parameter(const std::string& name, const Entry<Search>& search) {
  std::vector<std::string> names;
  for (const Param& param : search.params) names.push_back(param.name);
  return usage_error(fmt::format("--{} is not a parameter of search '{}'; it has {}", name, search.name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

/// Takes the parameters off the search: "pct:depth=5" is search 'pct' with depth 5.
std::optional<Diagnostic> split_search(std::string& search, GivenParams& given) {
  const std::size_t colon = search.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string whole = search, params = search.substr(colon + 1);
  search.resize(colon);
  const Diagnostic wrong = usage_error(fmt::format("--search {} is not right: expected parameters behind the colon, as in pct:depth=5", whole));
  if (params.empty()) return wrong;
  for (const auto part : std::views::split(params, ',')) {
    const std::string_view one(part.begin(), part.end());
    const std::size_t equal = one.find('=');
    if (equal == 0 || equal == std::string_view::npos) return wrong;
    given[std::string(one.substr(0, equal))] = one.substr(equal + 1);
  }
  return std::nullopt;
}

/// Search, explorer and parameters, checked against the registry.
std::optional<Diagnostic> resolve(CheckOptions& o, GivenParams given) {
  if (auto wrong = split_search(o.search, given)) return wrong;
  const bool explorer_given = !o.explorer.empty();
  if (o.search.empty()) o.search = o.engine.limits.samples ? "random-walk" : "portfolio";
  if (!explorer_given) o.explorer = "run-to-completion";
  const auto* search = Registry<Search>::find(o.search);
  if (search == nullptr) return unknown_name("search", o.search, registered<Search>());
  o.takes_explorer = search->kind.takes_explorer;
  const auto& honoured = search->kind.limits;
  if (search->kind.decides_liveness && std::find(honoured.begin(), honoured.end(), "choices") == honoured.end()) {  // accepting cycles: every endless execution counts, unless fairness is asked for
    if (!o.given.has("--fairness")) o.engine.fairness = LoopFairness::kNone;
    if (o.engine.fairness == LoopFairness::kStrong)
      return usage_error(fmt::format("search '{}' knows no strong fairness: it looks for cycles with copies of the graph, which is for --fairness none and weak; --search fair-cycle decides strong fairness", o.search));
    o.engine.choices = LoopChoices::kDemonic;
  }
  if (explorer_given && !o.takes_explorer)
    return usage_error(fmt::format("search '{}' does not support --explorer; these do: {}", o.search, fmt::join(with_explorer(), ", ")));
  if (!names_a_file(o.explorer) && Registry<Explorer>::find(o.explorer) == nullptr)
    return unknown_name("explorer", o.explorer, registered<Explorer>());
  const bool may_deepen = std::any_of(search->params.begin(), search->params.end(), [](const Param& p) { return p.name == "deepen"; });
  if (may_deepen && (explorer_given || o.engine.limits.max_delays)) o.params["deepen"] = 1;
  for (const auto& [name, text] : given) {
    const auto param = std::find_if(search->params.begin(), search->params.end(), [&](const Param& p) { return p.name == name; });
    if (param == search->params.end()) return not_a_parameter(name, *search);
    if (number(o.params[name], param->min, param->max)(text))
      return usage_error(fmt::format("--{}={} is out of range for search '{}': expected {} to {}", name, text, o.search, param->min, param->max));
  }
  if (may_deepen && o.params["deepen"] == 0) o.takes_explorer = false;
  return std::nullopt;
}

/// Options that the chosen search would not honour are refused, not ignored.
std::optional<Diagnostic> check_limits(const CheckOptions& o) {
  const auto& honoured = Registry<Search>::find(o.search)->kind.limits;
  for (const std::string& limit : kOwnLimits) {
    if (!o.given.has("--" + limit) || std::find(honoured.begin(), honoured.end(), limit) != honoured.end()) continue;
    std::vector<std::string> others;
    for (const auto& entry : Registry<Search>::all())
      if (std::find(entry.kind.limits.begin(), entry.kind.limits.end(), limit) != entry.kind.limits.end()) others.push_back(entry.name);
    return usage_error(fmt::format("search '{}' does not support --{}; these do: {}", o.search, limit, fmt::join(others, ", ")));
  }
  return std::nullopt;
}

/// What a search that decides liveness needs.
std::optional<Diagnostic> check_liveness(const CheckOptions& o) {
  if (!Registry<Search>::find(o.search)->kind.decides_liveness) return std::nullopt;
  if (o.engine.store != StoreKind::kExact) return usage_error(fmt::format("search '{}' needs --store exact: where two states are taken for one, a cycle may not be one", o.search));
  if (o.engine.when_full != WhenFull::kStop) return usage_error(fmt::format("search '{}' needs --when-full stop: a cycle through a state that was forgotten is not seen", o.search));
  if (o.engine.cache != CacheKey::kProgram) return usage_error(fmt::format("search '{}' needs --cache program: a cycle is one of program states", o.search));
  return std::nullopt;
}

/// What the user can name, from all front ends.
std::string target_help() {
  std::vector<std::string> targets;
  for (const FrontEnd& front_end : front_ends()) targets.push_back(front_end.targets);
  return fmt::format("{}", fmt::join(targets, ", "));
}

void add_target(CLI::App& app, CheckOptions& o) {
  app.add_option("TARGET", o.target, target_help())->type_name("")->group("What to check");
  app.add_option("MORE", o.more_targets, "further sources of the same program; arguments after '--' are passed to the program")->type_name("")->group("What to check");
  app.add_option("-D", o.defines, "defines a macro when the program or model is compiled; may be repeated")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false)
      ->group("What to check");
}

/// Why no front end knows the file.
Diagnostic nothing_to_check(const std::string& file) {
  if (auto problem = unreadable(file)) return std::move(*problem);
  return wrong_file(file, "is not a checkable target: expected a source in C or C++, an executable, a P program or a model; see docs/threads.md, docs/p.md and docs/models.md");
}

/// Everything that follows from the options that were given.
std::optional<Diagnostic> settle(CheckOptions& o, const GivenParams& params) {
  for (const std::string& define : o.defines)
    if (define.empty() || define[0] == '=') return usage_error(fmt::format("-D{} is not right: expected NAME or NAME=VALUE", define));
  if (o.given.has("--accept") && !o.demand.verified) return usage_error("--accept is for --fail-unless-verified: it says which verdicts that option accepts, too");
  if (auto wrong = resolve(o, params)) return wrong;
  if (auto wrong = check_limits(o)) return wrong;
  if (auto wrong = check_liveness(o)) return wrong;
  return o.loader->settle(o);
}

}  // namespace

Option color_option(Color& color) {
  return {.names = "--color", .value = "auto|always|never", .help = "whether the output has colours (default: auto)", .group = "Output", .take = one_of({"auto", "always", "never"}, [&color](std::size_t i) { color = static_cast<Color>(i); })};
}

void add_color(CLI::App& app, Color& color) {
  const Option option = color_option(color);
  add_value(app, option.names, option.value, option.help, option.take)->group(option.group);
}

bool names_a_file(const std::string& explorer) { return explorer.find('/') != std::string::npos || is_shared_object(explorer) || is_cxx_source(explorer); }

Arguments spelled_out(Arguments arguments) {
  static const std::map<std::string, std::string> kLong{{"-tc", "--testcase"}, {"-ms", "--max-steps"}, {"--schedules", "--samples"}, {"-i", "--samples"},
                                                        {"--iterations", "--samples"}, {"-t", "--time"}, {"--timeout", "--time"}};
  for (std::string& argument : arguments)
    if (const auto known = kLong.find(argument); known != kLong.end()) argument = known->second;
    else if (argument.starts_with("-std=")) argument.insert(0, "-");
  const auto is_number = [&](std::size_t i) {
    return i < arguments.size() && !arguments[i].empty() && arguments[i].find_first_not_of("0123456789") == std::string::npos;
  };
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i)  // seconds, without a unit
    if (arguments[i] == "--time" && is_number(i + 1)) arguments[i + 1] += "s";
  for (std::size_t i = 0; i < arguments.size(); ++i)  // --max-steps N M
    if (arguments[i] == "--max-steps" && is_number(i + 1) && is_number(i + 2)) {
      arguments[i + 1] += ":" + arguments[i + 2];
      arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    }
  return arguments;
}

std::variant<CheckOptions, int> parse_check_options(const Arguments& arguments, const LookFirst& look_first) {
  CLI::App app("", "tarry check");
  CheckOptions options;
  GivenParams params;
  Declared declared(options, params);
  add_target(app, options);
  const Options all = declared.all();
  const auto parsed = add_options(app, all);
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");  // the rest is for the program
  const auto ours = from_p_check({arguments.begin(), dashes});
  if (!ours) return refuse(ours.error());
  if (const auto end = parse(app, kCheckManual, spelled_out(*ours))) return *end;
  options.given = given_options(all, parsed);
  if (dashes != arguments.end()) options.arguments.assign(dashes + 1, arguments.end());
  for (const FrontEnd& front_end : front_ends())
    if (options.target.empty() && front_end.is_project && front_end.is_project(".")) options.target = ".";
  if (options.target.empty()) return refuse(usage_error("there is nothing to check: name a program or a model, as in 'tarry check queue_test.cpp'; a folder with a .pproj in it needs no name"));
  options.front_end = front_end_of(options.target);
  if (options.front_end == nullptr) return refuse(nothing_to_check(options.target));
  if (const auto wrong = look_first ? look_first(options) : std::nullopt) return refuse(*wrong);
  if (const auto wrong = declared.take(options)) return refuse(*wrong);
  if (const auto wrong = settle(options, params)) return refuse(*wrong);
  return options;
}

Result<CheckOptions> options_of(const Trace& trace, const std::string& target) {
  CheckOptions options;
  GivenParams params;
  Declared declared(options, params);
  options.front_end = find_front_end(trace.front_end);
  if (options.front_end == nullptr) return Diagnostic{fmt::format("is a trace of a front end that this tarry does not have: '{}'", trace.front_end)};
  options.target = target;
  if (target == trace.target) options.more_targets = trace.files;
  options.defines = trace.defines;
  options.arguments = trace.arguments;
  options.given = trace.options;
  if (auto wrong = declared.take(options)) return std::move(*wrong);
  options.search = trace.search;
  options.engine.seed = trace.seed;
  if (!trace.test.empty()) options.test = trace.test;
  if (Registry<Search>::find(options.search) == nullptr) return unknown_name("search", options.search, registered<Search>());
  if (auto wrong = options.loader->settle(options)) return std::move(*wrong);
  return options;
}

}  // namespace tarry::cli
