#include "tests/support/p_reference/coroutine.h"

#include <sys/mman.h>

#include <cstdint>
#include <utility>

#include "base/assert.h"

#if defined(__SANITIZE_ADDRESS__)
#define TARRY_FIBERS_ARE_TOLD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TARRY_FIBERS_ARE_TOLD 1
#endif
#endif
#ifdef TARRY_FIBERS_ARE_TOLD
#include <sanitizer/common_interface_defs.h>
#endif

namespace tarry::plang::reference {

namespace {

constexpr std::size_t kStackBytes = std::size_t{16} << 20;  // only what is touched is real

#ifdef TARRY_FIBERS_ARE_TOLD
void leave(void** fake_stack, const void* stack, std::size_t size) { __sanitizer_start_switch_fiber(fake_stack, stack, size); }
void arrive(void* fake_stack, const void** stack, std::size_t* size) { __sanitizer_finish_switch_fiber(fake_stack, stack, size); }
#else
void leave(void** /*fake_stack*/, const void* /*stack*/, std::size_t /*size*/) {}
void arrive(void* /*fake_stack*/, const void** /*stack*/, std::size_t* /*size*/) {}
#endif

}  // namespace

Coroutine::Coroutine(std::function<void()> body)
    : body_(std::move(body)),
      stack_(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
  TARRY_ASSERT(stack_ != MAP_FAILED);
  TARRY_ASSERT(getcontext(&inside_) == 0);
  inside_.uc_stack.ss_sp = stack_;
  inside_.uc_stack.ss_size = kStackBytes;
  inside_.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&inside_, reinterpret_cast<void (*)()>(&Coroutine::enter), 2, static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
}

Coroutine::~Coroutine() {
  TARRY_ASSERT(!started_ || ended_);
  munmap(stack_, kStackBytes);
}

void Coroutine::resume() {
  TARRY_ASSERT(!ended_);
  started_ = true;
  void* fake_stack = nullptr;
  leave(&fake_stack, stack_, kStackBytes);
  swapcontext(&outside_, &inside_);
  arrive(fake_stack, nullptr, nullptr);
}

void Coroutine::stop() {
  void* fake_stack = nullptr;
  leave(ended_ ? nullptr : &fake_stack, outside_stack_, outside_size_);
  swapcontext(&inside_, &outside_);
  arrived(fake_stack);
}

void Coroutine::arrived(void* fake_stack) { arrive(fake_stack, &outside_stack_, &outside_size_); }

void Coroutine::enter(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Coroutine*>(static_cast<std::uintptr_t>(high) << 32 | low);
  self->arrived(nullptr);
  self->body_();
  self->ended_ = true;
  self->stop();
}

}  // namespace tarry::plang::reference
