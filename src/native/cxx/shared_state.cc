// Functions of libstdc++ that keep state of their own, which all threads share: the handlers of terminate and new, the numbers of xalloc, whether the streams
// are in step with those of C. The library is not instrumented there. Here every call is an atomic operation, too, on a variable that stands for the state.
#include <dlfcn.h>

#include <exception>
#include <ios>
#include <new>

namespace {

unsigned g_terminate, g_new, g_numbers, g_step;

void look(const unsigned& state) { (void)__atomic_load_n(&state, __ATOMIC_SEQ_CST); }
void change(unsigned& state) { __atomic_fetch_add(&state, 1, __ATOMIC_SEQ_CST); }

template <class Function>
Function* original(const char* symbol) { return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, symbol)); }

}  // namespace

std::terminate_handler std::set_terminate(std::terminate_handler handler) noexcept {
  auto* const real = original<std::terminate_handler(std::terminate_handler)>("_ZSt13set_terminatePFvvE");
  change(g_terminate);
  return real(handler);
}
std::terminate_handler std::get_terminate() noexcept {
  auto* const real = original<std::terminate_handler()>("_ZSt13get_terminatev");
  look(g_terminate);
  return real();
}
std::new_handler std::set_new_handler(std::new_handler handler) noexcept {
  auto* const real = original<std::new_handler(std::new_handler)>("_ZSt15set_new_handlerPFvvE");
  change(g_new);
  return real(handler);
}
std::new_handler std::get_new_handler() noexcept {
  auto* const real = original<std::new_handler()>("_ZSt15get_new_handlerv");
  look(g_new);
  return real();
}
int std::ios_base::xalloc() noexcept {
  auto* const real = original<int()>("_ZNSt8ios_base6xallocEv");
  change(g_numbers);
  return real();
}
bool std::ios_base::sync_with_stdio(bool sync) {
  auto* const real = original<bool(bool)>("_ZNSt8ios_base15sync_with_stdioEb");
  change(g_step);
  return real(sync);
}
