// Streams of wchar_t. If libstdc++ has two versions of a function, for speed, this is the general one (input.h).
#include "native/cxx/streams.h"

#include "native/cxx/input.h"

namespace std {

template <>
wistream& getline(wistream& in, wstring& text, wchar_t delimiter) {
  return tarry_input::read_line(in, text, delimiter);
}
template <>
wistream& wistream::getline(wchar_t* text, streamsize room, wchar_t delimiter) {
  return tarry_input::read_line(*this, _M_gcount, text, room, delimiter);
}
template <>
wistream& wistream::ignore(streamsize most, int_type delimiter) {
  return tarry_input::skip(*this, _M_gcount, most, delimiter);
}
template <>
wistream& wistream::ignore(streamsize most) {
  return ignore(most, traits_type::eof());
}
template <>
streamsize __copy_streambufs_eof(wstreambuf* from, wstreambuf* to, bool& ended) {
  return tarry_input::copy_rest(from, to, ended);
}

TARRY_STREAMS(wchar_t)
template wistream& operator>>(wistream&, wstring&);
template void __istream_extract(wistream&, wchar_t*, streamsize);
template wostream& operator<<(wostream&, char);
template wostream& operator<<(wostream&, const char*);

}  // namespace std
