// What every output begins with: the constructor of std::ostream::sentry. Facets are not instrumented, and read the format of the stream: it is read here,
// ahead of them, so that changes by other threads are seen to matter. By its symbol, as libstdc++ gives no way to specialize it; it wins over the template's.
#include <ostream>

namespace {

struct Sentry {
  bool ok;
  std::ostream* stream;
};

void begin(Sentry* sentry, std::ostream& out) {
  asm volatile("" : : "r"(out.flags()), "r"(out.precision()));
  *sentry = {false, &out};
  if (out.tie() != nullptr && out.good()) out.tie()->flush();
  if (out.good()) sentry->ok = true;
  else if (out.bad()) out.setstate(std::ios_base::failbit);
}

}  // namespace

extern "C" void tarry_begin_output(Sentry* sentry, std::ostream& out) __asm__("_ZNSo6sentryC1ERSo");
extern "C" void tarry_begin_output(Sentry* sentry, std::ostream& out) { begin(sentry, out); }
extern "C" void tarry_begin_output_of_base(Sentry* sentry, std::ostream& out) __asm__("_ZNSo6sentryC2ERSo");
extern "C" void tarry_begin_output_of_base(Sentry* sentry, std::ostream& out) { begin(sentry, out); }
