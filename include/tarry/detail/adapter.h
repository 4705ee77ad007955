// Adapts a model written by a user to the functions of <tarry/model_abi.h>. Included by <tarry/model.h> only.
//
// Everything is resolved at compile time: a step is a copy of the state, an inlined call, and a packing. No exception crosses the
// interface: an exception of the model becomes a failed step that reports it.
#pragma once

#include <atomic>
#include <exception>
#include <string>
#include <utility>

#include <tarry/detail/contract.h>
#include <tarry/detail/pack.h>
#include <tarry/model.h>

namespace tarry::detail {

/// The state of a model that uses seals: the state, the owner of the seal and its nesting depth.
template <class State>
struct WithSeal {
  State user{};
  Upto<abi::kMaxProcesses> owner{};  // process + 1
  Upto<15> depth{};

  template <class Visit>
  constexpr void tarry_fields(Visit&& visit) const {
    visit("user", user);
    visit("owner", owner);
    visit("depth", depth);
  }
};

/// The state of a model with liveness properties: the state and what the properties remember, one bit each.
template <class State>
struct WithMemory {
  State inner{};
  Upto<0xffff> memory{};

  template <class Visit>
  constexpr void tarry_fields(Visit&& visit) const {
    visit("inner", inner);
    visit("memory", memory);
  }
};

template <class Model>
class Adapter {
  static_assert(kFault<Model> == Fault::kNone, "TARRY_MODEL says what is wrong with the model");
  using State = typename Model::State;
  static constexpr bool kSeals = [] {
    if constexpr (SaysWhetherItSeals<Model>) return Model::uses_seals;
    else return false;
  }();
  static constexpr bool kLives = HasLiveness<Model, State>;
  static constexpr bool kLabels = HasLabels<Model, State>;
  using Sealable = std::conditional_t<kSeals, WithSeal<State>, State>;
  using Whole = std::conditional_t<kLives, WithMemory<Sealable>, Sealable>;
  using Pack = Packing<Whole>;
  using Status = Run::Status;

  static constexpr bool kInvariant = HasInvariant<Model, State>;
  static constexpr bool kAtEnd = HasAtEnd<Model, State>;

  static constexpr int max_processes() {
    if constexpr (HasMaxProcesses<Model>) return Model::max_processes;
    else return Model::processes;
  }

 public:
  static constexpr abi::Model table(const char* name, const char* source) {
    return {.magic = abi::kMagic,
            .version = abi::kVersion,
            .name = name,
            .source = source,
            .words = Pack::kWords,
            .bits = Pack::kBits,
            .max_processes = static_cast<std::uint32_t>(max_processes()),
            .uses_seals = kSeals,
            .checks = (kInvariant ? abi::kInInvariant : 0u) | (kAtEnd ? abi::kInAtEnd : 0u),
            .create = [] { check_fields(); return static_cast<void*>(new Model()); },
            .destroy = [](void* m) { delete static_cast<Model*>(m); },
            .initial = initial,
            .expand = expand,
            .survey = survey,
            .take = take,
            .describe = describe,
            .process_name = process_name,
            .reached = [] { return reached_.load(std::memory_order_relaxed); },
            .properties = properties,
            .owed = owed,
            .labels = kLabels ? labels : nullptr};
  }

 private:
  static inline std::atomic<std::uint32_t> reached_{0};  // for all instances together

  /// Records the reached checks. Reads before writing: all workers share one variable, and after the first few steps they only
  /// read it.
  static void keep_reached(const Run& run) {
    if ((run.reached & ~reached_.load(std::memory_order_relaxed)) != 0) [[unlikely]] reached_.fetch_or(run.reached, std::memory_order_relaxed);
  }

  static Model& model(void* m) { return *static_cast<Model*>(m); }

  /// Checks, once per instance, that TARRY_FIELDS names all fields. Packing relies on this.
  static void check_fields() {
    if constexpr (HasFields<State>) {
      const State sample{};
      FieldPlaces places{reinterpret_cast<const char*>(&sample)};
      sample.tarry_fields(places);
      if (!places.in_order)
        throw std::logic_error("TARRY_FIELDS must name every field of State, once, in the order of their declaration");
    }
  }
  struct FieldPlaces {
    const char* base;
    std::size_t next = 0;
    bool in_order = true;
    template <class Type>
    void operator()(std::string_view, const Type& field) {
      next = align_up(next, alignof(Type));
      in_order = in_order && reinterpret_cast<const char*>(&field) == base + next;
      next += sizeof(Type);
    }
  };

