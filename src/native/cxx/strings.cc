// libtarry_cxx.so: what libstdc++ has compiled ready, once more, with instrumentation.
//
// Strings, streams, and the inner works of lists and trees are functions of libstdc++.so, which no compiler option reaches: what they do to the
// program's objects went unseen. The same functions are here, and are found first, as this library is loaded in front of libstdc++.so in every
// instrumented program that uses that. What it is compiled with is the ABI of libstdc++, which has not changed since 2015: one build does for
// all compilers.
//
// Not here: the facets of locales, whose caches libstdc++ fills with a race of its own that is harmless, and what no program can do wrong
// (exceptions, the standard streams themselves, see rt/modules.h).
#include <string>

namespace std {

template class basic_string<char>;
template class basic_string<wchar_t>;

}  // namespace std
