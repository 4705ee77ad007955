#include "native/rt/posix/loader.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/effects/mappings.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {

/// The lock of the dynamic linker.
struct LoaderLock {
  std::uint32_t holder = 0;  // a thread's number + 1
  std::uint32_t depth = 0;

  void reset() { holder = depth = 0; }
};
template struct RoomOf<LoaderLock>;

namespace {

const void* const kLoader = object_of(Thing::kLoader);

LoaderLock& lock() { return part<LoaderLock>(); }

bool can_enter(const Operation& operation) { return lock().holder == 0 || lock().holder == operation.thread + 1; }
std::uint32_t holder(const Operation& /*operation*/) { return lock().holder; }

link_map* module_at(std::uintptr_t pc) {
  Dl_info place;
  link_map* module = nullptr;
  return ::dladdr1(reinterpret_cast<const void*>(pc), &place, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) != 0 ? module : nullptr;
}

/// Returns where the linker looks for libraries that the module loads, in this order.
std::vector<std::string> folders_of(link_map* module) {
  Dl_serinfo room{};
  if (::dlinfo(module, RTLD_DI_SERINFOSIZE, &room) != 0) return {};
  std::vector<std::max_align_t> memory(room.dls_size / sizeof(std::max_align_t) + 1);
  auto* const all = reinterpret_cast<Dl_serinfo*>(memory.data());
  ::dlinfo(module, RTLD_DI_SERINFOSIZE, all);
  if (::dlinfo(module, RTLD_DI_SERINFO, all) != 0) return {};
  std::vector<std::string> folders;
  for (unsigned i = 0; i < all->dls_cnt; ++i) folders.emplace_back(all->dls_serpath[i].dls_name);
  return folders;
}

bool names_folders(const link_map& module) {
  for (const ElfW(Dyn)* entry = module.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH) return true;
  return false;
}

/// Returns the file in a folder that the calling module names itself; empty if the result does not depend on the module that calls.
std::string file_by_caller(const char* name, std::uintptr_t caller) {
  if (name == nullptr || std::strchr(name, '/') != nullptr || name[0] == '\0') return "";
  link_map* const module = module_at(caller);
  if (module == nullptr || !names_folders(*module)) return "";
  const std::vector<std::string> usual = folders_of(module_at(reinterpret_cast<std::uintptr_t>(&file_by_caller)));  // the runtime names none
  for (const std::string& folder : folders_of(module)) {
    const std::string file = folder + "/" + name;
    if (raw(SYS_access, file.c_str(), R_OK) == 0) return std::find(usual.begin(), usual.end(), folder) == usual.end() ? file : "";
  }
  return "";
}

}  // namespace

void enter_loader(std::uint32_t number, std::uintptr_t pc) {
  if (scheduler().alone()) did_anything();
  else wait_point({.op = Op::kLibraryCall, .ready = can_enter, .argument = number, .pc = pc, .holder = holder});
  has_effect();
  lock().holder = me();
  if (lock().depth++ == 0) acquire(kLoader);
}

void leave_loader() {
  if (--lock().depth == 0) {
    release(kLoader);
    lock().holder = 0;
  }
  fail_if_unmapped_in_use();
}

void* load_library(void* (*dlopen)(const char*, int), const char* name, int mode, std::uintptr_t caller) {
  // A library that is there is found by its name alone.
  if (void* const there = name == nullptr || std::strchr(name, '/') != nullptr ? nullptr : dlopen(name, RTLD_LAZY | RTLD_NOLOAD); there != nullptr) {
    void* const handle = dlopen(name, mode);
    ::dlclose(there);
    return handle;
  }
  char file[4096] = {};
  {
    const EngineScope engine;
    const std::string found = file_by_caller(name, caller);
    if (found.size() < sizeof(file)) std::memcpy(file, found.data(), found.size());
  }
  return dlopen(file[0] != '\0' ? file : name, mode);
}

}  // namespace tarry::native::rt