  /// Return parts of the state: sealable() leaves out what liveness remembers, user() also leaves out the seal.
  template <class Any>
  static auto& sealable(Any& whole) {
    if constexpr (kLives) return whole.inner;
    else return whole;
  }
  template <class Any>
  static auto& user(Any& whole) {
    if constexpr (kSeals) return sealable(whole).user;
    else return sealable(whole);
  }

  /// A failure of `processes` is one of the first process: a replay asks again before its step.
  static int count(Model& m, const State& state, Run& run) {
    if constexpr (HasMaxProcesses<Model>) run.begin(0, 0);
    return count(m, state);
  }
  static int count(Model& m, const State& state) {
    if constexpr (HasMaxProcesses<Model>) {
      const int n = m.processes(state);
      if (n < 0 || n > max_processes()) throw std::out_of_range("processes() is not between 0 and max_processes");
      return n;
    } else {
      return Model::processes;
    }
  }

  static void check_state(Model& m, const State& state, Run& run) {
    if constexpr (kInvariant) {
      run.place = abi::kInInvariant;
      m.invariant(state, run);
    }
  }

  /// Takes a step without seals and liveness. A step that fails counts as a step, whatever else it calls; otherwise the failure
  /// would be lost.
  static void step_alone(Model& m, State& state, int process, Run& run) {
    m.step(state, process, run);
    if (run.status == Status::kMoved || (run.flags & abi::kFailed) == 0) [[likely]] return;
    run.status = Status::kMoved;
    run.undone = true;
  }

  /// Takes the step of `process`. Sets run.status, run.flags and run.undone to the result.
  static void step(Model& m, Whole& whole, int process, Run& run) {
    step_alone(m, user(whole), process, run);
    if (run.status != Status::kMoved || run.undone) return;
    if constexpr (kSeals) keep_seal(m, whole, process, run);
    else if (run.sealed != 0 || run.least_sealed != 0) run.misuse_of_seals("seal() or unseal() in a model without 'static constexpr bool uses_seals = true;'");
    check_state(m, user(whole), run);
    if constexpr (kLives) look_ahead(m, whole, run);
    if constexpr (kAtEnd) check_end(m, whole, run);
  }

  /// Computes what the new state shows of the liveness properties.
  static void look_ahead(Model& m, Whole& whole, Run& run) {
    std::uint64_t known = names_.load(std::memory_order_relaxed);
    Liveness live(whole.memory, nullptr, known == 0);
    m.liveness(user(std::as_const(whole)), live);
    if (live.count > Liveness::kMost) return run.misuse({"'liveness' names more than 16 properties", "", 0});
    if (!live.given.twice().empty()) return run.fail("misuse", {"", "", 0}, "'liveness' names '" + live.given.twice() + "' twice: each property needs a name of its own");
    if (known == 0) names_.compare_exchange_strong(known, live.names, std::memory_order_relaxed);
    if (known != 0 && known != live.names) return run.misuse({"'liveness' must name the same properties in the same order in every state", "", 0});
    whole.memory = live.after;
    run.shown = {live.hot, live.cold()};
  }
  static inline std::atomic<std::uint64_t> names_{0};  // hash of the property names; 0 while they are not known

