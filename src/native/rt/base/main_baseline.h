// Main's own thread as it was at the baseline: its stack, its thread-local storage, and where it goes on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "native/rt/base/context.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

class Pages;

class MainBaseline {
 public:
  /// Finds the stack of the calling thread, which is main's, and makes room below `here`.
  void find_stack(char* here);
  /// The first execution starts from here. The stack below becomes watched.
  void take(const Context& context, Pages& pages);
  /// What glibc has written to the thread's record since belongs to the baseline now.
  void take_storage_again();
  void reset();

  const Context& context() const { return context_; }
  std::uint64_t thread() const { return context_.thread; }
  bool has_on_stack(const char* address) const;
  /// What main has used of its stack lies between these.
  std::uintptr_t stack_low() const;
  std::uintptr_t stack_base() const;
  char* storage_from() const { return tls_from_; }
  char* storage_to() const { return tls_to_; }

 private:
  std::size_t storage_size() const { return static_cast<std::size_t>(tls_to_ - tls_from_); }
  std::size_t stack_size() const { return static_cast<std::size_t>(stack_to_ - stack_from_); }

  Context context_;
  char* stack_from_ = nullptr;
  char* stack_to_ = nullptr;
  char* stack_image_ = nullptr;
  char* tls_from_ = nullptr;
  char* tls_to_ = nullptr;
  char* tls_image_ = nullptr;
};

}  // namespace tarry::native::rt
