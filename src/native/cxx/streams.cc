// Streams of char. Where libstdc++ has a special version that reads the buffer directly, this version asks the buffer for one
// character after the other, as the standard defines it.
#include "native/cxx/streams.h"

#include <cctype>
#include <limits>
#include <locale>

#include <cxxabi.h>

namespace std {
namespace {

using Traits = char_traits<char>;
constexpr int kEnd = Traits::eof();

/// Runs an action. Turns an exception of the buffer into a state of the stream, unless the stream throws; a cancellation is
/// passed on.
template <class Action>
void guarded(istream& in, const Action& action) {
  try {
    action();
  } catch (__cxxabiv1::__forced_unwind&) {
    in._M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    in._M_setstate(ios_base::badbit);
  }
}

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
  ios_base::iostate state = ios_base::goodbit;
  bool any = false;
  if (const istream::sentry ready(in, true); ready)
    guarded(in, [&] {
      text.erase();
      const int last = Traits::to_int_type(delimiter);
      int c = in.rdbuf()->sgetc();
      for (; c != kEnd && c != last && text.size() < text.max_size(); c = in.rdbuf()->snextc()) {
        text += Traits::to_char_type(c);
        any = true;
      }
      if (c == kEnd) {
        state |= ios_base::eofbit;
      } else if (c == last) {
        any = true;
        in.rdbuf()->sbumpc();
      } else {
        state |= ios_base::failbit;
      }
    });
  if (!any) state |= ios_base::failbit;
  if (state != ios_base::goodbit) in.setstate(state);
  return in;
}

template <>
istream& istream::getline(char* text, streamsize room, char delimiter) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::goodbit;
  if (const sentry ready(*this, true); ready)
    guarded(*this, [&] {
      const int last = Traits::to_int_type(delimiter);
      int c = rdbuf()->sgetc();
      while (_M_gcount + 1 < room && c != kEnd && c != last) {
        *text++ = Traits::to_char_type(c);
        ++_M_gcount;
        c = rdbuf()->snextc();
      }
      if (c == kEnd) {
        state |= ios_base::eofbit;
      } else if (c == last) {
        ++_M_gcount;
        rdbuf()->sbumpc();
      } else {
        state |= ios_base::failbit;
      }
    });
  if (room > 0) *text = '\0';
  if (_M_gcount == 0) state |= ios_base::failbit;
  if (state != ios_base::goodbit) setstate(state);
  return *this;
}

template <>
istream& istream::ignore(streamsize most, int_type delimiter) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::goodbit;
  if (const sentry ready(*this, true); ready && most > 0)
    guarded(*this, [&] {
      const bool endless = most == numeric_limits<streamsize>::max();
      while (endless || _M_gcount < most) {
        const int c = rdbuf()->sbumpc();
        if (c == kEnd) {
          state |= ios_base::eofbit;
          return;
        }
        if (_M_gcount < numeric_limits<streamsize>::max()) ++_M_gcount;
        if (c == delimiter) return;
      }
    });
  if (state != ios_base::goodbit) setstate(state);
  return *this;
}

template <>
istream& istream::ignore(streamsize most) {
  return ignore(most, kEnd);
}

TARRY_STREAMS(char)
template ostream& operator<<(ostream&, unsigned char);
template ostream& operator<<(ostream&, signed char);
template ostream& operator<<(ostream&, const unsigned char*);
template ostream& operator<<(ostream&, const signed char*);
template istream& operator>>(istream&, unsigned char&);
template istream& operator>>(istream&, signed char&);

}  // namespace std
