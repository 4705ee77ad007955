// The locale of a stream, which libstdc++.so sets.
#include <ios>
#include <locale>

std::locale std::ios_base::imbue(const std::locale& next) noexcept {
  const std::locale before = _M_ios_locale;
  _M_ios_locale = next;
  _M_call_callbacks(imbue_event);
  return before;
}
