#include "cppmodel/formula_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "core/patience.h"
#include "ltl/buchi.h"
#include "ltl/formula.h"
#include "ltl/rabin.h"

namespace tarry {
namespace {

constexpr std::size_t kMostNames = 12;  // in one formula: there is a letter for each set of them

class FormulaProgram final : public Program {
 public:
  FormulaProgram(std::unique_ptr<LabelledProgram> program, std::string text, std::vector<std::uint32_t> atoms, ltl::Rabin rabin)
      : inner_(std::move(program)), text_(std::move(text)), atoms_(std::move(atoms)), rabin_(std::move(rabin)), shape_(inner_->shape()), first_property_(static_cast<std::uint32_t>(inner_->properties().size())) {
    const auto bits = static_cast<std::uint32_t>(std::bit_width(rabin_.states() - 1));
    place_ = shape_.bits;
    if (place_ % 32 + bits > 32 || place_ >= shape_.words * 32) place_ = shape_.words * 32;
    mask_ = static_cast<Word>((std::uint64_t{1} << bits) - 1);
    shape_.words = std::max(shape_.words, (place_ + bits + 31) / 32);
    shape_.bits = place_ + bits;
    shape_.folds.clear();
    for (std::uint32_t state = 0; state < rabin_.states(); ++state)
      for (std::size_t letter = 0; letter < std::size_t{1} << atoms_.size(); ++letter) ends_badly_.push_back(rabin_.accepts_for_ever(state, letter));
  }

  const Shape& shape() const override { return shape_; }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<Teller>(*this); }
  std::vector<Property> properties() const override {
    std::vector<Property> out = inner_->properties();
    const std::string name = "formula '" + text_ + "'";
    for (std::uint32_t i = 0; i < rabin_.pairs(); ++i) out.push_back({.name = name, .owed = name + " does not hold"});
    return out;
  }
  std::uint64_t bytes() const override { return inner_->bytes(); }
  std::string why_unrepeatable() const override { return inner_->why_unrepeatable(); }
  std::vector<std::string> caveats() const override { return inner_->caveats(); }
  Checks checks() const override {
    Checks out = inner_->checks();
    if (out.made.empty()) out.missing.clear();  // the formula is what it is checked for
    return out;
  }

 private:
  /// A state of the program itself, and that of the automaton.
  struct Parts {
    std::vector<Word> program;
    std::uint32_t automaton = 0;
  };
  std::uint32_t inner_words() const { return inner_->shape().words; }
  void take_apart(StateView state, Parts& out) const {
    out.program.assign(state.begin(), state.begin() + inner_words());
    out.automaton = 0;
    if (mask_ == 0) return;
    const std::uint32_t at = place_ / 32, shift = place_ % 32;
    out.automaton = state[at] >> shift & mask_;
    if (at < inner_words()) out.program[at] &= ~(mask_ << shift);
  }
  void put_together(std::uint32_t automaton, Word* words) const {
    if (mask_ == 0) return;
    const std::uint32_t at = place_ / 32, shift = place_ % 32;
    if (at >= inner_words()) words[at] = 0;
    words[at] |= automaton << shift;
  }
  /// The number of a letter, of the labels that hold.
  std::size_t letter(std::uint32_t labels) const {
    std::size_t out = 0;
    for (std::size_t a = 0; a < atoms_.size(); ++a) out |= std::size_t{labels >> atoms_[a] & 1} << a;
    return out;
  }

  class Space final : public StateSpace {
   public:
    explicit Space(const FormulaProgram& all) : all_(all), inner_(all.inner_->open()), labeller_(all.inner_->labeller()), narrow_(all.inner_words()) {}

    StepText initial(Word* words) override {
      StepText text = inner_->initial(words);
      if (!text.kind.empty()) return text;
      std::uint32_t labels = 0;
      const StateView first(words, all_.inner_words());
      if (!labeller_->labels(first, labels)) return labeller_->problem(first);
      all_.put_together(all_.rabin_.move(0, all_.letter(labels)).to, words);
      return text;
    }

    void ask_while_expanding(const Expansion::GoOn& go_on) override {
      narrow_.go_on = [go_on](std::uint64_t bytes) { return go_on(bytes * 2); };  // all successors will be there twice
    }

