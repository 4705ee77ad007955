#include "native/rt/base/modules.h"

#include <fcntl.h>
#include <limits.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "native/rt/base/heap.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"

namespace tarry::native::rt {

/// The loaded modules. Libraries that an execution loads have the same number in all later executions.
struct LoadedModules : Kept {
  struct Loaded {
    std::string path;
    std::uintptr_t base;
    std::uintptr_t from, to;            // all of it
    std::uintptr_t code_from, code_to;
    std::uintptr_t data_from, data_to;  // writable, without what is read-only after relocation
    bool instrumented, system, runtime, of_cxx;
    Home home;
  };
  /// A library that was loaded while the program ran, at the place of its number.
  struct Late {
    std::uint32_t number;
    std::string path;
    bool instrumented;
  };
  Lasting<std::vector<Loaded>> loaded;
  Lasting<std::vector<Late>> late;
  CodeRange runtime{0, 0};  // all of it
  Lasting<std::vector<CodeRange>> cxx_state, stream_state;
};
template struct RoomOf<LoadedModules>;

namespace {

using Loaded = LoadedModules::Loaded;
using Late = LoadedModules::Late;
LoadedModules& known() { return part<LoadedModules>(); }
std::vector<Loaded>& loaded_now() { return *known().loaded; }
std::vector<Late>& late() { return *known().late; }

constexpr std::uint32_t kFirstLate = 1 << 15, kLateNumbers = 1 << 15;
constexpr std::uintptr_t kLateFrom = 0x680000000000, kLateRoom = std::uintptr_t{256} << 20;

bool is_late(std::uintptr_t address) { return address - kLateFrom < kLateNumbers * kLateRoom; }
std::uintptr_t base_of_late(std::uint32_t number) { return kLateFrom + (number - kFirstLate) * kLateRoom; }
Place place_in_late(std::uintptr_t address) {
  return {static_cast<std::uint32_t>((address - kLateFrom) / kLateRoom) + kFirstLate, (address - kLateFrom) % kLateRoom};
}

/// By the name of its file.
Home home_of_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto is = [name](std::initializer_list<std::string_view> stems) { return std::any_of(stems.begin(), stems.end(), [name](std::string_view stem) { return name.starts_with(stem); }); };
  if (is({"libtarry_"})) return Home::kRuntime;
  if (is({"libstdc++.", "libc++."})) return Home::kCxx;
  if (is({"libc.so", "libc-2", "libpthread.", "libpthread-2", "libdl.", "libdl-2", "librt.", "librt-2", "libresolv.", "libutil.", "libanl."})) return Home::kLibc;
  if (is({"libm.so", "libm-2", "libmvec."})) return Home::kMathematics;
  if (is({"ld-linux", "ld-2", "libgcc_s.", "libc++abi.", "libunwind.", "libgomp.", "libomp.", "libatomic.", "libasan.", "libubsan.", "liblsan.", "libtsan.", "libhwasan.", "libclang_rt."})) return Home::kSupport;
  return Home::kOther;
}

bool is_systems(std::string_view path) { return path.starts_with("/lib") || path.starts_with("/usr/lib"); }

/// Are calls of the instrumentation among the names in the file?
bool names_tsan(int file) {
  constexpr std::string_view kName = "__tsan_";
  char buffer[1 << 14];
  std::size_t kept = 0;  // of the end of the last piece, in case the name lies across
  long offset = 0;
  for (long n; (n = raw(SYS_pread64, file, buffer + kept, sizeof(buffer) - kept, offset)) > 0; offset += n) {
    const std::string_view piece(buffer, kept + static_cast<std::size_t>(n));
    if (piece.find(kName) != std::string_view::npos) return true;
    kept = std::min(kName.size() - 1, piece.size());
    std::memmove(buffer, piece.data() + piece.size() - kept, kept);
  }
  return false;
}

/// Does it call the instrumentation? Its dynamic symbols say.
bool calls_tsan(const dl_phdr_info& info) {
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* hash = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_GNU_HASH) gnu_hash = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_HASH) hash = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr);
    }
  }
  if (symbols == nullptr || strings == nullptr) return false;
  // Undefined symbols come before those in the hash table.
  std::uint32_t count = 0;
  if (gnu_hash != nullptr) count = gnu_hash[1];
  else if (hash != nullptr) count = hash[1];
  for (std::uint32_t i = 1; i < count; ++i)
    if (symbols[i].st_shndx == SHN_UNDEF && std::strncmp(strings + symbols[i].st_name, "__tsan_", 7) == 0) return true;
  return false;
}

