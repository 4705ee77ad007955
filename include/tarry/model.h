// Tarry's C++ models: a transition system as a plain struct.
//
//   #include <tarry/model.h>
//
//   struct Counter {
//     struct State {
//       tarry::Upto<3> pc[2];
//       tarry::Upto<2> copy[2];
//       tarry::Upto<2> total;
//       TARRY_FIELDS(pc, copy, total)
//     };
//     static constexpr int processes = 2;
//
//     State initial() { return {}; }
//
//     void step(State& s, int p, tarry::Run& run) {      // one atomic step of process p
//       switch (s.pc[p]++) {
//         case 0: s.copy[p] = s.total; return run.label("reads {}", s.total);
//         case 1: s.total = s.copy[p] + 1; return run.label("writes {}", s.total);
//         default: return run.ended();                   // undoes what was done to s
//       }
//     }
//     void at_end(const State& s, tarry::Run& run) { run.expect(s.total == 2, "an update was lost: total is {}", s.total); }
//   };
//   TARRY_MODEL(Counter)
//
// A model has these parts:
//   struct State                                   trivially copyable; TARRY_FIELDS names its fields (see <tarry/values.h>)
//   State initial()
//   static constexpr int processes = N;            or, if the number changes: static constexpr int max_processes = N;
//                                                  int processes(const State&), the number of places in use
//   void step(State&, int p, tarry::Run&)          what process p does next, or why it cannot
// It may have these parts. A part with another signature is a compile error that shows the right one.
//   void invariant(const State&, tarry::Run&)      checks every state with run.expect(...)
//   void at_end(const State&, tarry::Run&)         checks states in which no process can run any more
//   void labels(const State&, tarry::Labels&)      labels for --ltl "G (asked -> F granted)": labels.add("asked", s.asked)
//   void liveness(const State&, tarry::Liveness&)  liveness properties: live.leads_to("requests are granted", s.asked, s.granted)
//   std::string process_name(int p)
//   static constexpr bool uses_seals = true;       allows run.seal() and run.unseal()
//
// Duties: step depends on the state, the process and the chosen values only. It keeps no memory of its own, reads no clock and
// draws no random numbers. Tarry takes some steps twice to check this, and reports `nondeterminism`.
#pragma once

#include <cstring>
#include <string>

#include <tarry/detail/text.h>
#include <tarry/model_abi.h>
#include <tarry/values.h>

