#include "cli/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <ranges>

#include "base/units.h"
#include "cli/machine.h"
#include "cli/p_check_options.h"

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
                "  tarry check model.cpp --fail-unless-verified        for CI: nothing but \"verified\" will do\n"
                "  tarry check model.cpp --json | jq .verdict          for scripts\n",
    .closing = "Exit codes:\n"
               "  0    no bug: verified, or no bug found as far as the output says\n"
               "  1    a bug was found\n"
               "  2    the input or the command is wrong\n"
               "  70   Tarry's own fault\n"
               "  130  interrupted, after the summary\n",
};

template <class T>
Take number(T& out, T min, T max) {
  return [&out, min, max](const std::string& text) -> std::optional<std::string> {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min || value > max)
      return fmt::format("a number from {} to {}", min, max);
    out = value;
    return std::nullopt;
  };
}

template <class T>
Take number(std::optional<T>& out, T min, T max) {
  return [&out, min, max](const std::string& text) -> std::optional<std::string> {
    T value{};
    if (auto expected = number(value, min, max)(text)) return expected;
    out = value;
    return std::nullopt;
  };
}

Take file(std::optional<std::filesystem::path>& out) {
  return [&out](const std::string& text) -> std::optional<std::string> {
    if (text.empty()) return "the name of a file";
    out = text;
    return std::nullopt;
  };
}

constexpr std::uint64_t kAny = ~std::uint64_t{0};

void add_target(CLI::App& app, CheckOptions& o) {
  app.add_option("TARGET", o.target, "a program with threads (sources in C or C++, or an executable), a P program (.pproj, folder, .p), a .cpp with TARRY_MODEL in it, or a .so built from one")->type_name("")->group("What to check");
  app.add_option("MORE", o.more_targets, "further sources of the same program; what the program itself is to get goes behind '--'")->type_name("")->group("What to check");
  app.add_option("-D", o.defines, "defines a macro when the program or model is compiled; may be repeated")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false)
      ->group("What to check");
  const std::string group = "P programs";
  add_value(app, "--testcase", "NAME", "runs every test whose name starts with NAME, of GoogleTest too (also: -tc; default: all tests)",
            [&o](const std::string& text) { return o.p.test_prefix = text, std::nullopt; })->group(group);
  app.add_flag("--list-tests", o.list_tests, "prints the names of the tests, and checks nothing")->group(group);
  add_value(app, "--max-steps", "N[:M]", "cuts executions after N steps as P counts them; random-walk, which is fair, after M (also: -ms N [M]; default: 10000:100000, M: 10 N)",
            [&o](const std::string& text) -> std::optional<std::string> {
              const std::size_t colon = text.find(':');
              std::uint64_t unfair = 0, fair = 0;
              auto wrong = number(unfair, std::uint64_t{1}, kAny >> 4)(text.substr(0, colon));
              if (!wrong && colon != std::string::npos) wrong = number(fair, std::uint64_t{1}, kAny >> 4)(text.substr(colon + 1));
              if (wrong || (colon != std::string::npos && fair < unfair)) return "a number of steps, or two as in 1000:10000, the second not smaller";
              o.max_steps = {{unfair, fair == 0 ? 10 * unfair : fair}};
              return std::nullopt;
            })->group(group);
  add_value(app, "--temperature", "N", "random executions: a spec that is hot for more than N steps in a row counts as violated, which is a heuristic (default: half of the bound of steps for random-walk, else it is not looked at)",
            number(o.p.temperature, std::uint64_t{1}, kAny >> 4))->group(group);
  app.add_flag("--fail-on-maxsteps", o.p.fail_on_max_steps, "an execution that reaches the bound of steps is a bug")->group(group);
  app.add_option("--foreign", o.p.foreign, "foreign functions in C++: a source with TARRY_FOREIGN in it, or an object; may be repeated (default: those of the project)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(group);
  const auto add_formulas = [&o](const std::vector<std::string>& formulas) {
    for (const std::string& one : formulas) {
      if (one.find_first_not_of(" \t\n") == std::string::npos) throw_usage_error("--ltl is not right: expected a formula, found nothing");
      ++o.p.formulas;
      o.p.ltl = o.p.ltl.empty() ? one : fmt::format("({}) && ({})", o.p.ltl, one);
    }
  };
  app.add_option_function<std::vector<std::string>>("--ltl", add_formulas, "a formula of linear temporal logic that every fair execution must satisfy, over events and states of specs of a P program, or labels of a C++ model: \"G (request -> F grant)\"; several are joined by &&")
      ->type_name("FORMULA")
      ->allow_extra_args(false)
      ->group(group);
  app.add_flag("--strict-errors", o.p.strict_errors, "stops at the first error of the program")->group(group);
  add_value(app, "--points", "WHICH", "where machines can be interrupted: needed, where it can make a difference, or p, wherever P's own checker does; threads: needed, at synchronisation, atomics and accesses that race, or all, at every access to memory (default: needed)",
            one_of({"needed", "p", "all"}, [&o](std::size_t i) {
              o.p.all_points = i == 1;
              o.threads.run.points = i == 2 ? native::Points::kAll : native::Points::kNeeded;
            }))->group(group);
  add_value(app, "--p-trace", "FORM", "writes findings in P's own forms too, beside the trace: text, json, schedule or all",
            one_of({"text", "json", "schedule", "all"}, [&o](std::size_t i) {
              o.p_trace.text |= i == 0 || i == 3;
              o.p_trace.json |= i == 1 || i == 3;
              o.p_trace.schedule |= i == 2 || i == 3;
            }))->group(group);
  add_value(app, "--coverage", "FOLDER", "writes which states and handlers 1,000 random executions exercise, and which they never do", file(o.coverage))->group(group);
}

