// libtarry_cxx.so: the precompiled functions of libstdc++, again, with instrumentation.
//
// Strings, streams, and the internals of lists and trees are functions of libstdc++.so. No compiler option instruments them, so
// their accesses to the program's objects would be invisible. This library has the same functions. It is loaded before
// libstdc++.so in every instrumented program that uses libstdc++, so its functions are found first. It is compiled for the ABI of
// libstdc++, which has not changed since 2015, so one build works for all compilers.
//
// Not included: the facets of locales, whose caches libstdc++ fills with a harmless race of its own, and functions that a program
// cannot misuse (exceptions, the standard streams themselves, see rt/base/modules.h).
#include <string>

namespace std {

template class basic_string<char>;
template class basic_string<wchar_t>;

}  // namespace std
