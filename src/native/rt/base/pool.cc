#include "native/rt/base/pool.h"

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "native/rt/base/executable_stacks.h"
#include "native/rt/base/heap.h"
#include "native/rt/base/real.h"

namespace tarry::native::rt {
namespace {

constexpr std::size_t kStackSize = kLargestStack;

struct Start {
  Borrowed* borrowed;
  Body body;
  void* argument;
};

/// isalpha and the like read tables by thread-local pointers. glibc sets them when a thread begins, to those of the locale as it is then.
void take_locale() {
  using Function = void();
  static auto* const init = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, "__ctype_init"));
  if (init != nullptr) init();
}

void* begin(void* raw) {
  const Start start = *static_cast<Start*>(raw);
  park(&start.borrowed->parked, &start.borrowed->ready);
  take_locale();
  start.body(start.argument);  // on the controlling kernel thread, and never back
  __builtin_trap();
}

}  // namespace

std::size_t thread_record_size() {
  static const auto* const size = static_cast<const std::uint32_t*>(::dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  return size == nullptr ? 2368 : *size;
}

std::size_t static_tls_size() {
  using Get = void(std::size_t*, std::size_t*);
  static auto* const get = reinterpret_cast<Get*>(::dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info"));
  std::size_t size = 4096 + thread_record_size(), alignment = 64;
  if (get != nullptr) get(&size, &alignment);
  return size > thread_record_size() ? size - thread_record_size() : 0;
}

bool Pool::borrow(Borrowed& to, Body body, void* argument) {
  void* const stack = ::mmap(nullptr, kStackSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  if (::mprotect(static_cast<char*>(stack) + kGuardSize, kUsualStack, PROT_READ | PROT_WRITE | protection_of_code_on_stacks()) != 0) return false;
  to.stack = static_cast<char*>(stack);
  to.stack_size = kStackSize;
  to.ready = 0;
  to.parked = {};
  auto* const start = static_cast<Start*>(engine_heap::allocate(sizeof(Start)));
  *start = {&to, body, argument};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kStackSize);
  sigset_t all;
  std::memset(&all, 0xff, sizeof(all));
  pthread_attr_setsigmask_np(&attributes, &all);
  const int failed = TARRY_REAL(pthread_create)(&to.handle, &attributes, begin, start);
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    ::munmap(stack, kStackSize);
    return false;
  }
  while (__atomic_load_n(&to.ready, __ATOMIC_ACQUIRE) == 0) ::syscall(SYS_sched_yield);
  take_image(to);
  return true;
}

void Pool::take_image(Borrowed& borrowed) {
  borrowed.image_size = static_cast<std::size_t>(borrowed.stack + borrowed.stack_size - static_cast<char*>(borrowed.parked.stack));
  if (borrowed.image == nullptr) borrowed.image = static_cast<char*>(engine_heap::map(borrowed.image_size));
  std::memcpy(borrowed.image, borrowed.parked.stack, borrowed.image_size);
}

void Pool::rewind(const Borrowed& borrowed) {
  char* const from = static_cast<char*>(borrowed.parked.stack);
  std::memcpy(from, borrowed.image, borrowed.image_size);
  char* const page = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(from) & ~(Pages::kSize - 1));
  std::memset(page, 0, static_cast<std::size_t>(from - page));
}

}  // namespace tarry::native::rt