  static std::uint32_t owed([[maybe_unused]] void* m, [[maybe_unused]] const std::uint32_t* state) {
    if constexpr (kLives) {
      Whole whole;
      Pack::unpack(state, whole);
      Liveness live(whole.memory);
      try {
        model(m).liveness(user(std::as_const(whole)), live);
      } catch (...) {  // the step that led here has reported it
      }
      return live.hot << first_property();
    }
    return 0;
  }
  static bool labels([[maybe_unused]] void* m, [[maybe_unused]] const std::uint32_t* state, std::uint32_t* bits, [[maybe_unused]] abi::Detail* detail) {
    *bits = 0;
    if constexpr (kLabels) {
      Whole whole;
      Pack::unpack(state, whole);
      std::uint64_t known = label_names_.load(std::memory_order_relaxed);
      Labels out(detail, known == 0);
      try {
        model(m).labels(user(std::as_const(whole)), out);
      } catch (const std::exception& e) {
        return tell_wrong(detail, "exception", e.what());
      } catch (...) {
        return tell_wrong(detail, "exception", "an exception that is not a std::exception");
      }
      if (out.count > Labels::kMost) return tell_wrong(detail, "misuse", "'labels' gives more than 32 names");
      if (!out.given.twice().empty()) return tell_wrong(detail, "misuse", "'labels' gives '" + out.given.twice() + "' twice: which of the two a formula means is not known");
      if (known == 0) label_names_.compare_exchange_strong(known, out.names, std::memory_order_relaxed);
      if (known != 0 && known != out.names) return tell_wrong(detail, "misuse", "'labels' must give the same names in the same order in every state");
      *bits = out.bits;
    }
    return true;
  }
  static bool tell_wrong(abi::Detail* detail, std::string_view kind, std::string_view message) {
    if (detail == nullptr) return false;
    detail->text(detail->self, abi::Text::kKind, kind.data(), kind.size());
    detail->text(detail->self, abi::Text::kMessage, message.data(), message.size());
    return false;
  }
  static inline std::atomic<std::uint64_t> label_names_{0};  // 0 while they are not known

  /// Returns the index of the model's first own property. The property "accepting", if present, comes first.
  static std::uint32_t first_property() { return some_accepts ? 1 : 0; }

  /// Runs at_end if no process can run. It belongs to the step that leads to this state.
  static void check_end(Model& m, const Whole& whole, Run& run) {
    if (run.needs_value) return;
    abi::Cursor cursor{};
    Run probe(cursor, nullptr);
    const int n = count(m, user(whole));
    for (int p = 0; p < n; ++p)
      if (can_step(m, whole, p, probe)) return;
    run.place = abi::kInAtEnd;
    run.reached |= abi::kAtEndAsked;
    m.at_end(user(whole), run);
  }

  /// Returns whether process p can take a step. A step that throws can be taken: the search that takes it reports the exception.
  static bool can_step(Model& m, const Whole& whole, int p, Run& probe) {
    State scratch = user(whole);
    probe.begin(p, 0);
    try {
      step_alone(m, scratch, p, probe);
    } catch (...) {
      probe.status = Status::kMoved;
    }
    return probe.status == Status::kMoved;
  }

  static void keep_seal(Model& m, Whole& whole, int process, Run& run) {
    auto& seal = sealable(whole);
    const bool own = seal.depth == 0 || static_cast<int>(seal.owner) == process + 1;  // otherwise another process's seal is in force
    if ((run.sealed != 0 || run.least_sealed < 0) && own) {
      const int depth = static_cast<int>(seal.depth) + run.sealed;
      if (static_cast<int>(seal.depth) + run.least_sealed < 0)
        return run.misuse_of_seals("unseal() without a seal(); a process that blocks, is idle or ends has given its seal up");
      if (depth > 15) return run.misuse_of_seals("seals are nested more than 15 deep");
      seal.depth = depth;
      seal.owner = depth == 0 ? 0 : process + 1;
    }
    if (seal.depth == 0 || owner_can_step(m, whole)) return;
    seal.depth = 0;  // an owner that cannot run loses its seal, whichever process took the step
    seal.owner = 0;
  }

  static bool owner_can_step(Model& m, const Whole& whole) {
    const int owner = static_cast<int>(sealable(whole).owner) - 1;
    abi::Cursor cursor{};
    Run probe(cursor, nullptr);
    return owner < count(m, user(whole)) && can_step(m, whole, owner, probe);
  }

  static std::uint32_t sealed_by(const Whole& whole) {
    if constexpr (kSeals) return sealable(whole).owner;
    else return 0;
  }

  static void threw(Run& run) {
    try {
      throw;
    } catch (const std::exception& e) {
      run.fail("exception", {"", "", 0}, e.what());
    } catch (...) {
      run.fail("exception", {"", "", 0}, "an exception that is not a std::exception");
    }
  }

  static bool initial(void* m, std::uint32_t* words, abi::Detail* detail) {
    abi::Cursor cursor{};
    Run run(cursor, detail);
    run.begin(0, 0);
    try {
      Whole whole{};
      user(whole) = model(m).initial();
      check_state(model(m), user(whole), run);
      if constexpr (kLives) look_ahead(model(m), whole, run);
      if constexpr (kAtEnd) check_end(model(m), whole, run);
      Pack::pack(whole, words);
    } catch (...) {
      threw(run);
    }
    keep_reached(run);
    return (run.flags & abi::kFailed) == 0;
  }