    void expand(StateView state, abi::Expansion& out) override {
      all_.take_apart(state, parts_);
      narrow_.begin(std::min(out.capacity, Expansion::kLongestStretch));
      inner_->expand(parts_.program, narrow_);
      out.count = out.value_count = 0;
      out.blocked = narrow_.blocked;
      out.cut = narrow_.cut;
      for (std::uint32_t i = 0; i < narrow_.count; ++i) {
        if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) out.grow(&out);
        if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) return;
        Word* const words = out.words + std::size_t{i} * all_.shape_.words;
        std::copy(narrow_.state(i).begin(), narrow_.state(i).end(), words);
        abi::Successor successor = narrow_.successors[i];
        for (const std::uint32_t value : narrow_.values_of(successor)) out.values[out.value_count++] = value;
        successor.first_value = out.value_count - successor.value_count;
        follow(ProcessId{successor.process}, narrow_.values_of(narrow_.successors[i]), words, successor.marks, successor.flags);
        out.successors[out.count++] = successor;
      }
    }

    void survey(StateView state, Survey& out) override {
      all_.take_apart(state, parts_);
      inner_->survey(parts_.program, out);
    }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      all_.take_apart(state, parts_);
      inner_->take(parts_.program, process, values, out);
      if (out.outcome == abi::Outcome::kMoved) follow(process, values, out.words, out.marks, out.flags);
    }
    void enabled(StateView state, std::span<std::uint64_t> out) override {
      all_.take_apart(state, parts_);
      inner_->enabled(parts_.program, out);
    }
    std::uint32_t owed(StateView state) override {
      all_.take_apart(state, parts_);
      std::uint32_t out = inner_->owed(parts_.program), labels = 0;
      if (labeller_->labels(parts_.program, labels) && all_.ends_badly_[(std::size_t{parts_.automaton} << all_.atoms_.size()) + all_.letter(labels)]) out |= std::uint32_t{1} << all_.first_property_;
      return out;
    }
    const abi::Cursor& cursor() const override { return labelling_.running != 0 ? labelling_ : inner_->cursor(); }

   private:
    /// The automaton sees the state that the step led to. What it was before is in parts_. Labels belong to that step: if 'labels' does not come back,
    /// the cursor says so. A step that failed leads nowhere, but its state is compared all the same, so it is written whole.
    void follow(ProcessId process, std::span<const std::uint32_t> values, Word* words, abi::Marks& marks, std::uint32_t& flags) {
      if ((flags & abi::kFailed) != 0) return all_.put_together(0, words);
      std::uint32_t labels = 0;
      labelling_.made = static_cast<std::uint32_t>(std::min<std::size_t>(values.size(), abi::kMaxValues));
      std::copy_n(values.begin(), labelling_.made, labelling_.values);
      labelling_.running = index(process) + 1;
      const bool labelled = labeller_->labels(StateView(words, all_.inner_words()), labels);
      labelling_.running = 0;
      if (!labelled) {
        flags |= abi::kFailed;
        return all_.put_together(0, words);
      }
      const ltl::Rabin::Move& move = all_.rabin_.move(parts_.automaton, all_.letter(labels));
      marks.hot |= move.hot << all_.first_property_;
      marks.cold |= move.cold << all_.first_property_;
      all_.put_together(move.to, words);
    }

    const FormulaProgram& all_;
    std::unique_ptr<StateSpace> inner_;
    std::unique_ptr<Labeller> labeller_;
    Expansion narrow_;
    Parts parts_;
    abi::Cursor labelling_{};  // the step whose state is being labelled
  };

  class Teller final : public Narrator {
   public:
    explicit Teller(const FormulaProgram& all) : all_(all), inner_(all.inner_->narrator()), space_(all.inner_->open()), labeller_(all.inner_->labeller()), taken_(all.inner_words()) {}
    Fields fields(StateView state) override {
      all_.take_apart(state, parts_);
      return inner_->fields(parts_.program);
    }
    StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) override {
      all_.take_apart(state, parts_);
      StepText text = inner_->explain(parts_.program, process, values);
      if (!text.kind.empty()) return text;
      space_->take(parts_.program, process, values, taken_);
      std::uint32_t labels = 0;
      if (taken_.outcome != abi::Outcome::kMoved || labeller_->labels(taken_.state(), labels)) return text;
      const StepText problem = labeller_->problem(taken_.state());
      text.kind = problem.kind;
      text.message = problem.message;
      return text;
    }
    std::string process_name(ProcessId process) override { return inner_->process_name(process); }

   private:
    const FormulaProgram& all_;
    std::unique_ptr<Narrator> inner_;
    std::unique_ptr<StateSpace> space_;
    std::unique_ptr<Labeller> labeller_;
    Taken taken_;
    Parts parts_;
  };

  std::unique_ptr<LabelledProgram> inner_;
  std::string text_;
  std::vector<std::uint32_t> atoms_;  // of the formula: which label each is
  ltl::Rabin rabin_;
  Shape shape_;
  std::uint32_t first_property_;
  std::uint32_t place_ = 0;  // of the automaton's state, in bits
  Word mask_ = 0;
  std::vector<bool> ends_badly_;  // by state of the automaton and letter: the formula does not hold if that letter goes on for ever
};