void add_search(CLI::App& app, CheckOptions& o) {
  const std::string group = "How to search";
  add_value(app, "--search", "NAME", "how schedules are walked; see 'tarry list searches' (default: portfolio)",
            [&o](const std::string& text) { return o.search = text, std::nullopt; })->group(group);
  add_value(app, "--explorer", "NAME|FILE", "which process goes first; see 'tarry list explorers', or a .cpp of your own (default: run-to-completion)",
            [&o](const std::string& text) { return o.explorer = text, std::nullopt; })->group(group);
  add_value(app, "--seed", "N", "the seed of all randomness (default: 1)", number(o.engine.seed, std::uint64_t{0}, kAny))->group(group);
  add_value(app, "-s,--samples", "N", "ends after N random executions; implies random-walk if no search is named",
            number(o.engine.limits.samples, std::uint64_t{1}, kAny))->group(group);
  app.add_flag("--explore", o.engine.keep_going, "a bug does not end the search; each is listed once, with how often it was met. With -s, or for programs with threads")->group(group);
  add_value(app, "--fairness", "none|weak|strong", "liveness: which endless executions count: all; those in which no process can run throughout without being scheduled; or again and again (default: weak)",
            one_of({"none", "weak", "strong"}, [&o](std::size_t i) { o.engine.fairness = static_cast<LoopFairness>(i), o.fairness_given = true; }))->group(group);
  add_value(app, "--choices", "fair|demonic", "liveness: data choices that come again and again take every outcome, or may go against the program for ever (default: fair)",
            one_of({"fair", "demonic"}, [&o](std::size_t i) { o.engine.choices = static_cast<LoopChoices>(i); }))->group(group);
  add_value(app, "--choice-cost", "value|unit", "what a data choice costs: one delay a value, or one for all (default: value)",
            one_of({"value", "unit"}, [&o](std::size_t i) { o.engine.choice_cost = static_cast<ChoiceCost>(i); }))->group(group);
}

