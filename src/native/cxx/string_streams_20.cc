// The functions of string streams since C++20: str() of copied and of moved contents, and view(). This file is compiled as C++20;
// the other files are C++17, in which the library has the older functions.
#include <sstream>

namespace std {

template class basic_stringbuf<char>;
template class basic_istringstream<char>;
template class basic_ostringstream<char>;
template class basic_stringstream<char>;
template class basic_stringbuf<wchar_t>;
template class basic_istringstream<wchar_t>;
template class basic_ostringstream<wchar_t>;
template class basic_stringstream<wchar_t>;

}  // namespace std
