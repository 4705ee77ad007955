// The interface between a compiled model and Tarry. It has plain data and plain functions only, so Tarry recognises and refuses a
// model built by another compiler or against an older header, instead of crashing.
//
// A model's object exports one symbol, `tarry_model_v1`, of type `tarry::abi::Model`. The TARRY_MODEL macro of <tarry/model.h>
// fills in everything here; do not write it by hand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::abi {

inline constexpr std::uint32_t kMagic = 0x59525254;  // "TRRY"
inline constexpr std::uint32_t kVersion = 4;
inline constexpr std::uint32_t kMaxValues = 32;      // data choices in one step
inline constexpr std::uint32_t kMaxArity = 65'535;   // values of one data choice
inline constexpr std::uint32_t kMaxMarks = 64;       // sends and order changes in one step
inline constexpr std::uint32_t kMaxProcesses = 4096;
inline constexpr std::uint32_t kMaxProperties = 32;  // liveness properties of one program

/// Flags of a successor.
enum Flag : std::uint32_t {
  kFailed = 1,   // a property failed or the step went wrong; `take` with a Detail reports how
  kYielded = 4,  // the process declared that it cannot make progress by itself
};

/// What a transition shows of the liveness properties: bit i is property i. An infinite execution violates a property that is hot
/// infinitely often and cold only finitely often. A transition may show a property both hot and cold; then the obligation was met
/// within the transition.
struct Marks {
  std::uint32_t hot;   // the obligation is open somewhere in the transition
  std::uint32_t cold;  // the obligation is met somewhere in the transition
};

/// How the data choices of a transition are resolved: bit i is its i-th value. `--choices` decides about a value in neither set.
struct Resolved {
  std::uint32_t fair;     // always fair: P's `$$`
  std::uint32_t demonic;  // always against the program: branches of an automaton
};

/// The step that the model runs now. The cursor survives a crash, so the engine can report the step that crashed.
struct Cursor {
  std::uint32_t running;  // process + 1 while a step runs, else 0
  std::uint32_t made;     // data choices made so far in that step
  std::uint32_t values[kMaxValues];
  std::uint32_t arities[kMaxValues];
};

/// One successor of a state. Its words are `Expansion::words + index * Model::words`.
struct Successor {
  std::uint32_t process;
  std::uint32_t flags;
  std::uint32_t first_value;  // index into Expansion::values
  std::uint32_t value_count;
  Marks marks = {};
  Resolved resolved = {};
};

/// All successors of one state, in ascending order of (process, data choices). Reused from call to call.
struct Expansion {
  std::uint32_t* words;
  Successor* successors;
  std::uint32_t* values;
  std::uint32_t count;
  std::uint32_t value_count;
  std::uint32_t capacity;
  std::uint32_t value_capacity;
  std::uint32_t blocked;  // the number of processes that cannot run and must not wait for ever
  void (*grow)(Expansion*);  // makes room for at least one more successor and kMaxValues more values, or sets `cut`
  std::uint32_t cut;         // the list is incomplete, because there are more successors than fit
  Cursor cursor;
};

/// What every process can do now: bit sets of (max_processes + 63) / 64 words each.
struct Survey {
  std::uint64_t* open;   // can run
  std::uint64_t* alive;  // created and not ended
  std::uint64_t* idle;   // waits, and may wait for ever
  std::uint32_t sealed_by;  // the owner of the seal, as process + 1, or 0
};

enum class Outcome : std::uint32_t { kMoved, kNeedsValue, kNotOpen };

enum class Order : std::uint32_t { kFirst, kLast };
struct OrderChange {
  std::uint32_t process;
  Order to;
};

/// What one step did.
struct Taken {
  std::uint32_t* words;  // in: room for the successor
  Outcome outcome;
  std::uint32_t arity;  // kNeedsValue: the number of values to choose from
  std::uint32_t flags;
  Marks marks;
  Resolved resolved;
  std::uint32_t sent_count;
  std::uint32_t order_count;
  std::uint32_t sent[kMaxMarks];  // receivers
  OrderChange order[kMaxMarks];
  Cursor cursor;
};

/// Receives text for people. It is never called on the fast path.
enum class Text : std::uint32_t { kLabel, kKind, kMessage, kFile, kFieldName, kFieldValue, kProcessName, kPropertyName, kPropertyOwed, kLabelName };
struct Detail {
  void* self;
  void (*text)(void* self, Text what, const char* data, std::size_t size);
  void (*line)(void* self, std::uint32_t line);
};

/// The places where a model checks something.
enum Check : std::uint32_t {
  kInStep = 1,       // run.expect() in step
  kInInvariant = 2,  // in `invariant`
  kInAtEnd = 4,      // in `at_end`
  kAtEndAsked = 8,   // `at_end` was called, even if it checked nothing
};

struct Model {
  std::uint32_t magic;
  std::uint32_t version;
  const char* name;
  const char* source;           // the file that was compiled
  std::uint32_t words;          // 32-bit words of a packed state
  std::uint32_t bits;           // significant bits of it
  std::uint32_t max_processes;
  std::uint32_t uses_seals;
  std::uint32_t checks;         // kInInvariant and kInAtEnd: the model has this function
  void* (*create)();
  void (*destroy)(void* model);
  /// Writes the initial state to `words`. Returns false if the model's constructor or initial() threw or broke an invariant;
  /// `detail` receives the reason.
  bool (*initial)(void* model, std::uint32_t* words, Detail* detail);
  void (*expand)(void* model, const std::uint32_t* state, Expansion* out);
  void (*survey)(void* model, const std::uint32_t* state, Survey* out, Cursor* cursor);
  void (*take)(void* model, const std::uint32_t* state, std::uint32_t process, const std::uint32_t* values, std::uint32_t count,
               Taken* out, Detail* detail);
  void (*describe)(void* model, const std::uint32_t* state, Detail* detail);
  void (*process_name)(void* model, std::uint32_t process, Detail* detail);
  /// Returns the checks that were reached so far, in all instances together: bits of Check.
  std::uint32_t (*reached)();
  /// Reports, for each liveness property, its name and its obligation, in the order of the bits of Marks.
  void (*properties)(void* model, Detail* detail);
  /// Returns the properties that an execution leaves unmet if it ends in the state: bit i is property i.
  std::uint32_t (*owed)(void* model, const std::uint32_t* state);
  /// Computes the labels that are true in the state: bit i is the i-th label. If `detail` is not null, it receives the names in
  /// order, and the reason if the result is false. Null if the model has no labels.
  bool (*labels)(void* model, const std::uint32_t* state, std::uint32_t* bits, Detail* detail);
};

}  // namespace tarry::abi