void add_limits(CLI::App& app, CheckOptions& o) {
  const std::string group = "Limits";
  Limits& limits = o.engine.limits;
  limits.time = std::chrono::seconds(60);
  limits.memory = machine_memory() / 4 * 3;
  o.engine.jobs = machine_cores();
  add_value(app, "--time", "DURATION", "500ms, 30s, 5m, 2h or none (default: 60s)", [&limits](const std::string& text) -> std::optional<std::string> {
    limits.time = parse_duration(text);
    if (limits.time || text == "none") return std::nullopt;
    return "a duration such as 500ms, 30s, 5m or 2h, or none";
  })->group(group);
  add_value(app, "--memory", "SIZE", "512M, 4G (default: 75 % of the machine's)", [&limits](const std::string& text) -> std::optional<std::string> {
    const auto size = parse_size(text);
    if (!size || *size < (1u << 20)) return "a size of at least 1M, such as 512M or 4G";
    limits.memory = *size;
    return std::nullopt;
  })->group(group);
  add_value(app, "--jobs", "N", "workers, 1 to 256 (default: one a core)", number(o.engine.jobs, 1u, kMaxWorkers))->group(group);
  add_value(app, "--max-depth", "N", "cuts executions after N steps; given, it rules out \"verified\" where one was cut (default: 10000, and longer ones come last)",
            [&limits](const std::string& text) {
              limits.max_depth_given = true;
              return number(limits.max_depth, 1u, 1'000'000'000u)(text);
            })->group(group);
  add_value(app, "--max-delays", "N", "ends after the executions with N delays", number(limits.max_delays, std::uint64_t{0}, kAny >> 1))->group(group);
  add_value(app, "--max-preemptions", "N", "ends after the executions with N preemptions", number(limits.max_preemptions, std::uint64_t{0}, kAny >> 1))->group(group);
  app.add_flag("--strict-bound", o.engine.strict_bound, "explores again what was first reached at a higher cost, so that a bound means all executions within it (with explorer 'random' each on its own, which ends only where executions do)")->group(group);
  add_value(app, "--step-timeout", "DURATION", "one step that takes longer is a bug: nontermination (default: 10s)", [&o](const std::string& text) -> std::optional<std::string> {
    const auto duration = parse_duration(text);
    if (!duration || duration->count() < 100) return "a duration of at least 100ms, such as 10s";
    o.step_timeout = *duration;
    return std::nullopt;
  })->group(group);
}

void add_store(CLI::App& app, CheckOptions& o) {
  const std::string group = "Visited states";
  const Take store = one_of({"exact", "bitstate"}, [&o](std::size_t i) { o.engine.store = static_cast<StoreKind>(i); });
  add_value(app, "--store", "KIND", "exact or bitstate; only exact can verify (default: exact)", [store](const std::string& text) -> std::optional<std::string> {
    if (text == "hash64") return "exact or bitstate (hash64 is no more: exact takes less memory and can verify)";
    return store(text);
  })->group(group);
  add_value(app, "--cache", "KEY", "none, program or program+explorer: what makes two states the same (default: program)",
            one_of({"none", "program", "program+explorer"}, [&o](std::size_t i) { o.engine.cache = static_cast<CacheKey>(i); }))->group(group);
  add_value(app, "--when-full", "stop|replace", "what happens when memory is spent (default: stop)",
            one_of({"stop", "replace"}, [&o](std::size_t i) { o.engine.when_full = static_cast<WhenFull>(i); }))->group(group);
}

void add_output(CLI::App& app, CheckOptions& o) {
  const std::string group = "Output";
  app.add_flag("--json", o.json, "prints one JSON object, and nothing else, on standard output")->group(group);
  add_value(app, "--junit", "FILE", "writes the verdict as JUnit XML too", file(o.junit))->group(group);
  add_value(app, "--trace", "FILE", "where a finding is written (default: a new file in the folder of -o)", file(o.trace))->group(group);
  add_value(app, "-o,--output", "FOLDER", "the folder of traces (default: tarry-out)", [&o](const std::string& text) -> std::optional<std::string> {
    if (text.empty()) return "the name of a folder";
    o.output = text;
    return std::nullopt;
  })->group(group);
  app.add_flag("--fail-unless-verified", o.demand.verified, "exits with 1 unless the verdict is \"verified\", assumes nothing about schedules and leaves nothing open")->group(group);
  add_value(app, "--accept", "WHAT", "for --fail-unless-verified: fair (\"verified for fair schedules\" is enough), safety (liveness of specs may be left open), limits (the verdict says which), or several: fair,limits",
            [&o](const std::string& text) -> std::optional<std::string> {
              for (const auto part : std::views::split(text, ',')) {
                const std::string_view what(part.begin(), part.end());
                if (what == "fair") o.demand.accepts_fair = true;
                else if (what == "safety") o.demand.accepts_safety = true;
                else if (what == "limits") o.demand.accepts_limits = true;
                else return "fair, safety, limits, or several of them with commas between";
              }
              return std::nullopt;
            })->group(group);
  app.add_flag_callback("--no-progress", [&o] { o.progress = false; }, "shows no progress")->group(group);
  app.add_flag("-v,--verbose", o.verbose, "shows the whole trace of a finding")->group(group);
  add_color(app, o.color);
}

/// Texts of the parameters that were given, by name. One option for each name that some search declares.
using GivenParams = std::map<std::string, std::string>;
void add_params(CLI::App& app, GivenParams& given) {
  // Searches that mean the same by a name are told in one line.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> searches_by_help;
  for (const auto& entry : Registry<Search>::all())
    for (const Param& p : entry.params)
      searches_by_help[p.name][fmt::format("{}; {} to {} (default: {})", p.help, p.min, p.max, p.fallback)].push_back(entry.name);
  for (const auto& [name, meanings] : searches_by_help) {
    std::vector<std::string> texts;
    for (const auto& [text, searches] : meanings) texts.push_back(fmt::format("{}: {}", fmt::join(searches, ", "), text));
    const std::string help = fmt::format("{}", fmt::join(texts, "; "));
    if (app.get_option_no_throw("--" + name) != nullptr) continue;
    add_value(app, "--" + name, "N", help, [&given, name = name](const std::string& value) { return given[name] = value, std::nullopt; })
        ->group("Parameters of searches");
  }
}

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

/// Search, explorer and parameters, checked against the registry.
std::optional<Diagnostic> resolve(CheckOptions& o, const GivenParams& given) {
  const bool explorer_given = !o.explorer.empty();
  if (o.search.empty()) o.search = o.engine.limits.samples ? "random-walk" : "portfolio";
  if (!explorer_given) o.explorer = "run-to-completion";
  const auto* search = Registry<Search>::find(o.search);
  if (search == nullptr) return unknown_name("search", o.search, registered<Search>());
  o.takes_explorer = search->kind.takes_explorer;
  const auto& honoured = search->kind.limits;
  if (search->kind.decides_liveness && std::find(honoured.begin(), honoured.end(), "choices") == honoured.end()) {  // accepting cycles: every endless execution counts, unless fairness is asked for
    if (!o.fairness_given) o.engine.fairness = LoopFairness::kNone;
    if (o.engine.fairness == LoopFairness::kStrong)
      return usage_error(fmt::format("search '{}' knows no strong fairness: it looks for cycles with copies of the graph, which is for --fairness none and weak; --search fair-cycle decides strong fairness", o.search));
    o.engine.choices = LoopChoices::kDemonic;
  }
  if (explorer_given && !o.takes_explorer)
    return usage_error(fmt::format("search '{}' takes no explorer; those that do: {}", o.search, fmt::join(with_explorer(), ", ")));
  if (!names_a_file(o.explorer) && Registry<Explorer>::find(o.explorer) == nullptr)
    return unknown_name("explorer", o.explorer, registered<Explorer>());
  const bool may_deepen = std::any_of(search->params.begin(), search->params.end(), [](const Param& p) { return p.name == "deepen"; });
  if (may_deepen && (explorer_given || o.engine.limits.max_delays)) o.params["deepen"] = 1;
  for (const auto& [name, text] : given) {
    const auto param = std::find_if(search->params.begin(), search->params.end(), [&](const Param& p) { return p.name == name; });
    if (param == search->params.end()) return usage_error(fmt::format("--{} is not a parameter of search '{}'", name, o.search));
    if (number(o.params[name], param->min, param->max)(text))
      return usage_error(fmt::format("--{}={} is out of range for search '{}': expected {} to {}", name, text, o.search, param->min, param->max));
  }
  if (may_deepen && o.params["deepen"] == 0) o.takes_explorer = false;
  return std::nullopt;
}

/// Options that the chosen search or the program would not honour are refused, not ignored.
std::optional<Diagnostic> check_limits(const CheckOptions& o) {
  if (o.engine.keep_going && !names_a_thread_program(o.target) && (o.search != "random-walk" || !o.engine.limits.samples))
    return usage_error("--explore is for random executions: say how many with -s, as in 'tarry check bank.pproj -s 10000 --explore'");
  if ((o.p_trace.any() || o.coverage) && !names_a_p_program(o.target))
    return usage_error(fmt::format("{} is for P programs, and '{}' is none", o.coverage ? "--coverage" : "--p-trace", o.target));
  const auto& honoured = Registry<Search>::find(o.search)->kind.limits;
  for (const std::string& limit : kOwnLimits) {
    const bool given = std::any_of(o.given.begin(), o.given.end(), [&](const std::string& text) { return text == "--" + limit || text.starts_with("--" + limit + "="); });
    if (!given || std::find(honoured.begin(), honoured.end(), limit) != honoured.end()) continue;
    std::vector<std::string> others;
    for (const auto& entry : Registry<Search>::all())
      if (std::find(entry.kind.limits.begin(), entry.kind.limits.end(), limit) != entry.kind.limits.end()) others.push_back(entry.name);
    return usage_error(fmt::format("--{} means nothing to search '{}'; it is for: {}", limit, o.search, fmt::join(others, ", ")));
  }
  return std::nullopt;
}

/// What liveness is not proven for, and what it is not for.
std::optional<Diagnostic> check_liveness(const CheckOptions& o) {
  const auto given = [&](const std::string& name) { return std::any_of(o.given.begin(), o.given.end(), [&](const std::string& text) { return text.starts_with("--" + name + "="); }); };
  for (const char* name : {"fairness", "choices"})
    if (given(name) && names_a_thread_program(o.target)) return usage_error(fmt::format("--{} is for liveness of models and P programs; programs with threads have --fair", name));
  if (given("ltl") && names_a_thread_program(o.target)) return usage_error(fmt::format("--ltl is for P programs and C++ models, and '{}' is neither", o.target));
  if (!Registry<Search>::find(o.search)->kind.decides_liveness) return std::nullopt;
  if (o.engine.store != StoreKind::kExact) return usage_error(fmt::format("search '{}' needs --store exact: where two states are taken for one, a cycle may not be one", o.search));
  if (o.engine.when_full != WhenFull::kStop) return usage_error(fmt::format("search '{}' needs --when-full stop: a cycle through a state that was forgotten is not seen", o.search));
  if (o.engine.cache != CacheKey::kProgram) return usage_error(fmt::format("search '{}' needs --cache program: a cycle is one of program states", o.search));
  return std::nullopt;
}

std::vector<std::string> remember(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_positional() || option->check_sname("D")) continue;
    const std::string name = option->get_name(false, false);
    if (name == "-I" || name == "-L" || name == "-l" || name == "-O" || name == "--cflags" || name == "--ldflags" || name == "--ltl") {
      for (const std::string& text : option->results()) out.push_back(name.starts_with("--") ? name + "=" + text : name + text);
      continue;
    }
    if (name == "--foreign") {
      for (const std::string& file : option->results()) out.push_back(name + "=" + std::filesystem::absolute(file).lexically_normal().string());
      continue;
    }
    const bool plain_flag = option->get_expected_max() == 0 && option->results().back() == "true";
    out.push_back(plain_flag ? name : name + "=" + option->results().back());
  }
  return out;
}

}  // namespace

