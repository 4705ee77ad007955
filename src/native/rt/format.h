// Formats of printf and scanf, as far as one has to understand them to know what memory the functions access.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace tarry::native::rt {

/// Calls `tell` for each text that a format of printf prints, with the most that is read of it. Ends at what it does not know (%1$s).
void for_each_text(const char* format, std::va_list values, const std::function<void(const char*, std::size_t)>& tell);

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