/// Why the labels of the first state are not known; empty if they are.
std::string problem_of_labels(const LabelledProgram& program) {
  std::vector<Word> first(program.shape().words);
  if (!program.open()->initial(first.data()).kind.empty()) return "";
  std::uint32_t labels = 0;
  const auto labeller = program.labeller();
  return labeller->labels(first, labels) ? "" : labeller->problem(first).message;
}

std::string unknown(const std::string& name, const std::vector<std::string>& names, const LabelledProgram& program) {
  if (const std::string problem = names.empty() ? problem_of_labels(program) : ""; !problem.empty()) return fmt::format("the model does not tell its labels, because 'labels' fails in the first state: {}", problem);
  if (names.empty()) return fmt::format("'{}' is no label of the model, which has none; give it a member 'void labels(const State& s, tarry::Labels& labels)' that says labels.add(\"{}\", ...)", name, name);
  return fmt::format("'{}' is no label of the model; its labels are '{}'", name, fmt::join(names, "', '"));
}

}  // namespace

Result<std::unique_ptr<Program>> with_formula(std::unique_ptr<LabelledProgram> program, const std::string& formula, std::string_view where) {
  auto parsed = ltl::parse(formula, where);
  if (!parsed) return parsed.error();
  const auto refused = [&](std::size_t column, const std::string& why) { return Diagnostic{fmt::format("{}:1:{}: {}, in \"{}\"", where, column, why, formula)}; };
  const std::vector<std::string> names = program->label_names();
  std::vector<std::uint32_t> atoms;
  for (std::size_t a = 0; a < parsed->atoms.size(); ++a) {
    const auto at = std::find(names.begin(), names.end(), parsed->atoms[a]);
    if (at == names.end()) return refused(parsed->columns[a], unknown(parsed->atoms[a], names, *program));
    atoms.push_back(static_cast<std::uint32_t>(at - names.begin()));
  }
  if (atoms.size() > kMostNames) return refused(1, fmt::format("the formula has {} names; expected at most {}", atoms.size(), kMostNames));
  std::vector<ltl::Letter> letters(std::size_t{1} << atoms.size());
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = static_cast<ltl::Letter>(i);
  const auto ask = [] { Patience::need("the formula was translated"); };
  const auto negation = ltl::automaton(parsed->formulas, parsed->formulas.negation(parsed->root), ask);
  if (!negation) return refused(1, negation.error().text);
  auto rabin = ltl::deterministic(*negation, letters, ask);
  if (!rabin) return refused(1, rabin.error().text);
  const std::size_t properties = program->properties().size() + rabin->pairs();
  if (properties > abi::kMaxProperties) return refused(1, fmt::format("the formula and the model's 'liveness' need {} properties together; there is room for {}", properties, abi::kMaxProperties));
  return std::unique_ptr<Program>(std::make_unique<FormulaProgram>(std::move(program), formula, std::move(atoms), std::move(*rabin)));
}

}  // namespace tarry