int add_module(dl_phdr_info* info, std::size_t /*size*/, void* /*raw*/) {
  if (info->dlpi_phnum == 0) return 0;
  const char* name = info->dlpi_name;
  if (std::strstr(name, "vdso") != nullptr) return 0;
  Loaded& loaded = loaded_now().emplace_back();
  char executable[PATH_MAX];
  const ssize_t length = loaded_now().size() > 1 ? -1 : ::readlink("/proc/self/exe", executable, sizeof(executable));
  loaded.path = length < 0 ? std::string(loaded_now().size() > 1 ? name : "") : std::string(executable, static_cast<std::size_t>(length));
  loaded.base = info->dlpi_addr;
  loaded.runtime = std::strstr(name, "libtarry_rt") != nullptr;
  loaded.system = is_systems(name) || std::strstr(name, "/libtarry_cxx.so") != nullptr;
  loaded.of_cxx = std::strstr(name, "/libstdc++.so") != nullptr || std::strstr(name, "/libc++.so") != nullptr;
  loaded.instrumented = calls_tsan(*info);
  loaded.home = loaded.runtime || home_of_library(name) == Home::kRuntime ? Home::kRuntime : loaded.instrumented || loaded_now().size() == 1 ? Home::kProgram : home_of_library(name);
  loaded.from = ~std::uintptr_t{0};
  std::uintptr_t relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const std::uintptr_t from = info->dlpi_addr + segment.p_vaddr, to = from + segment.p_memsz;
    if (segment.p_type == PT_GNU_RELRO) relro_end = to & ~(Pages::kSize - 1);
    if (segment.p_type != PT_LOAD) continue;
    loaded.from = std::min(loaded.from, from);
    loaded.to = std::max(loaded.to, to);
    if ((segment.p_flags & PF_X) != 0) loaded.code_from = from, loaded.code_to = to;
    if ((segment.p_flags & PF_W) != 0) {
      if (loaded.data_from == 0) loaded.data_from = from;
      loaded.data_to = std::max(loaded.data_to, to);
    }
  }
  if (relro_end > loaded.data_from && relro_end <= loaded.data_to) loaded.data_from = relro_end;
  // A linker may end a segment with what is read-only, and leave pages out ahead of the next one.
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const std::uintptr_t from = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0 || from + segment.p_memsz <= loaded.data_from) continue;
    loaded.data_from = std::max(loaded.data_from, from & ~(Pages::kSize - 1));
    break;
  }
  if (loaded.runtime) known().runtime = {loaded.from, loaded.to};
  return 0;
}

const Loaded* find(std::uintptr_t address) {
  for (const Loaded& one : loaded_now())
    if (address >= one.from && address < one.to) return &one;
  return nullptr;
}

