// Code with a stack of its own that can stop anywhere and go on later, so that the interpreter may be a plain recursive walk.
//
// No exception may be on its way, and no catch block may be active, while a coroutine stops: the C++ runtime keeps those per
// thread.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>

namespace tarry::plang::reference {

class Coroutine {
 public:
  /// `body` starts with the first `resume`. It must not throw.
  explicit Coroutine(std::function<void()> body);
  /// Requires: the body has not started or has ended.
  ~Coroutine();
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;

  /// Runs the body until it stops or ends. Requires: it has not ended.
  void resume();
  /// Called by the body: back to the `resume` that it runs in.
  void stop();

  bool started() const { return started_; }
  bool ended() const { return ended_; }

 private:
  static void enter(unsigned high, unsigned low);
  void arrived(void* fake_stack);

  std::function<void()> body_;
  void* stack_;
  bool started_ = false;
  bool ended_ = false;
  ucontext_t inside_{}, outside_{};
  const void* outside_stack_ = nullptr;  // for AddressSanitizer
  std::size_t outside_size_ = 0;
};

}  // namespace tarry::plang::reference
