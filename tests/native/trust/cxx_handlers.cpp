// Handlers of the standard library, and numbers that it gives, are shared by all threads.
#include <cassert>
#include <exception>
#include <iostream>
#include <new>
#include <thread>

namespace {
void end() { std::abort(); }
void no_memory() { throw std::bad_alloc(); }
}  // namespace

int main(int count, char** arguments) {
  const char way = count > 1 ? arguments[1][0] : 't';
  const auto change = [way] {
    if (way == 't') std::set_terminate(end);
    if (way == 'n') std::set_new_handler(no_memory);
    if (way == 'x') std::ios_base::xalloc();
    if (way == 's') std::ios_base::sync_with_stdio(false);
  };
  const int next = std::ios_base::xalloc() + 1;
  const auto is_changed = [way, next] {
    if (way == 't') return std::get_terminate() == end;
    if (way == 'n') return std::get_new_handler() == no_memory;
    if (way == 's') return !std::ios_base::sync_with_stdio(true);
    return std::ios_base::xalloc() != next;
  };
#ifdef FIXED
  assert(!is_changed());
  std::thread thread(change);
  std::cout << "x";
#else
  std::thread thread(change);
  assert(!is_changed());
#endif
  thread.join();
}
