#include "enforce/rt/modules.h"

#include <link.h>

#include <cstring>

namespace tarry::enforce::rt {
namespace {

const char* file_name(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

}  // namespace

std::uintptr_t base_of(std::string_view name) {
  struct Search {
    std::string_view name;
    std::uintptr_t base;
  } search{name, 0};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* raw) {
        auto* const wanted = static_cast<Search*>(raw);
        if (wanted->name != file_name(info->dlpi_name)) return 0;
        wanted->base = info->dlpi_addr;
        return 1;
      },
      &search);
  return search.base;
}

Where whereabouts(std::uintptr_t address) {
  struct Search {
    std::uintptr_t address;
    Where found;
  } search{address, {nullptr, 0}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* raw) {
        auto* const wanted = static_cast<Search*>(raw);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const std::uintptr_t from = info->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || wanted->address < from || wanted->address - from >= part.p_memsz) continue;
          wanted->found = {file_name(info->dlpi_name), wanted->address - info->dlpi_addr};
          return 1;
        }
        return 0;
      },
      &search);
  return search.found;
}

}  // namespace tarry::enforce::rt
