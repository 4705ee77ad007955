// Threads use the locale of the environment, whose files libc maps and keeps. A thread that begins after it was set has its tables.
#include <cassert>
#include <cctype>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <locale>
#include <mutex>
#include <thread>

std::mutex turn;
int letters = 0;

void count_letters() {
  std::lock_guard guard(turn);
  wchar_t letter = 0;
  std::mbstate_t state{};
  assert(std::mbrtowc(&letter, "\xc3\xa9", 2, &state) == 2);
  letters += std::iswalpha(static_cast<std::wint_t>(letter)) != 0 ? 1 : 0;
}

int main() {
  assert(MB_CUR_MAX == 1);
  std::locale::global(std::locale(""));
  assert(std::setlocale(LC_ALL, "") != nullptr);
  assert(MB_CUR_MAX > 1);
  const unsigned short* const table = *__ctype_b_loc();
  std::thread a(count_letters), b([table] {
    assert(*__ctype_b_loc() == table);
    count_letters();
  });
  a.join();
  b.join();
  assert(letters == 2);
  std::printf("%d\n", letters);
}
