#include "native/rt/base/main_baseline.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "native/rt/base/heap.h"
#include "native/rt/base/pages.h"
#include "native/rt/base/part.h"
#include "native/rt/base/pool.h"

namespace tarry::native::rt {
namespace {

constexpr std::size_t kWatched = 256 << 10;
constexpr std::size_t kMost = 64 << 20;

char* page_of(const void* address) { return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(Pages::kSize - 1)); }

}  // namespace

template struct RoomOf<MainBaseline>;

void MainBaseline::find_stack(char* here) {
  context_.thread = static_cast<std::uint64_t>(::pthread_self());
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &low, &size);
    stack_to_ = static_cast<char*>(low) + size;
    pthread_attr_destroy(&attributes);
  }
  // The pages below, so that they exist and are zero when they are watched; and some more, which are not: the kernel goes on from them if main's
  // stack grows further, and they have to be writable for that.
  char* const low = page_of(here) - kWatched - 4 * Pages::kSize;
  for (char* page = page_of(here) - Pages::kSize; page >= low; page -= Pages::kSize) *const_cast<volatile char*>(page) = 0;
}

void MainBaseline::take(const Context& context, Pages& pages) {
  context_ = context;
  stack_from_ = static_cast<char*>(context_.stack);
  stack_image_ = static_cast<char*>(engine_heap::map(stack_size()));
  std::memcpy(stack_image_, stack_from_, stack_size());
  char* const fs = reinterpret_cast<char*>(context_.thread);
  // In whole pages, which are not watched: the kernel may write to the record of the thread at any time.
  tls_from_ = page_of(fs - static_tls_size());
  tls_to_ = page_of(fs + thread_record_size() + Pages::kSize - 1);
  tls_image_ = static_cast<char*>(engine_heap::map(storage_size()));
  std::memcpy(tls_image_, tls_from_, storage_size());

  char* const top = page_of(stack_from_);
  std::memset(top - kWatched + Pages::kSize, 0, kWatched - Pages::kSize);
  pages.add(top - kWatched + Pages::kSize, top, Pages::Contents::kZero);
}

void MainBaseline::take_storage_again() { std::memcpy(tls_image_, tls_from_, storage_size()); }

void MainBaseline::reset() {
  std::memcpy(tls_from_, tls_image_, storage_size());
  std::memcpy(stack_from_, stack_image_, stack_size());
  char* const page = page_of(stack_from_);
  std::memset(page, 0, static_cast<std::size_t>(stack_from_ - page));
}

bool MainBaseline::has_on_stack(const char* address) const { return address >= stack_to_ - kMost && address < stack_to_; }

std::uintptr_t MainBaseline::stack_low() const { return reinterpret_cast<std::uintptr_t>(stack_to_ - kMost); }

std::uintptr_t MainBaseline::stack_base() const {
  constexpr std::size_t kAboveMain = 8 << 10;  // what called main is not far above the place from which it was taken over
  return reinterpret_cast<std::uintptr_t>(std::min(stack_to_, stack_from_ + kAboveMain));
}

}  // namespace tarry::native::rt