  static void expand(void* m, const std::uint32_t* state, abi::Expansion* out) {
    Whole from;
    Pack::unpack(state, from);
    out->count = out->value_count = out->blocked = out->cut = 0;
    Run run(out->cursor, nullptr);
    int p = 0;
    try {
      const int n = count(model(m), user(from), run);
      const std::uint32_t only = sealed_by(from);
      for (; p < n; ++p) {
        if (only != 0 && static_cast<int>(only) != p + 1) continue;
        expand_process(model(m), from, p, run, out);
        if (out->cut != 0) [[unlikely]] break;
      }
    } catch (...) {
      run.flags = abi::kFailed;  // `take` reports how
      emit(from, state, p, run, out);
    }
    keep_reached(run);
    out->cursor.running = 0;
  }

  static void expand_process(Model& m, const Whole& from, int p, Run& run, abi::Expansion* out) {
    std::uint32_t given = 0;
    while (true) {
      Whole to = from;
      run.begin(p, given);
      step(m, to, p, run);
      if (run.status != Status::kMoved) {
        if (run.status == Status::kBlocked) ++out->blocked;
        return;
      }
      emit(run.undone ? from : to, nullptr, p, run, out);
      if (run.cursor.made == 0 || out->cut != 0) [[likely]] return;
      std::uint32_t last = run.cursor.made;
      while (last > 0 && run.cursor.values[last - 1] + 1 == run.cursor.arities[last - 1]) --last;
      if (last == 0) return;
      ++run.cursor.values[last - 1];
      given = last;
    }
  }

  static void emit(const Whole& to, const std::uint32_t* raw, int p, const Run& run, abi::Expansion* out) {
    if (out->count == out->capacity || out->value_count + abi::kMaxValues > out->value_capacity) [[unlikely]] out->grow(out);
    if (out->cut != 0) [[unlikely]] return;
    std::uint32_t* words = out->words + static_cast<std::size_t>(out->count) * Pack::kWords;
    if (raw != nullptr) std::memcpy(words, raw, Pack::kWords * sizeof(std::uint32_t));
    else Pack::pack(to, words);
    const std::uint32_t made = run.cursor.made;
    out->successors[out->count++] = {static_cast<std::uint32_t>(p), run.flags, out->value_count, made, marks(run), {}};
    if (made != 0) {
      std::memcpy(out->values + out->value_count, run.cursor.values, made * sizeof(std::uint32_t));
      out->value_count += made;
    }
  }

  static void survey(void* m, const std::uint32_t* state, abi::Survey* out, abi::Cursor* cursor) {
    Whole from;
    Pack::unpack(state, from);
    constexpr int kLongs = (max_processes() + 63) / 64;
    std::uint64_t open[kLongs] = {}, alive[kLongs] = {}, idle[kLongs] = {};
    Run run(*cursor, nullptr);
    int n = 0;
    try {
      n = count(model(m), user(from), run);
    } catch (...) {
      open[0] = alive[0] = 1;  // `take` reports what is wrong
    }
    for (int p = 0; p < n; ++p) {
      const std::uint64_t bit = std::uint64_t{1} << (p % 64);
      if (can_step(model(m), from, p, run)) open[p / 64] |= bit;
      if (run.status != Status::kEnded) alive[p / 64] |= bit;
      if (run.status == Status::kIdle) idle[p / 64] |= bit;
    }
    std::memcpy(out->open, open, sizeof(open));
    std::memcpy(out->alive, alive, sizeof(alive));
    std::memcpy(out->idle, idle, sizeof(idle));
    out->sealed_by = sealed_by(from);
    cursor->running = 0;
  }

