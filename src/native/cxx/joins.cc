// std::thread: in libstdc++.so, join and detach read which thread the object stands for, and clear it when they are done.
#include <cerrno>
#include <system_error>
#include <thread>

namespace {

/// Throws if an operation on a thread has failed.
void settle(int error) {
  if (error != 0) throw std::system_error(error, std::generic_category());
}

}  // namespace

namespace std {

void thread::join() {
  settle(joinable() ? __gthread_join(native_handle(), nullptr) : EINVAL);
  _M_id = id();
}

void thread::detach() {
  settle(joinable() ? __gthread_detach(native_handle()) : EINVAL);
  _M_id = id();
}

}  // namespace std
