// Formats of printf and scanf, as far as one has to understand them to know what memory the functions access.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace tarry::native::rt {

/// Tells what printf reads and writes by its arguments: the format, texts (%s, %ls), and where it stores how much was printed (%n). Ends at what it does not
/// know (%1$s). The second is that of wide characters.
void prints_values(const char* format, std::va_list values, std::uintptr_t who);
void prints_values(const wchar_t* format, std::va_list values, std::uintptr_t who);

/// What a format of scanf stores. Made ahead of the call, told behind it: what is there by then comes to be there when it is told, one after the other,
/// as far as its size is known beforehand.
class Stored {
 public:
  Stored(const char* format, std::va_list values, std::uintptr_t who);
  /// The call has stored this many.
  void tell(int count);

 private:
  static constexpr std::size_t kMost = 32, kLongest = 16;
  struct Item {
    void* at;
    std::size_t size;       // 0: a text
    bool counts;            // is one of those that scanf counts
    char before[kLongest];
  };
  void add(void* at, std::size_t size, bool counts);

  std::uintptr_t who_;
  std::size_t items_ = 0;
  Item item_[kMost];
};

}  // namespace tarry::native::rt
