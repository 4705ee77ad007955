// The happens-before order of an execution so far, as a signature of 128 bits. Executions that differ only in the order of
// independent operations (the same Mazurkiewicz trace) have the same signature; others differ.
//
// Every thread has the hash of its last operation and of what led to it. An operation includes the hash of its thread and that of
// the last write to its object; a join includes the hash of the thread that ended. The signature is the sum over all threads,
// updated at each operation. Threads are identified by how they were created, not by their numbers.
//
// This is enough. The chain of last writes orders two writes to an object. A read comes before or after a write according to the
// write that it includes, so a write need not know the reads before it. Reads commute, because they leave no mark on the object.
//
// Paper: Musuvathi, Qadeer. Partial-Order Reduction for Context-Bounded State Exploration. MSR-TR-2007-12 (happens-before
// caching, as in CHESS). The hash function is ours. Invariant: each step costs the same. Collisions: there are two lanes of 64
// bits with their own constants, so the probability is about n^2 / 2^129 for n different orders.
#pragma once

#include <cstdint>

#include "core/execution.h"
#include "native/races/memory.h"

namespace tarry::native {

class Order {
 public:
  explicit Order(Memory& memory) : memory_(memory), threads_(memory) { reset(); }

  /// Call it before each execution. Thread 0 exists.
  void reset();

  /// Records a visible operation. Equal names mean equal objects in every execution, so names are not addresses. Operations on
  /// the same object are dependent unless neither is write-like. `detail` is additional information: a value, a result.
  void step(std::uint32_t thread, std::uint32_t kind, std::uint64_t object, bool is_write_like, std::uint64_t detail = 0);
  /// Records an operation that concerns the thread alone: a data choice.
  void local(std::uint32_t thread, std::uint32_t kind, std::uint64_t detail);
  /// Records an operation that depends on all earlier operations of all threads.
  void looked_at_all(std::uint32_t thread);
  void created(std::uint32_t parent, std::uint32_t child);
  /// Records a join. Requires: `ended` takes no more steps.
  void joined(std::uint32_t joiner, std::uint32_t ended);

  const Signature& signature() const { return sum_; }

 private:
  struct Thread {
    std::uint32_t execution;
    Signature hash;
  };
  struct Object {
    std::uint64_t name;
    std::uint32_t execution;  // the place is empty unless this is the current execution
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
