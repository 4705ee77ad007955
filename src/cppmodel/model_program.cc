#include "cppmodel/model_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string_view>

#include "base/units.h"

namespace tarry {
namespace {

/// Limits the length of text for people: a model may print in every step, and names are in every line.
std::string cut(abi::Text what, std::string_view words) {
  constexpr std::size_t kMostShown = std::size_t{1} << 16, kLongestName = 256;  // bytes
  const bool is_name = what == abi::Text::kProcessName;
  const std::size_t most = is_name ? kLongestName : kMostShown;
  if (words.size() <= most) return std::string(words);
  std::size_t size = most;
  for (int i = 0; i < 3 && (static_cast<unsigned char>(words[size]) & 0xC0) == 0x80; ++i) --size;  // not in the middle of a character
  if (is_name) return std::string(words.substr(0, size)) + "...";
  return fmt::format("{}... ({} bytes in all)", words.substr(0, size), with_separators(words.size()));
}

/// Collects what a model says in words.
class Listener : public abi::Detail {
 public:
  Listener() : abi::Detail{this, on_text, on_line} {}

  StepText text;
  Narrator::Fields fields;
  std::string name;
  std::vector<Property> properties;
  std::vector<std::string> labels;

 private:
  static void on_text(void* self, abi::Text what, const char* data, std::size_t size) {
    static_cast<Listener*>(self)->hear(what, cut(what, {data, size}));
  }
  static void on_line(void* self, std::uint32_t line) {
    auto& location = static_cast<Listener*>(self)->text.location;
    if (!location.empty()) location += fmt::format(":{}", line);
  }
  void hear(abi::Text what, std::string words) {
    switch (what) {
      case abi::Text::kLabel: text.label = std::move(words); break;
      case abi::Text::kKind: text.kind = FindingKind::find(words).value_or(FindingKind("runtime-error")); break;
      case abi::Text::kMessage: text.message = std::move(words); break;
      case abi::Text::kFile: text.location = std::move(words); break;
      case abi::Text::kFieldName: fields.emplace_back(std::move(words), ""); break;
      case abi::Text::kFieldValue:
        if (!fields.empty()) fields.back().second = std::move(words);
        break;
      case abi::Text::kProcessName: name = std::move(words); break;
      case abi::Text::kPropertyName: properties.push_back({std::move(words), ""}); break;
      case abi::Text::kPropertyOwed:
        if (!properties.empty()) properties.back().owed = std::move(words);
        break;
      case abi::Text::kLabelName: labels.push_back(std::move(words)); break;
    }
  }
};

/// One instance of the user's model. Its constructor may throw, which is told when the first state is asked for.
class Instance {
 public:
  explicit Instance(const abi::Model& table) : table_(table) {
    try {
      model_ = table.create();
    } catch (const std::exception& e) {
      problem_ = e.what();
    } catch (...) {
      problem_ = "an exception that is not a std::exception";
    }
  }
  ~Instance() {
    if (model_ != nullptr) table_.destroy(model_);
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void* get() const { return model_; }
  const std::string& problem() const { return problem_; }

 private:
  const abi::Model& table_;
  void* model_ = nullptr;
  std::string problem_;
};

class ModelSpace final : public StateSpace {
 public:
  /// What is known of the program's `initial`. The first request for the first state finds out.
  enum class Initial { kUnknown, kConstant, kVaries };

  ModelSpace(const abi::Model& table, std::atomic<Initial>& known) : table_(table), model_(table), known_(known) {}

  StepText initial(Word* words) override {
    if (model_.get() == nullptr) return {.label = "", .kind = "exception", .message = "the model's constructor threw: " + model_.problem(), .location = ""};
    Listener listener;
    if (!table_.initial(model_.get(), words, &listener)) return listener.text;
    Initial unknown = Initial::kUnknown;
    if (known_ == unknown && !is_always({words, table_.words})) known_ = Initial::kVaries;
    else known_.compare_exchange_strong(unknown, Initial::kConstant);
    if (known_ == Initial::kVaries)
      return {.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: two calls of 'initial' gave different states", .location = ""};
    return {};
  }

  void expand(StateView state, abi::Expansion& out) override {
    cursor_ = &out.cursor;
    table_.expand(model_.get(), state.data(), &out);
  }

  void survey(StateView state, Survey& out) override {
    const std::span<std::uint64_t> bits = out.bits();
    abi::Survey raw{bits.data(), bits.data() + out.longs(), bits.data() + 2 * std::size_t{out.longs()}, 0};
    cursor_ = &survey_cursor_;
    table_.survey(model_.get(), state.data(), &raw, &survey_cursor_);
    out.sealed_by = raw.sealed_by;
  }

  void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
    cursor_ = &out.cursor;
    table_.take(model_.get(), state.data(), index(process), values.data(), static_cast<std::uint32_t>(values.size()), &out, nullptr);
  }

