// Input of texts, for both character types. Where libstdc++ has special versions that read the buffer directly, these ask the buffer for one character after the
// other, as the standard defines it.
#pragma once

#include <cxxabi.h>

#include <istream>
#include <limits>
#include <locale>
#include <streambuf>
#include <string>

namespace std::tarry_input {

/// Runs an action. Turns an exception of the buffer into a state of the stream, unless the stream throws; a cancellation is
/// passed on.
template <class Char, class Action>
void guarded(basic_istream<Char>& in, const Action& action) {
  try {
    action();
  } catch (__cxxabiv1::__forced_unwind&) {
    in._M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    in._M_setstate(ios_base::badbit);
  }
}

/// std::getline of a string.
template <class Char>
basic_istream<Char>& read_line(basic_istream<Char>& in, basic_string<Char>& text, Char delimiter) {
  using Traits = char_traits<Char>;
  ios_base::iostate state = ios_base::goodbit;
  bool any = false;
  if (const typename basic_istream<Char>::sentry ready(in, true); ready)
    guarded(in, [&] {
      text.erase();
      const auto end = Traits::eof(), last = Traits::to_int_type(delimiter);
      auto c = in.rdbuf()->sgetc();
      for (; c != end && c != last && text.size() < text.max_size(); c = in.rdbuf()->snextc()) {
        text += Traits::to_char_type(c);
        any = true;
      }
      if (c == end) {
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

/// istream::getline. `count`: the stream's count of the characters that it read last.
template <class Char>
basic_istream<Char>& read_line(basic_istream<Char>& in, streamsize& count, Char* text, streamsize room, Char delimiter) {
  using Traits = char_traits<Char>;
  count = 0;
  ios_base::iostate state = ios_base::goodbit;
  if (const typename basic_istream<Char>::sentry ready(in, true); ready)
    guarded(in, [&] {
      const auto end = Traits::eof(), last = Traits::to_int_type(delimiter);
      auto c = in.rdbuf()->sgetc();
      while (count + 1 < room && c != end && c != last) {
        *text++ = Traits::to_char_type(c);
        ++count;
        c = in.rdbuf()->snextc();
      }
      if (c == end) {
        state |= ios_base::eofbit;
      } else if (c == last) {
        ++count;
        in.rdbuf()->sbumpc();
      } else {
        state |= ios_base::failbit;
      }
    });
  if (room > 0) *text = Char();
  if (count == 0) state |= ios_base::failbit;
  if (state != ios_base::goodbit) in.setstate(state);
  return in;
}

/// istream::ignore, with the same count.
template <class Char>
basic_istream<Char>& skip(basic_istream<Char>& in, streamsize& count, streamsize most, typename char_traits<Char>::int_type delimiter) {
  count = 0;
  ios_base::iostate state = ios_base::goodbit;
  if (const typename basic_istream<Char>::sentry ready(in, true); ready && most > 0)
    guarded(in, [&] {
      const bool endless = most == numeric_limits<streamsize>::max();
      while (endless || count < most) {
        const auto c = in.rdbuf()->sbumpc();
        if (c == char_traits<Char>::eof()) {
          state |= ios_base::eofbit;
          return;
        }
        if (count < numeric_limits<streamsize>::max()) ++count;
        if (c == delimiter) return;
      }
    });
  if (state != ios_base::goodbit) in.setstate(state);
  return in;
}

/// Copies the rest of a buffer into another one. Returns the number of characters; tells whether it came to the end.
template <class Char>
streamsize copy_rest(basic_streambuf<Char>* from, basic_streambuf<Char>* to, bool& ended) {
  using Traits = char_traits<Char>;
  streamsize count = 0;
  ended = true;
  for (auto c = from->sgetc(); c != Traits::eof(); c = from->snextc(), ++count) {
    if (to->sputc(Traits::to_char_type(c)) != Traits::eof()) continue;
    ended = false;
    break;
  }
  return count;
}

}  // namespace std::tarry_input
