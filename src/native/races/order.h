// The happens-before order of an execution so far, as a signature of 128 bits: executions that differ only in the order of
// independent operations (the same Mazurkiewicz trace) have the same one, others differ.
//
// Every thread has the hash of its last operation and what led to it. An operation takes in the hash of its thread and that of
// the last write to its object; a join that of the thread that ended. The signature is the sum over the threads, kept up to date.
// Threads are told apart by how they were created, not by their numbers.
//
// That is enough. Two writes to an object are ordered by the chain of last writes. A read comes before a write or after it
// according to which write it took in, so a write need not know the reads before it; and reads commute, as they leave no mark on
// the object.
//
// Paper: Musuvathi, Qadeer. Partial-Order Reduction for Context-Bounded State Exploration. MSR-TR-2007-12 (happens-before
// caching, as in CHESS). How the hash is made is ours. Invariant: each step costs the same. Equal signatures by chance: two lanes
// of 64 bits with constants of their own, so about n^2 / 2^129 for n different orders.
#pragma once

#include <cstdint>

#include "core/execution.h"
#include "native/races/memory.h"

namespace tarry::native {

class Order {
 public:
  explicit Order(Memory& memory) : memory_(memory), threads_(memory) { reset(); }

  /// Before each execution. There is thread 0.
  void reset();

  /// A visible operation. Objects are named so that equal names mean equal objects in every execution: not by address. Operations
  /// on the same object are dependent unless both are not write-like. `detail` is what else it was: a value, a result.
  void step(std::uint32_t thread, std::uint32_t kind, std::uint64_t object, bool is_write_like, std::uint64_t detail = 0);
  /// Something that concerns the thread alone: a data choice.
  void local(std::uint32_t thread, std::uint32_t kind, std::uint64_t detail);
  /// It depends on everything that was done before, by whomever.
  void looked_at_all(std::uint32_t thread);
  void created(std::uint32_t parent, std::uint32_t child);
  /// Requires: `ended` takes no more steps.
  void joined(std::uint32_t joiner, std::uint32_t ended);

  const Signature& signature() const { return sum_; }

 private:
  struct Thread {
    std::uint32_t execution;
    Signature hash;
  };
  struct Object {
    std::uint64_t name;
    std::uint32_t execution;  // this is an empty place if it is not the current one
    Signature last_write;
  };

  Thread& thread(std::uint32_t number);
  void advance(Thread& thread, const Signature& hash);
  Object& object(std::uint64_t name);
  void grow();

  Memory& memory_;
  Shelf<Thread, 4> threads_;
  std::uint32_t thread_count_ = 0;
  Object* table_ = nullptr;
  unsigned bits_ = 0;
  std::uint64_t live_ = 0;  // objects of this execution
  std::uint32_t execution_ = 0;
  Signature sum_;
};

}  // namespace tarry::native