/// /proc/self/maps, in memory of the engine's that is there already: reading must not map any.
std::string read_maps() {
  std::string text;
  text.reserve(1 << 20);
  const long file = raw(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  for (long n; file >= 0 && (n = raw(SYS_read, file, buffer, sizeof(buffer))) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  if (file >= 0) raw(SYS_close, file);
  return text;
}

}  // namespace

void find_modules() {
  loaded_now().clear();
  ::dl_iterate_phdr(add_module, nullptr);
  known().cxx_state->clear();
  for (const Loaded& one : loaded_now())
    if (one.of_cxx) known().cxx_state->push_back({one.data_from, one.data_to});
  // The executable may have copies of these. None is larger.
  constexpr std::uintptr_t kStream = 280;
  known().stream_state->clear();
  for (const char* const name : {"_ZSt3cin", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"})
    if (const auto at = reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, name)); at != 0) {
      known().cxx_state->push_back({at, at + kStream});
      // Behind a pointer, and a count in streams for input, comes ios_base, as the ABI has it. Width and fill are left out: every output writes them.
      const std::uintptr_t base = at + (std::strstr(name, "cin") != nullptr ? 16 : 8);
      for (const auto& [from, to] : {std::pair(8, 16) /* precision */, std::pair(24, 36) /* flags, exceptions, state */, std::pair(216, 224) /* tie */, std::pair(232, 240) /* buffer */})
        known().stream_state->push_back({base + static_cast<std::uintptr_t>(from), base + static_cast<std::uintptr_t>(to)});
    }
}

bool is_of_cxx_library(std::uintptr_t address) {
  return std::any_of(known().cxx_state->begin(), known().cxx_state->end(), [address](const CodeRange& one) { return address >= one.from && address < one.to; });
}

bool is_state_of_stream(std::uintptr_t address) {
  return std::any_of(known().stream_state->begin(), known().stream_state->end(), [address](const CodeRange& one) { return address >= one.from && address < one.to; });
}

std::uintptr_t address_for_library(int file, std::size_t size) {
  char path[PATH_MAX];
  const long length = raw(SYS_readlinkat, AT_FDCWD, ("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof(path));
  if (length <= 0 || size > kLateRoom) return 0;
  const std::string_view name(path, static_cast<std::size_t>(length));
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
  const std::uint32_t number = kFirstLate + hash % kLateNumbers;
  if (std::none_of(late().begin(), late().end(), [number](const Late& one) { return one.number == number; }))
    late().push_back({number, std::string(name), names_tsan(file)});
  return base_of_late(number);
}

bool is_of_late_library(std::uintptr_t address) { return is_late(address); }

Home home_of(std::uintptr_t address) {
  const Loaded* const found = find(address);
  return found == nullptr ? Home::kNone : found->home;
}

namespace {

struct Executable {
  std::uintptr_t address;
  bool found = false;
};

int is_executable_there(dl_phdr_info* info, std::size_t /*size*/, void* wanted) {
  auto& one = *static_cast<Executable*>(wanted);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && one.address - info->dlpi_addr - segment.p_vaddr < segment.p_memsz) one.found = true;
  }
  return one.found ? 1 : 0;
}

Home home_of_late_code(std::uintptr_t address) {
  Executable one{address};
  ::dl_iterate_phdr(is_executable_there, &one);
  if (!one.found) return Home::kNone;
  const auto found = std::find_if(late().begin(), late().end(), [number = place_in_late(address).module](const Late& library) { return library.number == number; });
  if (found == late().end()) return Home::kNone;
  return found->instrumented ? Home::kProgram : home_of_library(found->path);
}

}  // namespace

Home home_of_code(std::uintptr_t address) {
  if (is_late(address)) return home_of_late_code(address);
  const Loaded* const found = find(address);
  return found == nullptr || address < found->code_from || address >= found->code_to ? Home::kNone : found->home;
}

bool is_writable_data(std::uintptr_t address) {
  const Loaded* const found = find(address);
  return found != nullptr && address >= found->data_from && address < found->data_to;
}

bool in_runtime(std::uintptr_t pc) { return pc >= known().runtime.from && pc < known().runtime.to; }

bool is_in_linker(std::uintptr_t pc) { return std::strstr(file_of(pc), "/ld-linux") != nullptr; }

bool tells_accesses(std::uintptr_t pc) {
  if (is_late(pc)) return std::any_of(late().begin(), late().end(), [number = place_in_late(pc).module](const Late& one) { return one.number == number && one.instrumented; });
  const Loaded* const found = find(pc);
  return found != nullptr && (found->instrumented || found->of_cxx);
}

std::uintptr_t first_of_program(const std::vector<std::uintptr_t>& stack) {
  for (const std::uintptr_t pc : stack) {
    const Loaded* const found = find(pc);
    if (found != nullptr && !found->system && !found->runtime) return pc;
    const auto is_this = [number = place_in_late(pc).module](const Late& one) { return one.number == number && !is_systems(one.path); };
    if (is_late(pc) && std::any_of(late().begin(), late().end(), is_this)) return pc;
  }
  return stack.empty() ? 0 : stack.front();
}

Place place_of(std::uintptr_t address) {
  if (is_late(address)) return place_in_late(address);
  const Loaded* const found = find(address);
  if (found == nullptr) return {};
  return {static_cast<std::uint32_t>(found - loaded_now().data()), address - found->base};
}

const char* file_of(std::uintptr_t address) {
  const Loaded* const found = find(address);
  return found == nullptr ? "no file" : found->path.c_str();
}

std::uint64_t number_of(std::uintptr_t address) { return number_of_place(place_of(address)); }

std::uintptr_t address_of(const Place& place) {
  if (place.module >= kFirstLate) return base_of_late(place.module) + place.offset;
  return place.module < loaded_now().size() ? loaded_now()[place.module].base + place.offset : 0;
}

std::uintptr_t address_of(std::uint64_t number) { return address_of(place_of_number(number)); }

std::vector<Module> modules() {
  std::vector<Module> out;
  for (const Loaded& one : loaded_now()) out.push_back({one.path, one.instrumented, static_cast<std::uint32_t>(out.size())});
  for (const Late& one : late()) out.push_back({one.path, one.instrumented, one.number});
  return out;
}

Stack stack_of_places(const std::vector<std::uintptr_t>& stack) {
  Stack out;
  for (const std::uintptr_t pc : stack) out.push_back(place_of(pc));
  return out;
}

DataRange data_of_runtime() {
  for (const Loaded& one : loaded_now())
    if (one.runtime) return {reinterpret_cast<char*>(one.data_from), reinterpret_cast<char*>(one.data_to)};
  return {nullptr, nullptr};
}

CodeRange code_of_runtime() {
  for (const Loaded& one : loaded_now())
    if (one.runtime) return {one.code_from, one.code_to};
  return {0, 0};
}

void add_memory_of_program(Pages& pages, const std::vector<DataRange>& excepted) {
  const std::string text = read_maps();
  std::vector<DataRange> kept;
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    unsigned long from = 0, to = 0;
    char rights[5] = {};
    int rest = 0;
    if (std::sscanf(text.c_str() + line, "%lx-%lx %4s %*s %*s %*s%n", &from, &to, rights, &rest) < 3) break;
    if (rights[1] != 'w' || rights[2] == 'x' || rights[3] != 'p') continue;
    const std::string_view name(text.c_str() + line + rest, text.find('\n', line) - line - static_cast<std::size_t>(rest));
    if (name.find("[stack") != std::string_view::npos || name.find("[v") != std::string_view::npos) continue;
    kept.push_back({reinterpret_cast<char*>(from), reinterpret_cast<char*>(to)});
  }
  std::vector<DataRange> cuts = excepted;
  cuts.push_back(data_of_runtime());
  std::sort(cuts.begin(), cuts.end(), [](const DataRange& a, const DataRange& b) { return a.from < b.from; });
  for (const DataRange& one : kept) {
    if (engine_heap::owns(one.from)) continue;
    char* from = one.from;
    for (const DataRange& cut : cuts) {
      if (cut.to <= from || cut.from >= one.to) continue;
      if (cut.from > from) pages.add(from, cut.from);
      from = std::max(from, cut.to);
    }
    if (from < one.to) pages.add(from, one.to);
  }
}

}  // namespace tarry::native::rt