Take one_of(std::vector<std::string> names, std::function<void(std::size_t)> chosen) {
  return [names = std::move(names), chosen = std::move(chosen)](const std::string& text) -> std::optional<std::string> {
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) return fmt::format("{}", fmt::join(names, ", "));
    chosen(static_cast<std::size_t>(at - names.begin()));
    return std::nullopt;
  };
}

void add_color(CLI::App& app, Color& color) {
  add_value(app, "--color", "WHEN", "auto, always or never (default: auto)",
            one_of({"auto", "always", "never"}, [&color](std::size_t i) { color = static_cast<Color>(i); }))->group("Output");
}

bool names_a_file(const std::string& explorer) {
  return explorer.find('/') != std::string::npos || explorer.ends_with(".so") || explorer.ends_with(".cpp") ||
         explorer.ends_with(".cc") || explorer.ends_with(".cxx");
}

std::string duration_text(std::chrono::milliseconds duration) {
  return fmt::format("{:g} s", static_cast<double>(duration.count()) / 1000);
}

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

/// Searches that follow executions from start to end, and so can count their steps.
constexpr std::array<std::string_view, 4> kCounting{"random-walk", "iterative-random-walk", "pct", "ss"};
bool keeps_count(const std::string& search) { return std::find(kCounting.begin(), kCounting.end(), search) != kCounting.end(); }