  static void take(void* m, const std::uint32_t* state, std::uint32_t process, const std::uint32_t* values, std::uint32_t given,
                   abi::Taken* out, abi::Detail* detail) {
    Whole whole;
    Pack::unpack(state, whole);
    Run run(out->cursor, detail);
    run.asks_for_values = true;
    run.begin(static_cast<int>(process), given);
    out->outcome = abi::Outcome::kMoved;
    for (std::uint32_t i = 0; i < given; ++i) out->cursor.values[i] = values[i];
    try {
      if (static_cast<int>(process) >= count(model(m), user(whole))) run.status = Status::kEnded;
      else step(model(m), whole, static_cast<int>(process), run);
      if (run.status != Status::kMoved) out->outcome = abi::Outcome::kNotOpen;
      if (run.needs_value) {
        out->outcome = abi::Outcome::kNeedsValue;
        out->arity = out->cursor.arities[given];
      }
      if (out->outcome == abi::Outcome::kMoved && !run.undone) Pack::pack(whole, out->words);
      else if (run.undone) std::memcpy(out->words, state, Pack::kWords * sizeof(std::uint32_t));
    } catch (...) {
      if (run.needs_value) {
        out->outcome = abi::Outcome::kNeedsValue;  // values are chosen one after the other, up to the exception
        out->arity = out->cursor.arities[given];
      } else {
        threw(run);
        std::memcpy(out->words, state, Pack::kWords * sizeof(std::uint32_t));
      }
    }
    keep_reached(run);
    out->flags = run.flags;
    out->marks = marks(run);
    out->resolved = {};
    out->sent_count = run.sent_count;
    out->order_count = run.order_count;
    std::memcpy(out->sent, run.sent, run.sent_count * sizeof(run.sent[0]));
    std::memcpy(static_cast<void*>(out->order), run.order, run.order_count * sizeof(run.order[0]));
    out->cursor.running = 0;
  }

  static abi::Marks marks(const Run& run) { return {run.shown.hot << first_property() | (run.accepting ? 1u : 0u), run.shown.cold << first_property()}; }

  static void properties([[maybe_unused]] void* m, abi::Detail* detail) {
    if (some_accepts) tell_property(detail, "accepting", "accepting steps are taken again and again");
    if constexpr (kLives) {
      try {
        const State first = model(m).initial();
        Liveness live(0, detail);
        model(m).liveness(first, live);
      } catch (...) {  // `initial` reports it
      }
    }
  }
  static void tell_property(abi::Detail* detail, const std::string& name, const std::string& owed) {
    detail->text(detail->self, abi::Text::kPropertyName, name.data(), name.size());
    detail->text(detail->self, abi::Text::kPropertyOwed, owed.data(), owed.size());
  }

  struct DescribeField {
    abi::Detail* detail;
    template <class Type>
    void operator()(std::string_view name, const Type& value) const {
      const std::string text = to_text(value);
      detail->text(detail->self, abi::Text::kFieldName, name.data(), name.size());
      detail->text(detail->self, abi::Text::kFieldValue, text.data(), text.size());
    }
  };

  static void describe(void* /*m*/, const std::uint32_t* state, abi::Detail* detail) {
    Whole whole;
    Pack::unpack(state, whole);
    DescribeField field{detail};
    if constexpr (HasFields<State>) user(whole).tarry_fields(field);
    else {
      std::string bytes;
      for (std::size_t i = 0; i < sizeof(State); ++i) {
        static constexpr char kHex[] = "0123456789abcdef";
        const auto byte = reinterpret_cast<const unsigned char*>(&user(whole))[i];
        (bytes += kHex[byte >> 4]) += kHex[byte & 15];
      }
      field("state", bytes);
    }
    if constexpr (kSeals)
      if (sealable(whole).depth != 0) field("sealed by process", static_cast<std::uint32_t>(sealable(whole).owner) - 1);
  }

  static void process_name(void* m, std::uint32_t process, abi::Detail* detail) {
    std::string name = "process " + std::to_string(process);
    try {
      if constexpr (HasProcessName<Model>) name = model(m).process_name(static_cast<int>(process));
    } catch (...) {  // a name that cannot be computed is no finding
    }
    detail->text(detail->self, abi::Text::kProcessName, name.data(), name.size());
  }
};

/// Returns the table of the model's functions, or an empty table if the model breaks a rule. TARRY_MODEL then reports the error.
template <class Model>
constexpr abi::Model table_of(const char* name, const char* source) {
  if constexpr (kFault<Model> == Fault::kNone) {
    static_assert(names_every_field<ByCount, typename Model::State>());
    return Adapter<Model>::table(name, source);
  } else {
    return {};
  }
}

}  // namespace tarry::detail
