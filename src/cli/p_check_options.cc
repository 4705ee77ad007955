#include "cli/p_check_options.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

namespace tarry::cli {
namespace {

/// Options without a counterpart: what they do in P's checker, and what to use instead.
struct Foreign {
  const char* does;
  const char* instead;
};

const std::map<std::string, Foreign>& without_counterpart() {
  static const Foreign kProbabilistic{"random schedules that switch seldom", "--search pct, or --search preemption-bounded"};
  static const Foreign kFeedback{"schedules that learn from earlier ones", "--search portfolio, the default"};
  static const Foreign kReplay{"runs a schedule again", "'tarry replay FILE.schedule --target PROJECT'"};
  static const Foreign kTimeline{"steers --sch-feedback", "--search portfolio, the default"};
  static const Foreign kGraph{"draws a graph", "--p-trace json, or the chart that is shown"};
  static const Foreign kEngine{"is for PEx", "no such option: all schedules are explored by default"};
  static const std::map<std::string, Foreign> kAll{
      {"--sch-probabilistic", kProbabilistic},
      {"-sp", kProbabilistic},
      {"--sch-fairpct", {"PCT first, then random schedules", "--search pct, or -s N for random ones"}},
      {"--sch-pos", {"partial-order sampling", "--search pct, or --search ss"}},
      {"--sch-rl", kFeedback},
      {"--sch-feedback", kFeedback},
      {"--sch-feedbackpct", kFeedback},
      {"--sch-feedbackpos", kFeedback},
      {"-r", kReplay},
      {"--replay", kReplay},
      {"--graph", kGraph},
      {"--graph-bug", kGraph},
      {"--xml-trace", {"writes a trace as XML", "--p-trace json"}},
      {"--timeline-repr", kTimeline},
      {"--timeline-kgram", kTimeline},
      {"--timeline-payload", kTimeline},
      {"--liveness-temperature-threshold", {"says how long a spec may be hot", "--temperature N"}},
      {"--jvm-args", kEngine},
      {"--checker-args", kEngine},
      {"-d", {"prints what the checker does", "-v"}},
      {"--debug", {"prints what the checker does", "-v"}}};
  return kAll;
}

std::optional<std::uint64_t> number_from(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > 1'000'000) return std::nullopt;
  return value;
}

/// The arguments, one by one; a value may stand behind '=' or in the next one.
class Reader {
 public:
  explicit Reader(const Arguments& arguments) : arguments_(arguments) {}

  bool next() {
    if (at_ == arguments_.size()) return false;
    whole_ = arguments_[at_++];
    const std::size_t sign = whole_.starts_with("-") ? whole_.find('=') : std::string::npos;
    name_ = whole_.substr(0, sign);
    behind_ = sign == std::string::npos ? std::nullopt : std::optional(whole_.substr(sign + 1));
    return true;
  }
  const std::string& name() const { return name_; }
  const std::string& whole() const { return whole_; }
  std::optional<std::string> value() {
    if (behind_) return behind_;
    if (at_ == arguments_.size()) return std::nullopt;
    return arguments_[at_++];
  }

 private:
  const Arguments& arguments_;
  std::size_t at_ = 0;
  std::string whole_, name_;
  std::optional<std::string> behind_;
};

Diagnostic needs(const std::string& name, const char* expected) { return usage_error(fmt::format("{} of P's checker needs {}", name, expected)); }

/// What takes the place of an option that has a counterpart. Nothing: the option is not P's.
std::optional<Result<Arguments>> counterpart(Reader& reader) {
  const std::string name = reader.name();
  if (name == "--sch-random") return Arguments{"--search=random-walk"};
  if (name == "--sch-pct") {
    const auto switches = number_from(reader.value().value_or(""));
    if (!switches) return needs(name, "the number of priority changes, as in --sch-pct 3");
    return Arguments{"--search=pct", fmt::format("--depth={}", *switches + 1)};
  }
  if (name == "-m" || name == "--memout") {
    const std::string size = reader.value().value_or("");
    if (size.empty() || size.find_first_not_of("0123456789.") != std::string::npos) return needs(name, "a size in GB, as in --memout 4");
    double gigabytes = 0;
    std::from_chars(size.data(), size.data() + size.size(), gigabytes);
    return Arguments{fmt::format("--memory={}M", static_cast<std::uint64_t>(gigabytes * 1024))};
  }
  if (name == "-md" || name == "--mode") {
    const std::string mode = reader.value().value_or("");
    if (mode == "bugfinding" || mode == "pchecker") return Arguments{};
    return usage_error(fmt::format("{} {} is a mode of P's tools that Tarry does not have: leave it out, and all schedules are explored", name, mode));
  }
  if (name == "-pp" || name == "--pproj") {
    const auto file = reader.value();
    if (!file) return needs(name, "a project, as in --pproj Bank.pproj");
    return Arguments{*file};
  }
  return std::nullopt;
}

}  // namespace

Result<Arguments> from_p_check(const Arguments& arguments) {
  Arguments out;
  for (Reader reader(arguments); reader.next();) {
    if (!out.empty() && (out.back() == "--cflags" || out.back() == "--ldflags")) {  // the compiler's, whatever it looks like
      out.push_back(reader.whole());
      continue;
    }
    if (const auto unknown = without_counterpart().find(reader.name()); unknown != without_counterpart().end())
      return usage_error(fmt::format("'{}' is an option of P's checker ({}) that Tarry does not have; instead: {}", reader.name(), unknown->second.does,
                                     unknown->second.instead));
    if (const auto ours = counterpart(reader)) {
      if (!*ours) return ours->error();
      out.insert(out.end(), (*ours)->begin(), (*ours)->end());
    } else {
      out.push_back(reader.whole());
    }
  }
  return out;
}

}  // namespace tarry::cli