/// The bound of P's steps that counts for the chosen search; the engine's own bound, on its coarser steps, follows.
void settle_steps(CheckOptions& o) {
  const auto [unfair, fair] = o.max_steps.value_or(std::pair<std::uint64_t, std::uint64_t>{10'000, 100'000});
  o.p.fair = o.search == "random-walk";
  o.p.memory = o.engine.limits.memory;
  o.p.max_steps = o.p.fair ? fair : unfair;
  if (!names_a_p_program(o.target)) return;
  Limits& limits = o.engine.limits;
  if (o.max_steps || o.p.fair) limits.max_depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(o.p.max_steps, 1'000'000'000));
  limits.max_depth_given = limits.max_depth_given || o.max_steps.has_value();
}

POptions p_options_of(const std::vector<std::string>& given, const std::string& search) {
  Arguments arguments{"a.p", "--search", search};
  for (const std::string& option : given)
    if (option.starts_with("--foreign=") || option.starts_with("--points=") || option.starts_with("--ltl=") || option.starts_with("--max-steps=") || option.starts_with("--temperature=") || option == "--fail-on-maxsteps") arguments.push_back(option);
  const auto options = parse_check_options(arguments);
  return std::holds_alternative<CheckOptions>(options) ? std::get<CheckOptions>(options).p : POptions{};
}

std::optional<ThreadOptions> thread_options_of(const std::vector<std::string>& given, std::uint64_t seed) {
  Arguments arguments{"a.c"};
  arguments.insert(arguments.end(), given.begin(), given.end());
  const auto options = parse_check_options(arguments);
  if (!std::holds_alternative<CheckOptions>(options)) return std::nullopt;
  ThreadOptions out = std::get<CheckOptions>(options).threads;
  out.seed = seed;
  return out;
}

std::variant<CheckOptions, int> parse_check_options(const Arguments& arguments) {
  CLI::App app("", "tarry check");
  CheckOptions options;
  GivenParams params;
  add_target(app, options);
  add_thread_options(app, options);
  add_search(app, options);
  add_limits(app, options);
  add_store(app, options);
  add_output(app, options);
  add_params(app, params);
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");  // the rest is for the program
  const auto ours = from_p_check({arguments.begin(), dashes});
  if (!ours) return refuse(ours.error());
  if (const auto end = parse(app, kCheckManual, spelled_out(*ours))) return *end;
  if (options.target.empty() && has_project(".")) options.target = ".";
  if (options.target.empty()) return refuse(usage_error("there is nothing to check: name a program or a model, as in 'tarry check queue_test.cpp'; a folder with a .pproj in it needs no name"));
  if (dashes != arguments.end()) options.threads.arguments.assign(dashes + 1, arguments.end());
  for (const std::string& define : options.defines)
    if (define.empty() || define[0] == '=') return refuse(usage_error(fmt::format("-D{} is not right: expected NAME or NAME=VALUE", define)));
  if (const auto wrong = resolve(options, params)) return refuse(*wrong);
  options.given = remember(app);
  options.given.insert(options.given.end(), dashes, arguments.end());
  if (const auto wrong = check_limits(options)) return refuse(*wrong);
  if (const auto wrong = check_liveness(options)) return refuse(*wrong);
  if (const auto wrong = settle_thread_options(options)) return refuse(*wrong);
  settle_steps(options);
  if (options.p.fail_on_max_steps && !keeps_count(options.search))
    return refuse(usage_error(fmt::format("--fail-on-maxsteps means nothing to search '{}', which does not follow executions one by one; use it with -s N, or with: {}",
                                          options.search, fmt::join(kCounting, ", "))));
  if (options.p.temperature != 0 && !(names_a_p_program(options.target) && keeps_count(options.search)))
    return refuse(usage_error(fmt::format("--temperature is for random executions of P programs: use it with -s N, or with: {}; the default search decides what stays hot for ever", fmt::join(kCounting, ", "))));
  return options;
}

}  // namespace tarry::cli