namespace tarry {

/// A message with the file and line of the call.
struct Message {
  // NOLINTNEXTLINE(google-explicit-constructor): written as a plain string
  constexpr Message(const char* words, const char* in_file = __builtin_FILE(), unsigned at_line = __builtin_LINE())
      : text(words), file(in_file), line(at_line) {}
  const char* text;
  const char* file;
  unsigned line;
};

namespace detail {
template <class Model>
class Adapter;

/// True if the object holds a model that calls run.accepts(). `used` exists, and sets it, if such a call is compiled.
inline bool some_accepts = false;
template <int>
struct Accepting {
  static inline const bool used = some_accepts = true;
};
}  // namespace detail

/// The interface between a step and Tarry. There is one object per step; do not keep or copy it. Leave out the arguments `file`
/// and `line`: they default to the caller's.
class Run {
 public:
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Say why the process takes no step. Tarry undoes what was done to the state. Not allowed after a choose(). A step whose
  // expectation fails counts as a step, and fails, even if it makes one of these calls.
  void blocked(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { stop(Status::kBlocked, {"blocked() after a choose() in the same step", file, line}); }  ///< waits; waiting for ever is a deadlock
  void idle(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { stop(Status::kIdle, {"idle() after a choose() in the same step", file, line}); }  ///< waits, and may wait for ever, as servers do
  void ended(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { stop(Status::kEnded, {"ended() after a choose() in the same step", file, line}); }  ///< has ended, or was not created yet

  /// Makes a data choice. Returns a value from 0 to n-1. Tarry explores every value, 0 first. Requires: n > 0.
  std::uint32_t choose(std::uint32_t n, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE());
  bool flip(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { return choose(2, file, line) != 0; }

  /// Checks a property. If it is false, the step is a finding of kind `assertion` with this message.
  template <class... Args>
  void expect(bool holds, Message message, const Args&... args) {
    reached |= place;
    if (!holds) [[unlikely]] fail("assertion", message, detail == nullptr ? std::string() : detail::format(message.text, args...));
  }

  /// Sets the text of this step in traces.
  template <class... Args>
  void label(const char* pattern, const Args&... args) {
    if (detail != nullptr) [[unlikely]] text(abi::Text::kLabel, detail::format(pattern, args...));
  }

  // Marks tell searches and explorers about the step.
  void sends(int receiver, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {  ///< a message to that process; run-to-completion runs it next
    if (is_check()) return misuse({"sends() is for 'step': a check only expects", file, line});
    if (sent_count == abi::kMaxMarks) return misuse({"more than 64 sends in one step", file, line});
    if (receiver < 0) return misuse({"sends() to a process of a negative number", file, line});
    sent[sent_count++] = static_cast<std::uint32_t>(receiver);
  }
  void yields(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {  ///< this process cannot make progress by itself
    if (is_check()) return misuse({"yields() is for 'step': a check only expects", file, line});
    flags |= abi::kYielded;
  }
  /// Marks the step as accepting: an execution with infinitely many accepting steps is a bug. A template, so that a model without
  /// such calls does not have the property.
  template <int kCalled = 0>
  void accepts(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if (is_check()) return misuse({"accepts() is for 'step': a check only expects", file, line});
    accepting = detail::Accepting<kCalled>::used;
  }
  void moves_first(int process, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { reorder(process, abi::Order::kFirst, file, line); }  ///< for the `priority` explorer
  void moves_last(int process, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { reorder(process, abi::Order::kLast, file, line); }
  /// Seals: from the end of this step on, no other process runs, in any search, until unseal() or until this process cannot run
  /// (which releases the seal). Seals nest. Only for models with `uses_seals`.
  void seal(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if (is_check()) return misuse({"seal() is for 'step': a check only expects", file, line});
    ++sealed, seal_place = {"", file, line};
  }
  void unseal(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    if (is_check()) return misuse({"unseal() is for 'step': a check only expects", file, line});
    least_sealed = --sealed < least_sealed ? sealed : least_sealed;
    seal_place = {"", file, line};
  }

 private:
  template <class Model>
  friend class detail::Adapter;
  enum class Status : std::uint8_t { kMoved, kBlocked, kIdle, kEnded };

  Run(abi::Cursor& where, abi::Detail* listener) : detail(listener), cursor(where) {}

  void begin(int process, std::uint32_t values_given) {
    status = Status::kMoved;
    flags = sent_count = order_count = 0;
    accepting = false;
    shown = {};
    sealed = least_sealed = 0;
    needs_value = undone = false;
    place = abi::kInStep;
    given = values_given;
    cursor.made = 0;
    cursor.running = static_cast<std::uint32_t>(process) + 1;
  }
  void stop(Status why, Message where) {
    if (is_check()) return misuse({"blocked(), idle() and ended() are for 'step': a check only expects", where.file, where.line});
    if (cursor.made != 0) return misuse(where);
    if (status != Status::kMoved && status != why) return misuse({"blocked(), idle() and ended() exclude each other: a step says at most one of them", where.file, where.line});
    status = why;
  }
  bool is_check() const { return place != abi::kInStep; }
  void reorder(int process, abi::Order to, const char* file, unsigned line) {
    if (is_check()) return misuse({"moves_first() and moves_last() are for 'step': a check only expects", file, line});
    if (order_count == abi::kMaxMarks) return misuse({"more than 64 order changes in one step", file, line});
    if (process < 0) return misuse({"an order change of a process of a negative number", file, line});
    order[order_count++] = {static_cast<std::uint32_t>(process), to};
  }
  void misuse(Message message) { fail("misuse", message, message.text); }
  void misuse_of_seals(const char* words) { misuse({words, seal_place.file, seal_place.line}); }
  void fail(const char* kind, Message message, const std::string& words) {
    if ((flags & abi::kFailed) != 0) return;
    flags |= abi::kFailed;
    if (detail == nullptr) return;
    text(abi::Text::kKind, kind);
    text(abi::Text::kMessage, words);
    text(abi::Text::kFile, message.file);
    detail->line(detail->self, message.line);
  }
  void text(abi::Text what, const std::string& words) { detail->text(detail->self, what, words.data(), words.size()); }

  abi::Detail* detail;
  abi::Cursor& cursor;
  Status status = Status::kMoved;
  bool asks_for_values = false;  // a choice beyond the given values ends the step, which is then taken again with one more value
  bool needs_value = false;
  bool accepting = false;
  abi::Marks shown{};  // marks of the properties that `liveness` names
  bool undone = false;  // the step failed and also blocked, idled or ended: it leaves the state unchanged
  int sealed = 0, least_sealed = 0;
  std::uint32_t place = abi::kInStep;  // the function that runs now: abi::Check
  std::uint32_t reached = 0;           // the functions whose expectations were reached
  Message seal_place = "";
  std::uint32_t given = 0;  // the number of given values of the cursor; later choices take 0
  std::uint32_t flags = 0;
  std::uint32_t sent_count = 0;
  std::uint32_t order_count = 0;
  std::uint32_t sent[abi::kMaxMarks];
  abi::OrderChange order[abi::kMaxMarks];
};

inline std::uint32_t Run::choose(std::uint32_t n, const char* file, unsigned line) {
  if (n == 0 || is_check()) [[unlikely]] {
    fail("misuse", {"", file, line}, is_check() ? "choose() is for 'step': a check only expects" : "choose(0): there is nothing to choose from");
    return 0;
  }
  if (static_cast<std::int32_t>(n) < 0) [[unlikely]] {
    fail("misuse", {"", file, line}, detail::format("choose({}): a number of values is not negative", static_cast<std::int32_t>(n)));
    return 0;
  }
  if (n > abi::kMaxArity || cursor.made == abi::kMaxValues) [[unlikely]] {  // the model may; Tarry cannot
    fail("limit", {"", file, line}, n > abi::kMaxArity ? "a choice of more than 65,535 values" : "more than 32 choices in one step");
    return 0;
  }
  const std::uint32_t at = cursor.made++;
  cursor.arities[at] = n;
  if (at >= given) {
    cursor.values[at] = 0;
    needs_value = asks_for_values;
  }
  return cursor.values[at];
}

/// Hashes a text, eight characters at a time.
namespace detail {
inline std::uint64_t number_of_text(const char* text) {
  std::uint64_t out = 0;
  for (std::size_t left = std::strlen(text); left > 0;) {
    std::uint64_t letters = 0;
    const std::size_t part = left < sizeof(letters) ? left : sizeof(letters);
    std::memcpy(&letters, text, part);
    out = (out ^ letters) * 0xff51afd7ed558ccdu;
    out ^= out >> 32;
    text += part;
    left -= part;
  }
  return out;
}
}  // namespace detail

namespace detail {
/// Notices a name that is given twice, while the names are not known yet. Keeps no pointer: a name need not outlive its call.
class GivenOnce {
 public:
  explicit GivenOnce(bool looks) : looks_(looks) {}
  void see(const char* name, std::uint64_t number) {
    if (!looks_) [[likely]] return;
    for (std::uint32_t i = 0; i < count_ && twice_.empty(); ++i)
      if (numbers_[i] == number) twice_ = name;
    if (count_ < 32) numbers_[count_++] = number;
  }
  const std::string& twice() const { return twice_; }  // empty: none

 private:
  bool looks_;
  std::uint32_t count_ = 0;
  std::uint64_t numbers_[32];
  std::string twice_;
};
}  // namespace detail

/// Names facts about a state, for formulas (`--ltl`). Tarry calls a model's `labels` in every state. It must give the same names
/// in the same order each time, each once, at most 32. A name consists of letters, digits, '_' and '.'.
class Labels {
 public:
  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;

  void add(const char* name, bool holds) {
    if (detail != nullptr) [[unlikely]] detail->text(detail->self, abi::Text::kLabelName, name, std::strlen(name));
    const std::uint64_t number = ::tarry::detail::number_of_text(name);
    names = (names ^ number) * 0x9e3779b97f4a7c15u;
    bits |= std::uint32_t{holds} << (count % 32);
    given.see(name, number);
    ++count;
  }

 private:
  template <class Model>
  friend class detail::Adapter;
  static constexpr std::uint32_t kMost = 32;

  Labels(abi::Detail* listener, bool first) : given(first), detail(listener) {}

  std::uint32_t bits = 0, count = 0;
  std::uint64_t names = 1;  // hash of the names in order; checks that they are the same in every state
  ::tarry::detail::GivenOnce given;
  abi::Detail* detail;
};

/// Names liveness properties. Tarry calls a model's `liveness` in every state. It must name the same properties in the same order
/// each time, each once, at most 16. What a property must remember becomes part of the state.
class Liveness {
 public:
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;

  /// Requires that `p` is true at some time in every execution.
  void eventually(const char* name, bool p) {
    const bool done = remembered() || p;
    add(Kind::kEventually, name, done, !done);
  }
  /// Requires that whenever `p` is true, `q` is true then or later.
  void leads_to(const char* name, bool p, bool q) {
    const bool open = (remembered() || p) && !q;
    add(Kind::kLeadsTo, name, open, open);
  }
  /// Requires that `p` is true infinitely often in every infinite execution, and true at the end of every finite one.
  void infinitely_often(const char* name, bool p) { add(Kind::kInfinitelyOften, name, false, !p); }

 private:
  template <class Model>
  friend class detail::Adapter;
  enum class Kind : std::uint8_t { kEventually = 1, kLeadsTo, kInfinitelyOften };
  static constexpr std::uint32_t kMost = 16;

  explicit Liveness(std::uint32_t remembers, abi::Detail* listener = nullptr, bool first = false) : before(remembers), given(first), detail(listener) {}

  bool remembered() const { return (before >> count & 1) != 0; }
  void add(Kind kind, const char* name, bool remember, bool open) {
    if (detail != nullptr) [[unlikely]] tell(kind, name);
    const std::uint64_t number = ::tarry::detail::number_of_text(name);
    names = (names ^ static_cast<std::uint64_t>(kind) ^ number) * 0x9e3779b97f4a7c15u;
    given.see(name, number);
    after |= std::uint32_t{remember} << (count % 32);
    hot |= std::uint32_t{open} << (count % 32);
    ++count;
  }
  void tell(Kind kind, const char* name) {
    const std::string quoted = std::string("'") + name + "'";
    const std::string owed = quoted + (kind == Kind::kEventually ? " never becomes true" : kind == Kind::kLeadsTo ? " is owed and never met" : " is true only finitely often");
    detail->text(detail->self, abi::Text::kPropertyName, quoted.data(), quoted.size());
    detail->text(detail->self, abi::Text::kPropertyOwed, owed.data(), owed.size());
  }
  std::uint32_t cold() const { return ~hot & ((std::uint32_t{1} << count) - 1); }

  std::uint32_t before, after = 0;  // what the properties remember, one bit each
  std::uint32_t hot = 0;            // the properties whose obligation is open
  std::uint32_t count = 0;
  ::tarry::detail::GivenOnce given;
  std::uint64_t names = 1;          // hash of the names and kinds in order; checks that they are the same in every state
  abi::Detail* detail;
};

}  // namespace tarry

#include <tarry/detail/adapter.h>

#include <tarry/detail/macros.h>
