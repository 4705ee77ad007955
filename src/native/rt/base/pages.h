// The program's memory, brought back to the start of an execution: the hot set.
//
// At the baseline every page of the program's data, first heap and stacks is made read-only. The first write to a page faults; the page is
// then hot for ever: its contents at the baseline are kept, and every reset copies them back. A program touches the same few pages in every execution,
// so after the first executions there are no faults left, and a reset costs a memcpy of some pages.
//
// Invariant: a page that is not hot has its contents of the baseline.
#pragma once

#include <cstddef>
#include <cstdint>

#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

class Pages {
 public:
  static constexpr std::size_t kSize = 4096;

  /// Pages that are all zero at the baseline need no copy.
  enum class Contents { kAny, kZero };
  /// Whole pages around [from, to). Before `protect`.
  void add(char* from, char* to, Contents contents = Contents::kAny);
  void protect(std::size_t first_region = 0);
  std::size_t region_count() const { return region_count_; }
  /// The present contents of hot pages are the baseline from now on.
  void rebase();

  /// For the handler of SIGSEGV: true if the page was a cold one and can be written to now.
  bool touched(void* address);

  /// Makes [from, to) writable ahead of a system call that writes there: the kernel does not fault, it fails.
  void prepare(void* from, std::size_t size);

  /// Everything can be written to, and nothing is watched or restored any more.
  void open_all();

  /// Copies the baseline back to the hot pages.
  void reset();

  /// Each page that may differ from the baseline, in a fixed order, until `visit` says false. Returns what the last call said.
  template <class Visit>
  bool for_each_written(const Visit& visit) const {
    for (std::size_t i = 0; i < hot_count_; ++i)
      if (!visit(static_cast<const char*>(hot_[i].page))) return false;
    if (!open_) return true;
    for (std::size_t i = 0; i < region_count_; ++i)
      for (const char* page = regions_[i].from; page < regions_[i].to; page += kSize)
        if (!visit(page)) return false;
    return true;
  }
  std::size_t hot_count() const { return hot_count_; }
  std::uint64_t faults() const { return faults_; }

 private:
  struct Region {
    char* from;
    char* to;
    Contents contents;
    std::uint8_t* hot;  // a flag a page
  };
  struct Hot {
    char* page;
    char* baseline;  // nullptr: zero
  };
  static constexpr std::size_t kMaxRegions = 4096;
  static constexpr std::size_t kMaxHot = std::size_t{1} << 20;  // 4 GiB

  Region* regions_ = nullptr;
  std::size_t region_count_ = 0;
  Hot* hot_ = nullptr;
  std::size_t hot_count_ = 0;
  std::uint64_t faults_ = 0;
  bool open_ = false;
};

}  // namespace tarry::native::rt
