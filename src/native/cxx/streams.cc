// Streams of char. Functions that libstdc++ declares as specialized are defined here, by the general ones of input.h.
#include "native/cxx/streams.h"

#include <cctype>
#include <limits>
#include <locale>

#include "native/cxx/input.h"

namespace std {
namespace {

using tarry_input::guarded;
using Traits = char_traits<char>;
constexpr int kEnd = Traits::eof();

/// Reads a word, up to white space, at most `most` characters, and passes each to `keep`. Returns the number of characters.
template <class Keep>
streamsize read_word(istream& in, streamsize most, ios_base::iostate& state, const Keep& keep) {
  const auto& letters = use_facet<ctype<char>>(in.getloc());
  streamsize count = 0;
  int c = in.rdbuf()->sgetc();
  while (count < most && c != kEnd && !letters.is(ctype_base::space, Traits::to_char_type(c))) {
    keep(Traits::to_char_type(c));
    ++count;
    c = in.rdbuf()->snextc();
  }
  if (c == kEnd && count < most) state |= ios_base::eofbit;
  in.width(0);
  return count;
}

}  // namespace

template <>
istream& operator>>(istream& in, string& text) {
  ios_base::iostate state = ios_base::goodbit;
  streamsize count = 0;
  if (const istream::sentry ready(in, false); ready)
    guarded(in, [&] {
      text.erase();
      const streamsize width = in.width();
      const auto longest = static_cast<streamsize>(min(text.max_size(), static_cast<size_t>(numeric_limits<streamsize>::max())));
      count = read_word(in, width > 0 ? width : longest, state, [&](char c) { text += c; });
    });
  if (count == 0) state |= ios_base::failbit;
  if (state != ios_base::goodbit) in.setstate(state);
  return in;
}

/// Reads into an array of size `room`, with a terminating zero.
void __istream_extract(istream& in, char* text, streamsize room) {
  ios_base::iostate state = ios_base::goodbit;
  streamsize count = 0;
  if (const istream::sentry ready(in, false); ready)
    guarded(in, [&] {
      const streamsize width = in.width();
      char* to = text;
      count = read_word(in, (width > 0 && width < room ? width : room) - 1, state, [&](char c) { *to++ = c; });
      *to = '\0';
    });
  if (count == 0) state |= ios_base::failbit;
  if (state != ios_base::goodbit) in.setstate(state);
}

template <>
istream& getline(istream& in, string& text, char delimiter) {
  return tarry_input::read_line(in, text, delimiter);
}
template <>
istream& istream::getline(char* text, streamsize room, char delimiter) {
  return tarry_input::read_line(*this, _M_gcount, text, room, delimiter);
}
template <>
istream& istream::ignore(streamsize most, int_type delimiter) {
  return tarry_input::skip(*this, _M_gcount, most, delimiter);
}
template <>
istream& istream::ignore(streamsize most) {
  return ignore(most, kEnd);
}
template <>
streamsize __copy_streambufs_eof(streambuf* from, streambuf* to, bool& ended) {
  return tarry_input::copy_rest(from, to, ended);
}

TARRY_STREAMS(char)
template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const signed char*);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);

}  // namespace std
