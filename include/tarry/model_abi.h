// The border between a compiled model and Tarry: plain data and plain functions, so that a model built by another compiler
// or against an older header is recognised and refused instead of crashing.
//
// A model's object exports one symbol, `tarry_model_v1`, of type `tarry::abi::Model`. Everything here is filled in by the
// TARRY_MODEL macro of <tarry/model.h>; nobody writes it by hand.
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

/// What a successor is, beside its state.
enum Flag : std::uint32_t {
  kFailed = 1,   // a property failed or the step went wrong; `take` with a Detail says how
  kYielded = 4,  // the process declared that it cannot make progress by itself
};

/// What a transition shows of the liveness properties: bit i is property i. An infinite execution violates a property that it shows hot again and again
/// and cold only finitely often. A transition may show it hot and cold; then it was met on the way.
struct Marks {
  std::uint32_t hot;   // its obligation is open somewhere in the transition
  std::uint32_t cold;  // it is met somewhere in the transition
};

/// Who resolves the data choices of a transition: bit i is its i-th value. A value in neither is as the user says (`--choices`).
struct Resolved {
  std::uint32_t fair;     // always fairly: P's `$$`
  std::uint32_t demonic;  // always against the program: branches of an automaton
};

/// Where the model is right now. It outlives a crash, so that the engine can tell which step did it.
struct Cursor {
  std::uint32_t running;  // process + 1 while a step runs, else 0
  std::uint32_t made;     // data choices made so far in that step
  std::uint32_t values[kMaxValues];
  std::uint32_t arities[kMaxValues];
};

/// One way on from a state. Its words are `Expansion::words + index * Model::words`.
struct Successor {
  std::uint32_t process;
  std::uint32_t flags;
  std::uint32_t first_value;  // index into Expansion::values
  std::uint32_t value_count;
  Marks marks = {};
  Resolved resolved = {};
};

/// Every way on from one state, in ascending order of (process, data choices). Reused from call to call.
struct Expansion {
  std::uint32_t* words;
  Successor* successors;
  std::uint32_t* values;
  std::uint32_t count;
  std::uint32_t value_count;
  std::uint32_t capacity;
  std::uint32_t value_capacity;
  std::uint32_t blocked;  // processes that cannot run and must not wait for ever
  void (*grow)(Expansion*);  // makes room for at least one more successor and kMaxValues more values, or sets `cut`
  std::uint32_t cut;         // there are more ways on than there is room for: those that are listed are not all
  Cursor cursor;
};

/// What every process could do now: bit sets of (max_processes + 63) / 64 words each.
struct Survey {
  std::uint64_t* open;   // can run
  std::uint64_t* alive;  // created and not ended
  std::uint64_t* idle;   // waits, and may do so for ever
  std::uint32_t sealed_by;  // process + 1 of the owner of the seal, else 0
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
  std::uint32_t arity;  // kNeedsValue: how many values there are to choose from
  std::uint32_t flags;
  Marks marks;
  Resolved resolved;
  std::uint32_t sent_count;
  std::uint32_t order_count;
  std::uint32_t sent[kMaxMarks];  // receivers
  OrderChange order[kMaxMarks];
  Cursor cursor;
};

/// Receives text, for people. Calling it is never part of the fast path.
enum class Text : std::uint32_t { kLabel, kKind, kMessage, kFile, kFieldName, kFieldValue, kProcessName, kPropertyName, kPropertyOwed, kLabelName };
struct Detail {
  void* self;
  void (*text)(void* self, Text what, const char* data, std::size_t size);
  void (*line)(void* self, std::uint32_t line);
};

/// Where a model checks something.
enum Check : std::uint32_t {
  kInStep = 1,       // run.expect() in step
  kInInvariant = 2,  // in `invariant`
  kInAtEnd = 4,      // in `at_end`
  kAtEndAsked = 8,   // `at_end` was called, whether it expected something or not
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
  std::uint32_t checks;         // kInInvariant and kInAtEnd: the model has such a function
  void* (*create)();
  void (*destroy)(void* model);
  /// False when the model's constructor or initial() threw or broke an invariant; `detail` says how.
  bool (*initial)(void* model, std::uint32_t* words, Detail* detail);
  void (*expand)(void* model, const std::uint32_t* state, Expansion* out);
  void (*survey)(void* model, const std::uint32_t* state, Survey* out, Cursor* cursor);
  void (*take)(void* model, const std::uint32_t* state, std::uint32_t process, const std::uint32_t* values, std::uint32_t count,
               Taken* out, Detail* detail);
  void (*describe)(void* model, const std::uint32_t* state, Detail* detail);
  void (*process_name)(void* model, std::uint32_t process, Detail* detail);
  /// The checks that were come to by now, in all instances together: bits of Check.
  std::uint32_t (*reached)();
  /// The liveness properties: for each its name and what it owes, in the order of the bits of Marks.
  void (*properties)(void* model, Detail* detail);
  /// Bit i: an execution that ends in the state leaves property i unmet.
  std::uint32_t (*owed)(void* model, const std::uint32_t* state);
  /// What is true of the state, for formulas: bit i is the i-th label. `detail` (if not null) hears their names, in order, and what went wrong if the result is false. Null: the model
  /// has no labels.
  bool (*labels)(void* model, const std::uint32_t* state, std::uint32_t* bits, Detail* detail);
};

}  // namespace tarry::abi
