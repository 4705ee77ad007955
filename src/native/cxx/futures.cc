// In libstdc++.so, a function makes a promise ready when its thread ends (set_value_at_thread_exit), and another one stores into
// it. Both are repeated here. They run after the destructors of thread_local objects, by a key. The main thread has no such key
// and runs them with the static objects.
#include <pthread.h>

#include <future>
#include <memory>

namespace {

void run_all(void* raw) {
  for (auto* next = static_cast<std::__at_thread_exit_elt*>(raw); next != nullptr;) {
    auto* const now = next;
    next = now->_M_next;  // the object may be gone after the call
    now->_M_cb(now);
  }
}

struct Key {
  pthread_key_t number;
  Key() { pthread_key_create(&number, run_all); }
  ~Key() {
    run_all(pthread_getspecific(number));
    pthread_setspecific(number, nullptr);
  }
};
Key g_key;  // created before any thread

}  // namespace

namespace std {

void __future_base::_State_baseV2::_Make_ready::_S_run(void* raw) {
  const unique_ptr<_Make_ready> self(static_cast<_Make_ready*>(raw));
  if (const auto state = self->_M_shared_state.lock()) state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  _M_cb = &_Make_ready::_S_run;
  _M_next = static_cast<__at_thread_exit_elt*>(pthread_getspecific(g_key.number));
  pthread_setspecific(g_key.number, this);
}

}  // namespace std
