#include "plang/vm/formula_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include <tarry/model_abi.h>

#include "core/patience.h"
#include "ltl/buchi.h"
#include "ltl/formula.h"

namespace tarry::plang {
namespace {

constexpr std::size_t kMostLetters = 4096;

}  // namespace

/// What its atoms mean: an event, or a state of a spec.
struct FormulaWatch::Names {
  struct Meaning {
    std::uint32_t event = 0;        // its number among those that are named, from 1
    std::uint32_t spec = 0, state = 0;  // else
  };
  std::vector<Meaning> atoms;
};

bool FormulaWatch::find_names(const ltl::Formula& formula, const CheckedProgram& program, const TestCase& test, Names& out, std::string& problem) {
  for (const std::string& name : formula.atoms) {
    Names::Meaning& meaning = out.atoms.emplace_back();
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
      const auto at = std::find_if(program.events.begin(), program.events.end(), [&](const auto& event) { return event->name.text == name; });
      if (at == program.events.end() || (*at)->index == kNullEvent) {
        problem = fmt::format("'{}' is no event of the program; a state of a spec is written 'Spec.State'", name);
        return false;
      }
      sees_[(*at)->index] = true;
      meaning.event = named_[(*at)->index] = ++events_;
      continue;
    }
    const auto attached = std::find_if(test.monitors.begin(), test.monitors.end(),
                                       [&](const AttachedMonitor& each) { return each.monitor->name.text == name.substr(0, dot); });
    if (attached == test.monitors.end()) {
      problem = fmt::format("no spec '{}' is attached to test '{}'", name.substr(0, dot), test.name);
      return false;
    }
    const auto& states = attached->monitor->states;
    const auto state = std::find_if(states.begin(), states.end(), [&](const auto& each) { return each->name.text == name.substr(dot + 1); });
    if (state == states.end()) {
      problem = fmt::format("spec '{}' has no state '{}'", name.substr(0, dot), name.substr(dot + 1));
      return false;
    }
    const auto number = static_cast<std::uint32_t>(attached - test.monitors.begin());
    auto known = std::find(specs_.begin(), specs_.end(), number);
    if (known == specs_.end()) {
      specs_.push_back(number);
      sizes_.push_back(static_cast<std::uint32_t>(states.size()));
      for (const std::uint32_t e : attached->monitor->observe_set->members()) sees_[e] = true;
      known = specs_.end() - 1;
    }
    meaning.spec = static_cast<std::uint32_t>(known - specs_.begin());
    meaning.state = static_cast<std::uint32_t>(state - states.begin());
  }
  return true;
}

Result<FormulaWatch> FormulaWatch::make(const std::string& text, std::string_view where, const CheckedProgram& program, const TestCase& test) {
  auto formula = ltl::parse(text, where);
  if (!formula) return formula.error();
  const auto refused = [&](std::size_t column, const std::string& why) { return Diagnostic{fmt::format("{}:1:{}: {}, in \"{}\"", where, column, why, text)}; };
  if (formula->next_column != 0)
    return refused(formula->next_column,
                   "'X' cannot be used on a P program: which event comes next depends on events that the formula does not name; say it with U, F or G");
  FormulaWatch out;
  out.text_ = text;
  out.sees_.resize(program.events.size());
  out.named_.resize(program.events.size());
  Names names;
  std::string problem;
  if (!out.find_names(*formula, program, test, names, problem)) return refused(formula->columns[names.atoms.size() - 1], problem);
  std::size_t combinations = 1;
  for (const std::uint32_t size : out.sizes_) combinations *= std::min<std::size_t>(size, kMostLetters);
  if (combinations * (out.events_ + 1) > kMostLetters)
    return refused(1, fmt::format("the formula names too many events and specs: there would be more than {} letters", kMostLetters));
  std::vector<ltl::Letter> letters;
  for (std::size_t c = 0; c < combinations; ++c)
    for (std::uint32_t event = 0; event <= out.events_; ++event) {
      ltl::Letter letter = 0;
      for (std::size_t a = 0; a < names.atoms.size(); ++a) {
        const Names::Meaning& meaning = names.atoms[a];
        std::size_t rest = c;
        for (std::size_t s = 0; s < meaning.spec && meaning.event == 0; ++s) rest /= out.sizes_[s];
        const bool holds = meaning.event != 0 ? meaning.event == event : rest % out.sizes_[meaning.spec] == meaning.state;
        if (holds) letter |= ltl::Letter{1} << a;
      }
      letters.push_back(letter);
    }
  const auto ask = [] { Patience::need("the formula was translated"); };
  const auto negation = ltl::automaton(formula->formulas, formula->formulas.negation(formula->root), ask);
  if (!negation) return refused(1, negation.error().text);
  auto rabin = ltl::deterministic(*negation, letters, ask);
  if (!rabin) return refused(1, rabin.error().text);
  out.rabin_ = std::move(*rabin);
  for (std::uint32_t state = 0; state < out.rabin_.states(); ++state)
    for (std::size_t c = 0; c < combinations; ++c) out.ends_badly_.push_back(out.rabin_.accepts_for_ever(state, c * (out.events_ + 1)));
  return out;
}

std::size_t FormulaWatch::letter(std::uint32_t named, std::span<const std::uint32_t> states) const {
  std::size_t combination = 0;
  for (std::size_t s = states.size(); s-- > 0;) combination = combination * sizes_[s] + states[s];
  return combination * (events_ + 1) + named;
}

std::uint32_t FormulaWatch::word(std::uint32_t state, std::span<const std::uint32_t> states) const {
  const std::size_t combinations = ends_badly_.size() / rabin_.states();
  return state << 1 | (ends_badly_[state * combinations + letter(0, states) / (events_ + 1)] ? 1 : 0);
}

FormulaWatch::Seen FormulaWatch::see(std::uint32_t before, std::uint32_t event, std::span<const std::uint32_t> states) const {
  const ltl::Rabin::Move& move = rabin_.move(before >> 1, letter(named_[event], states));
  const std::uint32_t after = word(move.to, states), last = std::uint32_t{1} << rabin_.pairs();
  return {after, move.hot | ((after & 1) != 0 ? last : 0), move.cold | last};
}

}  // namespace tarry::plang
