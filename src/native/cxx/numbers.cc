// istream >> number. The facet num_get reads the characters and writes the number. It is not instrumented: here it reads them through a buffer that gets each one
// from the buffer of the stream by instrumented calls, and it writes into a local variable, which instrumented code then copies to the target.
//
// By their symbols, as libstdc++ gives no way to specialize these functions; they win over the templates'.
#include <cxxabi.h>

#include <istream>
#include <limits>
#include <locale>
#include <streambuf>
#include <typeinfo>

namespace {

using std::ios_base;

/// Hands on the characters of another buffer, one by one, and keeps none.
template <class Char>
class Passing final : public std::basic_streambuf<Char> {
 public:
  Passing() : from_(nullptr) {}
  Passing(const Passing& other, std::basic_streambuf<Char>* from) : std::basic_streambuf<Char>(other), from_(from) {}

 private:
  using Int = typename std::basic_streambuf<Char>::int_type;
  Int underflow() override { return from_->sgetc(); }
  Int uflow() override { return from_->sbumpc(); }

  std::basic_streambuf<Char>* from_;
};

/// The buffer that others are copied from: the constructor without arguments asks for the global locale, which is a scheduling point. Made before any thread, never
/// destroyed.
template <class Char>
union Original {
  Passing<Char> buffer;
  Original() : buffer() {}
  ~Original() {}
};
Original<char> g_original;
Original<wchar_t> g_wide_original;
const Passing<char>& original(const std::istream&) { return g_original.buffer; }
const Passing<wchar_t>& original(const std::wistream&) { return g_wide_original.buffer; }

/// Access to a protected member.
template <class Char>
struct Facets : std::basic_ios<Char> {
  using std::basic_ios<Char>::_M_num_get;
  using std::basic_ios<Char>::_M_setstate;
};

/// Reads a number that the facet knows. A facet of the program's is instrumented, and gets what it gets without Tarry.
template <class Char, class Number>
void read(std::basic_istream<Char>& in, ios_base::iostate& state, Number& target) {
  const auto* const facet = in.*(&Facets<Char>::_M_num_get);
  if (facet == nullptr) std::__throw_bad_cast();
  using Standard = std::num_get<Char>;
  if (typeid(*facet) != typeid(Standard)) {
    facet->get(in, {}, in, state, target);
    return;
  }
  Number number;
  Passing<Char> passing(original(in), in.rdbuf());
  facet->get(&passing, {}, in, state, number);
  target = number;
}

/// The frame of an extraction. An exception becomes a state of the stream, unless the stream throws; a cancellation is passed on.
template <class Char, class Action>
std::basic_istream<Char>& extract(std::basic_istream<Char>& in, const Action& action) {
  if (const typename std::basic_istream<Char>::sentry ready(in, false); ready) {
    ios_base::iostate state = ios_base::goodbit;
    const auto bad = [&] { (in.*(&Facets<Char>::_M_setstate))(ios_base::badbit); };
    try {
      action(state);
    } catch (__cxxabiv1::__forced_unwind&) {
      bad();
      throw;
    } catch (...) {
      bad();
    }
    if (state != ios_base::goodbit) in.setstate(state);
  }
  return in;
}

template <class Char, class Number>
std::basic_istream<Char>& extract_number(std::basic_istream<Char>& in, Number& target) {
  return extract(in, [&](ios_base::iostate& state) { read(in, state, target); });
}

/// Numbers that the facet does not know are read as long; one that is too large becomes the largest.
template <class Char, class Number>
std::basic_istream<Char>& extract_short(std::basic_istream<Char>& in, Number& target) {
  return extract(in, [&](ios_base::iostate& state) {
    using Limits = std::numeric_limits<Number>;
    long number;
    read(in, state, number);
    if (number >= Limits::min() && number <= Limits::max()) {
      target = static_cast<Number>(number);
    } else {
      state |= ios_base::failbit;
      target = number < 0 ? Limits::min() : Limits::max();
    }
  });
}

}  // namespace

#define TARRY_EXTRACT(Type, Name, letters, how)                                                                                                              \
  extern "C" std::istream& tarry_extract_##Name(std::istream& in, Type& to) __asm__("_ZNSi" letters "RSiRT_");                                                \
  extern "C" std::istream& tarry_extract_##Name(std::istream& in, Type& to) { return how(in, to); }                                                           \
  extern "C" std::wistream& tarry_extract_wide_##Name(std::wistream& in, Type& to) __asm__("_ZNSt13basic_istreamIwSt11char_traitsIwEE" letters "RS2_RT_");    \
  extern "C" std::wistream& tarry_extract_wide_##Name(std::wistream& in, Type& to) { return how(in, to); }

TARRY_EXTRACT(unsigned short, unsigned_short, "10_M_extractItEE", extract_number)
TARRY_EXTRACT(unsigned int, unsigned_int, "10_M_extractIjEE", extract_number)
TARRY_EXTRACT(long, long, "10_M_extractIlEE", extract_number)
TARRY_EXTRACT(unsigned long, unsigned_long, "10_M_extractImEE", extract_number)
TARRY_EXTRACT(long long, long_long, "10_M_extractIxEE", extract_number)
TARRY_EXTRACT(unsigned long long, unsigned_long_long, "10_M_extractIyEE", extract_number)
TARRY_EXTRACT(bool, bool, "10_M_extractIbEE", extract_number)
TARRY_EXTRACT(float, float, "10_M_extractIfEE", extract_number)
TARRY_EXTRACT(double, double, "10_M_extractIdEE", extract_number)
TARRY_EXTRACT(long double, long_double, "10_M_extractIeEE", extract_number)
TARRY_EXTRACT(void*, pointer, "10_M_extractIPvEE", extract_number)
#undef TARRY_EXTRACT

#define TARRY_EXTRACT(Type, letter)                                                                                                          \
  extern "C" std::istream& tarry_extract_##Type(std::istream& in, Type& to) __asm__("_ZNSirsER" letter);                                     \
  extern "C" std::istream& tarry_extract_##Type(std::istream& in, Type& to) { return extract_short(in, to); }                                \
  extern "C" std::wistream& tarry_extract_wide_##Type(std::wistream& in, Type& to) __asm__("_ZNSt13basic_istreamIwSt11char_traitsIwEErsER" letter); \
  extern "C" std::wistream& tarry_extract_wide_##Type(std::wistream& in, Type& to) { return extract_short(in, to); }

TARRY_EXTRACT(short, "s")
TARRY_EXTRACT(int, "i")