  std::uint32_t owed(StateView state) override { return table_.owed(model_.get(), state.data()); }
  const abi::Cursor& cursor() const override { return *cursor_; }

 private:
  /// Do further calls of `initial`, of this instance and of another one, give the same state? Each is a chance for what is drawn from few values to differ.
  bool is_always(StateView first) const {
    constexpr int kCalls = 8;
    const Instance other(table_);
    std::vector<Word> again(first.size());
    for (int i = 0; i < kCalls; ++i) {
      Listener listener;
      void* const model = i % 2 == 0 ? model_.get() : other.get();
      if (model == nullptr || !table_.initial(model, again.data(), &listener) || !std::equal(first.begin(), first.end(), again.begin())) return false;
    }
    return true;
  }

  const abi::Model& table_;
  Instance model_;
  std::atomic<Initial>& known_;
  abi::Cursor survey_cursor_{};
  const abi::Cursor* cursor_ = &survey_cursor_;
};

class ModelNarrator final : public Narrator {
 public:
  explicit ModelNarrator(const abi::Model& table) : table_(table), model_(table), taken_(table.words) {}

  Fields fields(StateView state) override {
    Listener listener;
    table_.describe(model_.get(), state.data(), &listener);
    return listener.fields;
  }

  StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) override {
    Listener listener;
    table_.take(model_.get(), state.data(), index(process), values.data(), static_cast<std::uint32_t>(values.size()), &taken_, &listener);
    return listener.text;
  }

  std::string process_name(ProcessId process) override {
    Listener listener;
    table_.process_name(model_.get(), index(process), &listener);
    return listener.name;
  }

 private:
  const abi::Model& table_;
  Instance model_;
  Taken taken_;
};

class ModelLabeller final : public Labeller {
 public:
  explicit ModelLabeller(const abi::Model& table) : table_(table), model_(table) {}
  bool labels(StateView state, std::uint32_t& bits) override { return table_.labels == nullptr || (model_.get() != nullptr && table_.labels(model_.get(), state.data(), &bits, nullptr)); }
  StepText problem(StateView state) override {
    Listener listener;
    std::uint32_t bits = 0;
    if (model_.get() != nullptr) table_.labels(model_.get(), state.data(), &bits, &listener);
    return listener.text;
  }

 private:
  const abi::Model& table_;
  Instance model_;
};

/// A check counts once it has expected something. `has` and `reached`: bits of abi::Check.
Checks checks_of(std::uint32_t has, std::uint32_t reached, bool liveness) {
  Checks out;
  if ((reached & abi::kInInvariant) != 0) out.made.emplace_back("invariant");
  else if ((has & abi::kInInvariant) != 0) out.missing.emplace_back("'invariant' came to no run.expect()");
  if ((reached & abi::kInAtEnd) != 0) out.made.emplace_back("end check");
  else if ((reached & abi::kAtEndAsked) != 0) out.missing.emplace_back("'at_end' came to no run.expect()");
  else if ((has & abi::kInAtEnd) != 0) out.missing.emplace_back("'at_end' was not asked: no state was met in which no process can run");
  if ((reached & abi::kInStep) != 0) out.made.emplace_back("expectations in steps");
  if (out.made.empty() && out.missing.empty() && !liveness) out.missing.emplace_back("the model has no 'invariant', no 'at_end' and comes to no run.expect()");
  return out;
}

class ModelProgram final : public LabelledProgram {
 public:
  explicit ModelProgram(const abi::Model& table)
      : table_(table), shape_{table.words, table.bits, table.max_processes, table.uses_seals != 0} {}
  const Shape& shape() const override { return shape_; }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<ModelSpace>(table_, initial_); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<ModelNarrator>(table_); }
  std::vector<Property> properties() const override {
    const Instance model(table_);
    Listener listener;
    if (model.get() != nullptr) table_.properties(model.get(), &listener);
    return listener.properties;
  }
  std::vector<std::string> label_names() const override {
    const Instance model(table_);
    Listener listener, names;
    std::vector<Word> first(table_.words);
    std::uint32_t bits = 0;
    if (table_.labels == nullptr || model.get() == nullptr) return {};
    table_.initial(model.get(), first.data(), &listener);  // names are the same in every state, also in one that is wrong
    table_.labels(model.get(), first.data(), &bits, &names);
    return names.labels;
  }
  std::unique_ptr<Labeller> labeller() const override { return std::make_unique<ModelLabeller>(table_); }
  Checks checks() const override { return checks_of(table_.checks, table_.reached(), !properties().empty()); }

 private:
  const abi::Model& table_;
  Shape shape_;
  mutable std::atomic<ModelSpace::Initial> initial_{ModelSpace::Initial::kUnknown};
};

}  // namespace

std::unique_ptr<LabelledProgram> make_model_program(const abi::Model& table) { return std::make_unique<ModelProgram>(table); }

}  // namespace tarry
