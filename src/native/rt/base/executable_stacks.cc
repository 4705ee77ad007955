#include "native/rt/base/executable_stacks.h"

#include <link.h>
#include <sys/mman.h>

#include "native/rt/base/part.h"

namespace tarry::native::rt {

struct ExecutableStacks : Kept {
  enum class Code { kUnknown, kNo, kYes };
  Code code = Code::kUnknown;
};
template struct RoomOf<ExecutableStacks>;

namespace {

using Code = ExecutableStacks::Code;

/// The program comes first. Without a mark it is older than these, and means yes; libraries without one do not matter here.
bool is_asked_for() {
  struct Search {
    bool first = true, found = false;
  } search;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* raw_search) {
        auto& wanted = *static_cast<Search*>(raw_search);
        bool marked = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_GNU_STACK) continue;
          marked = true;
          wanted.found |= (info->dlpi_phdr[i].p_flags & PF_X) != 0;
        }
        wanted.found |= wanted.first && !marked;
        wanted.first = false;
        return wanted.found ? 1 : 0;
      },
      &search);
  return search.found;
}

}  // namespace

int protection_of_code_on_stacks() {
  if (part<ExecutableStacks>().code == Code::kUnknown) part<ExecutableStacks>().code = is_asked_for() ? Code::kYes : Code::kNo;
  return part<ExecutableStacks>().code == Code::kYes ? PROT_EXEC : 0;
}

void hold_code_on_stacks() { part<ExecutableStacks>().code = Code::kYes; }

}  // namespace tarry::native::rt
