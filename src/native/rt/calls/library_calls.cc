#include "native/rt/calls/library_calls.h"

#include <cxxabi.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <wchar.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/real.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/calls/cxx_library_table.h"
#include "native/rt/calls/library_stub.h"
#include "native/rt/calls/library_table.h"
#include "native/rt/posix/loader.h"
#include "native/rt/posix/stream.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/told_access.h"

extern "C" __attribute__((visibility("hidden"))) void tarry_pass_library();

namespace tarry::native::rt {

/// Functions of libraries that the program calls, in all executions.
struct LibraryCalls : Kept {
  /// A function that is called through a stub.
  struct Call {
    const char* name;
    void* real;
    const char* effect;  // nullptr: not known
    bool of_libc;
    bool unseen;         // it was called with memory that threads share, or may keep such memory
  };
  static constexpr std::uint32_t kMost = 1 << 13;
  std::array<Call, kMost> calls{};
  std::uint32_t count = 0;
  char* stubs = nullptr;
  Lasting<std::vector<const char*>> imported;
  CodeRange libstdcxx{0, 0}, copy{0, 0};  // code of libstdc++, and of the instrumented copy of parts of it
};
template struct RoomOf<LibraryCalls>;

namespace {

/// The arguments that are integers or pointers. The first six are in registers, and were pushed one after the other; the others are behind the return address.
constexpr unsigned kInRegisters = 6;
using Arguments = const std::uintptr_t*;
std::uintptr_t argument(Arguments first, unsigned number) { return number < kInRegisters ? *(first - number) : *(first + 4 + (number - kInRegisters)); }

using Call = LibraryCalls::Call;
constexpr std::uint32_t kMostCalls = LibraryCalls::kMost;
LibraryCalls& library() { return part<LibraryCalls>(); }

// ---------------------------------------------------------------- stubs

/// push $number; jmp *(the first word of the area)
constexpr std::size_t kStub = 16;

bool make_stubs() {
  constexpr std::uintptr_t kWhere = 0x67f000000000;  // the same in all processes: the program sees addresses of functions
  const std::size_t size = (kMostCalls + 1) * kStub;
  void* const at = ::mmap(reinterpret_cast<void*>(kWhere), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return false;
  library().stubs = static_cast<char*>(at);
  const auto common = reinterpret_cast<std::uintptr_t>(&tarry_pass_library);
  std::memcpy(library().stubs, &common, sizeof(common));
  for (std::uint32_t i = 0; i < kMostCalls; ++i) {
    char* const stub = library().stubs + (i + 1) * kStub;
    const auto number = static_cast<std::int32_t>(i);
    const auto back = static_cast<std::int32_t>(library().stubs - (stub + 11));
    stub[0] = 0x68;
    std::memcpy(stub + 1, &number, 4);
    stub[5] = static_cast<char>(0xff), stub[6] = 0x25;
    std::memcpy(stub + 7, &back, 4);
  }
  return ::mprotect(at, size, PROT_READ | PROT_EXEC) == 0;
}

std::uintptr_t stub_of(std::uint32_t number) { return reinterpret_cast<std::uintptr_t>(library().stubs) + (number + 1) * kStub; }

/// Returns a copy that is never freed: the library may be unloaded. Requires: the engine runs.
const char* keep(const char* name) {
  char* const kept = new char[std::strlen(name) + 1];
  return std::strcpy(kept, name);
}

/// Returns a stub for the function. The same one for the same function.
std::uintptr_t stub_for(const char* name, std::uintptr_t real, const char* effect, bool of_libc) {
  for (std::uint32_t i = 0; i < library().count; ++i)
    if (library().calls[i].real == reinterpret_cast<void*>(real) && std::strcmp(library().calls[i].name, name) == 0) return stub_of(i);
  if (library().count == kMostCalls) give_up("the program calls more than 8,192 functions of libraries that are not instrumented");
  const EngineScope engine;
  library().calls[library().count] = {keep(name), reinterpret_cast<void*>(real), effect, of_libc, false};
  return stub_of(library().count++);
}

/// Returns the stub of a virtual function, or 0.
std::uintptr_t stub_of_virtual(std::uintptr_t real) {
  for (std::uint32_t i = 0; i < library().count; ++i)
    if (library().calls[i].real == reinterpret_cast<void*>(real) && effect_of_virtual(library().calls[i].name) != nullptr) return stub_of(i);
  return 0;
}

// ---------------------------------------------------------------- relocations

struct Dynamic {
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela)* relocations = nullptr;
  std::size_t size = 0;
  const ElfW(Rela)* calls = nullptr;
  std::size_t size_of_calls = 0;
};

struct Imports {
  std::uintptr_t base;
  Dynamic dynamic;
  std::uintptr_t relro_from = 0, relro_to = 0;
  bool all;  // false: of the standard library of C++, whose calls stand for the program's where their accesses are known, and are its own business else
  bool is_ours = false;  // the instrumented copy of parts of that library: only its calls of the rest count
};

std::vector<const char*>& imported() { return *library().imported; }

void put(const Imports& module, std::uintptr_t* slot, std::uintptr_t stub) {
  const auto at = reinterpret_cast<std::uintptr_t>(slot);
  const bool locked = at >= module.relro_from && at < module.relro_to;
  if (locked) raw(SYS_mprotect, at & ~(Pages::kSize - 1), Pages::kSize, PROT_READ | PROT_WRITE);
  *slot = stub;
  if (locked) raw(SYS_mprotect, at & ~(Pages::kSize - 1), Pages::kSize, PROT_READ);
}

void route(const Imports& module, const ElfW(Rela)& one) {
  const auto type = ELF64_R_TYPE(one.r_info);
  if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && (type != R_X86_64_64 || one.r_addend != 0)) return;
  const ElfW(Sym)& symbol = module.dynamic.symbols[ELF64_R_SYM(one.r_info)];
  const auto kind = ELF64_ST_TYPE(symbol.st_info);
  if (ELF64_R_SYM(one.r_info) == 0 || (kind != STT_FUNC && kind != STT_NOTYPE && kind != STT_GNU_IFUNC)) return;
  const char* const name = module.dynamic.strings + symbol.st_name;
  const bool in_table = type == R_X86_64_64 && !module.all && effect_of_virtual(name) != nullptr;  // of virtual functions
  if (symbol.st_shndx != SHN_UNDEF && !in_table) return;
  if (module.all && !program_imports(name)) imported().push_back(keep(name));
  auto* const slot = reinterpret_cast<std::uintptr_t*>(module.base + one.r_offset);
  std::uintptr_t real = *slot;
  Home home = home_of_code(real);
  if ((home == Home::kProgram || module.is_ours) && type == R_X86_64_JUMP_SLOT) {  // not bound yet
    real = reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, name));
    home = home_of_code(real);
  }
  if (home != Home::kLibc && home != Home::kMathematics && home != Home::kOther && home != Home::kCxx) return;
  if (module.is_ours ? home != Home::kCxx : home == Home::kCxx && !module.all && !in_table) return;
  const char* const effect = home == Home::kOther ? nullptr : home == Home::kCxx ? effect_of_cxx(name) : effect_of(name);
  if (module.is_ours && effect[0] == '*') return;
  if (effect != nullptr ? effect[0] == '\0' : home == Home::kMathematics || !module.all) return;
  put(module, slot, stub_for(name, real, effect, home != Home::kOther));
}

/// The imports of a module whose calls count. Returns false if there are none.
bool find_imports(const dl_phdr_info& info, Imports& module) {
  module.base = info.dlpi_addr;
  Home home = Home::kNone;
  CodeRange code{0, 0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const std::uintptr_t from = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) home = home_of_code(from), code = {from, from + segment.p_memsz};
    if (segment.p_type == PT_GNU_RELRO) module.relro_from = from & ~(Pages::kSize - 1), module.relro_to = (from + segment.p_memsz) & ~(Pages::kSize - 1);
    if (segment.p_type != PT_DYNAMIC) continue;
    for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(from); entry->d_tag != DT_NULL; ++entry) {
      const auto at = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) module.dynamic.symbols = reinterpret_cast<const ElfW(Sym)*>(at);
      if (entry->d_tag == DT_STRTAB) module.dynamic.strings = reinterpret_cast<const char*>(at);
      if (entry->d_tag == DT_RELA) module.dynamic.relocations = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_RELASZ) module.dynamic.size = entry->d_un.d_val;
      if (entry->d_tag == DT_JMPREL) module.dynamic.calls = reinterpret_cast<const ElfW(Rela)*>(at);
      if (entry->d_tag == DT_PLTRELSZ) module.dynamic.size_of_calls = entry->d_un.d_val;
    }
  }
  module.is_ours = std::strstr(info.dlpi_name, "/libtarry_cxx.so") != nullptr;
  if (home != Home::kProgram && home != Home::kCxx && !module.is_ours) return false;
  module.all = home == Home::kProgram;
  if (module.is_ours) library().copy = code;
  if (std::strstr(info.dlpi_name, "/libstdc++.so") != nullptr) library().libstdcxx = code;
  return module.dynamic.symbols != nullptr && module.dynamic.strings != nullptr;
}

int route_module(dl_phdr_info* info, std::size_t /*size*/, void* /*unused*/) {
  Imports module{};
  if (!find_imports(*info, module)) return 0;
  for (std::size_t i = 0; i < module.dynamic.size / sizeof(ElfW(Rela)); ++i) route(module, module.dynamic.relocations[i]);
  for (std::size_t i = 0; i < module.dynamic.size_of_calls / sizeof(ElfW(Rela)); ++i) route(module, module.dynamic.calls[i]);
  return 0;
}

/// The linker gives an executable a copy of a table of virtual functions that its code refers to. The copy has the functions themselves: it was made first.
int route_copied_tables(dl_phdr_info* info, std::size_t /*size*/, void* /*unused*/) {
  Imports module{};
  if (!find_imports(*info, module) || !module.all) return 0;
  for (std::size_t i = 0; i < module.dynamic.size / sizeof(ElfW(Rela)); ++i) {
    const ElfW(Rela)& one = module.dynamic.relocations[i];
    if (ELF64_R_TYPE(one.r_info) != R_X86_64_COPY) continue;
    const ElfW(Sym)& symbol = module.dynamic.symbols[ELF64_R_SYM(one.r_info)];
    if (std::strncmp(module.dynamic.strings + symbol.st_name, "_ZTV", 4) != 0) continue;
    auto* const table = reinterpret_cast<std::uintptr_t*>(module.base + one.r_offset);
    for (std::size_t word = 0; word < symbol.st_size / sizeof(*table); ++word)
      if (const std::uintptr_t stub = home_of_code(table[word]) == Home::kCxx ? stub_of_virtual(table[word]) : 0; stub != 0) put(module, table + word, stub);
  }
  return 0;
}

/// Virtual functions of libraries, which no import of the program leads to.
void route_virtual_functions() {
  for (const VirtualFunction& one : kVirtualFunctions) {
    auto* const table = static_cast<std::uintptr_t*>(::dlsym(RTLD_DEFAULT, one.table));
    if (table == nullptr) continue;
    std::uintptr_t* const slot = table + 2 + one.place;
    if (home_of_code(*slot) != Home::kCxx) continue;
    const auto page = reinterpret_cast<std::uintptr_t>(slot) & ~(Pages::kSize - 1);
    const std::uintptr_t stub = stub_for(one.name, *slot, one.effect, true);
    raw(SYS_mprotect, page, Pages::kSize, PROT_READ | PROT_WRITE);
    *slot = stub;
    raw(SYS_mprotect, page, Pages::kSize, PROT_READ);
  }
}

/// Returns what dlsym returns, or the stub of the function that dlsym has found.
void* found_by_name(void* handle, const char* name) {
  void* const found = ::dlsym(handle, name);
  const auto real = reinterpret_cast<std::uintptr_t>(found);
  const Home home = home_of_code(real);
  if (home != Home::kLibc && home != Home::kMathematics && home != Home::kOther) return found;
  const char* const effect = home == Home::kOther ? nullptr : effect_of(name);
  if (effect != nullptr ? effect[0] == '\0' : home == Home::kMathematics) return found;
  return reinterpret_cast<void*>(stub_for(name, real, effect, home != Home::kOther));
}

// ---------------------------------------------------------------- accesses

/// Tells whether an argument points to memory that other threads can reach. Not the caller's own stack, and nothing that cannot change.
bool is_shared(std::uintptr_t value) {
  if (value < 65'536 || value >> 47 != 0) return false;
  const auto* const at = reinterpret_cast<const void*>(value);
  const std::uint32_t owner = scheduler().owner_of_stack(at);
  if (owner != Scheduler::kNobody) return owner != scheduler().running();
  if (program_heap::owns(at)) return true;
  if (engine_heap::owns(at)) return false;
  if (const Home home = home_of(value); home != Home::kNone) return is_writable_data(value) && home != Home::kLibc && home != Home::kMathematics && home != Home::kRuntime;
  unsigned char resident;
  return raw(SYS_mincore, value & ~(Pages::kSize - 1), 1, &resident) == 0;
}

std::size_t extent_of_wide(const wchar_t* text, std::size_t most = SIZE_MAX) {
  std::size_t n = 0;
  while (n < most && text[n] != 0) ++n;
  return std::min(n + 1, most) * sizeof(wchar_t);
}

/// Conversions of a range of characters by the facet ctype.
void tell_ctype(std::string_view name, bool wide, Arguments a, std::uintptr_t who) {
  auto* const from = reinterpret_cast<char*>(argument(a, 1));
  const std::size_t size = argument(a, 2) - argument(a, 1), width = wide ? sizeof(wchar_t) : 1;
  const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("do_toupper") || has("do_tolower")) return writes(from, size, who);
  reads(from, size, who);
  if (has("do_widen")) writes(reinterpret_cast<char*>(argument(a, 3)), size * width, who);
  if (has("do_narrow")) writes(reinterpret_cast<char*>(argument(a, 4)), size / width, who);
  if (has("do_is")) writes(reinterpret_cast<char*>(argument(a, 3)), size / width * sizeof(unsigned short), who);
}

/// std::__basic_file: opening writes only if it is closed, closing only if it is open.
void tell_file(bool opens, const std::uintptr_t* file, std::uintptr_t who) {
  reads(file, sizeof(*file), who);
  const bool is_open = *file != 0;
  if (opens != is_open) writes(file, sizeof(*file), who);
}

/// Functions that stop reading where they find something: as far as they read.
void tell_special(std::string_view name, Arguments a, std::uintptr_t who) {
  const auto text = [a](unsigned i) { return reinterpret_cast<char*>(argument(a, i)); };
  const auto number = [a](unsigned i) { return static_cast<int>(argument(a, i)); };
  while (name.starts_with('_')) name.remove_prefix(1);
  char* const first = text(0);
  if (name.starts_with("ZNKSt5ctypeI")) return tell_ctype(name, name[12] == 'w', a, who);
  if (name.starts_with("ZNSt12__basic_file")) return tell_file(name.find("4open") != std::string_view::npos, reinterpret_cast<const std::uintptr_t*>(first), who);
  if (name == "strspn" || name == "strcspn" || name == "strpbrk") {
    const std::size_t length = name == "strspn" ? TARRY_REAL(strspn)(first, text(1)) : TARRY_REAL(strcspn)(first, text(1));
    reads(first, length + 1, who);
    reads_text(text(1), who);
  } else if (name == "strchrnul" || name == "index" || name == "rindex" || name == "rawmemchr") {
    std::size_t length = 0;
    const auto wanted = static_cast<char>(number(1));
    while (first[length] != wanted && (name == "rawmemchr" || first[length] != 0)) ++length;
    reads(first, name == "rindex" ? rt::extent(first) : length + 1, who);
  } else if (name == "memmem") {
    const auto* const found = static_cast<const char*>(TARRY_REAL(memmem)(first, argument(a, 1), text(2), argument(a, 3)));
    reads(first, found == nullptr ? argument(a, 1) : static_cast<std::size_t>(found - first) + argument(a, 3), who);
    reads(text(2), argument(a, 3), who);
  } else if (name == "memrchr") {
    std::size_t rest = argument(a, 2);
    while (rest > 0 && first[rest - 1] != static_cast<char>(number(1))) --rest;
    reads(first + (rest > 0 ? rest - 1 : 0), argument(a, 2) - (rest > 0 ? rest - 1 : 0), who);
  } else if (name == "memccpy") {
    std::size_t length = 0;
    while (length < argument(a, 3) && text(1)[length++] != static_cast<char>(number(2))) {}
    reads(text(1), length, who);
    writes(first, length, who);
  } else if (name == "strsep" || name == "strtok_r") {
    const bool separates = name == "strsep";
    auto** const place = reinterpret_cast<char**>(argument(a, separates ? 0 : 2));
    char* from = separates || first == nullptr ? *place : first;
    if (from != nullptr) {
      const char* const begin = from;
      if (!separates) from += TARRY_REAL(strspn)(from, text(1));
      from += TARRY_REAL(strcspn)(from, text(1));
      reads(begin, static_cast<std::size_t>(from - begin) + 1, who);
      if (*from != 0) writes(from, 1, who);
    }
    reads_text(text(1), who);
    writes(place, sizeof(*place), who);
  } else if (name == "stpcpy_chk") {
    const std::size_t size = rt::extent(text(1));
    reads(text(1), size, who);
    writes(first, size, who);
  } else if (name == "wcscpy" || name == "wcpcpy" || name == "wcscpy_chk" || name == "wcpcpy_chk") {
    const std::size_t size = extent_of_wide(reinterpret_cast<const wchar_t*>(text(1)));
    reads(text(1), size, who);
    writes(first, size, who);
  }
}

/// What no other thread can do at the same time, in any order of steps, need not be seen.
void was_unseen(Call& call) {
  if (!scheduler().alone() && !scheduler().joined_all()) call.unseen = true;
}

/// Tells whether libstdc++ calls on behalf of a function that is told itself, or the copy of parts of it calls a facet, with buffers of its own.
bool is_internal(const Call& call, std::uintptr_t pc) {
  const auto is_in = [pc](const CodeRange& code) { return pc >= code.from && pc < code.to; };
  return is_in(library().libstdcxx) || (is_in(library().copy) && effect_of_virtual(call.name) != nullptr);
}

/// Ahead of the call. Accesses that are not known mark the function as unseen.
void tell_accesses(Call& call, const char* code, Arguments a, std::uintptr_t pc) {
  const std::uintptr_t who = accessor(pc);
  bool unseen = false;
  for (unsigned i = 0; *code != '\0'; ++i) {
    const char letter = *code++;
    std::size_t number = 0;
    while (*code >= '0' && *code <= '9' && (letter == '<' || letter == '>' || number == 0)) number = number * 10 + static_cast<std::size_t>(*code++ - '0');
    const auto* const at = reinterpret_cast<const char*>(argument(a, i));
    const auto* const wide = reinterpret_cast<const wchar_t*>(at);
    const auto count = [&] { return argument(a, static_cast<unsigned>(number)); };
    switch (letter) {
      case '@': tell_special(call.name, a, who); break;
      case 's': reads_text(at, who); break;
      case 'S': if (at != nullptr) reads(at, rt::extent(at, count()), who); break;
      case 'W': if (at != nullptr) reads(at, extent_of_wide(wide), who); break;
      case 'Y': if (at != nullptr) reads(at, extent_of_wide(wide, count()), who); break;
      case 'r': reads(at, count(), who); break;
      case 'w': writes(at, count(), who); break;
      case 'R': reads(at, count() * sizeof(wchar_t), who); break;
      case 'V': writes(at, count() * sizeof(wchar_t), who); break;
      case '[': reads(at, argument(a, i + 1) - argument(a, i), who); break;
      case '<': reads(at, number, who); break;
      case '>': writes(at, number, who); break;
      case 'F': uses_stream(reinterpret_cast<const FILE*>(at), who); break;
      case '!': unseen = true; break;
      case '?': unseen |= is_shared(argument(a, i)); break;
      case '*':
        for (; i < kInRegisters; ++i) unseen |= is_shared(argument(a, i));
        break;
      default: break;
    }
  }
  if (unseen && !is_internal(call, pc)) was_unseen(call);
}

// ---------------------------------------------------------------- state

void uses(Thing thing, bool looks, std::uintptr_t pc) {
  const void* const state = object_of(thing);
  if (scheduler().alone()) return looks ? looked_at(state) : changed(state);
  scheduler().point({.op = thing == Thing::kKernel ? Op::kFile : Op::kLibraryState, .object = state, .pc = pc, .reads = looks});
}

void may_use_anything(std::uint32_t number, std::uintptr_t pc) {
  if (scheduler().alone()) return did_anything();
  scheduler().point({.op = Op::kLibraryCall, .argument = number, .pc = pc});
  has_effect();
}

/// Uses the state that an effect begins with. Returns the rest of the effect.
const char* use_state(std::uint32_t number, const char* effect, Arguments a, std::uintptr_t pc) {
  const char* const colon = effect[0] == '\0' ? nullptr : effect[1] == ':' ? effect + 1 : effect[1] != '\0' && effect[2] == ':' ? effect + 2 : nullptr;
  if (colon == nullptr) return effect;
  if (colon == effect + 2 && argument(a, static_cast<unsigned>(effect[1] - '0')) != 0) return colon + 1;
  switch (effect[0]) {
    case 'K': uses(Thing::kKernel, false, pc); break;
    case 'E': uses(Thing::kEnvironment, false, pc); break;
    case 'e': uses(Thing::kEnvironment, true, pc); break;
    case 'R': uses(Thing::kRandom, false, pc); break;
    case 'B': uses(Thing::kStaticBuffers, false, pc); break;
    case 'S': uses(Thing::kShiftStates, false, pc); break;
    case 'Z': uses_time_zone(true, pc); break;
    case 'z': uses_time_zone(false, pc); break;
    case 'O': uses_stream(stdout, pc); break;
    case 'I': uses_stream(stdin, pc); break;
    default: enter_loader(number, pc); break;  // L; the call leaves it
  }
  return colon + 1;
}

/// A name as people write it: without parameters and inner namespaces. Requires: the engine runs.
std::string readable(const char* name) {
  int status = 0;
  char* const whole = ::__cxxabiv1::__cxa_demangle(name, nullptr, nullptr, &status);
  if (whole == nullptr) return name;
  std::string out = whole;
  std::free(whole);
  if (const std::size_t end = out.find('('); end != std::string::npos && end > 0) out.resize(end);
  for (std::size_t at; (at = out.find("__cxx11::")) != std::string::npos;) out.erase(at, std::strlen("__cxx11::"));
  return out;
}

}  // namespace

void watch_library_calls() {
  const EngineScope engine;
  if (!make_stubs()) give_up("there is no memory for stubs of library functions");
  known_functions();
  ::dl_iterate_phdr(route_module, nullptr);
  ::dl_iterate_phdr(route_copied_tables, nullptr);
  route_virtual_functions();
}

const char* name_of_library_call(std::uintptr_t number) { return number < library().count ? library().calls[number].name : "?"; }

bool program_imports(const char* name) {
  return std::any_of(imported().begin(), imported().end(), [name](const char* one) { return std::strcmp(one, name) == 0; });
}

void uses_time_zone(bool sets, std::uintptr_t pc) {
  if (!in_program()) return;
  static const bool changes = program_imports("tzset") || program_imports("setenv") || program_imports("unsetenv") || program_imports("putenv") || program_imports("clearenv");
  if (!changes) return;
  const void* const zone = object_of(Thing::kTimeZone);
  const void* const environment = object_of(Thing::kEnvironment);
  if (scheduler().alone()) {
    if (sets) looked_at(environment);
    return sets ? changed(zone) : looked_at(zone);
  }
  scheduler().point({.op = Op::kLibraryState, .object = zone, .also = sets ? environment : nullptr, .pc = pc, .reads = !sets});
}

std::string unseen_calls() {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < library().count; ++i)
    if (library().calls[i].unseen) names.push_back(readable(library().calls[i].name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

/// The result of a call that the hook has made itself, and a function that returns it.
extern "C" {
__attribute__((visibility("hidden"), used)) void* tarry_library_result = nullptr;
}
extern "C" __attribute__((visibility("hidden"))) void tarry_return_result();
asm(".text\n.hidden tarry_return_result\n.globl tarry_return_result\n.type tarry_return_result,@function\ntarry_return_result:\n .cfi_startproc\n mov tarry_library_result(%rip), %rax\n ret\n .cfi_endproc\n"
    ".size tarry_return_result,.-tarry_return_result\n");

namespace {

/// Calls a function of the dynamic linker, in which the program is already (enter_loader), and leaves it. Returns what returns the result, or the real function
/// if that runs no code of the program.
void* call_loader(const Call& call, Arguments a, std::uintptr_t caller) {
  const std::string_view name = call.name;
  void* const handle = reinterpret_cast<void*>(argument(a, 0));
  const auto* const text = reinterpret_cast<const char*>(argument(a, 1));
  void* result = nullptr;
  if (name == "dlopen") {
    result = load_library(reinterpret_cast<void* (*)(const char*, int)>(call.real), static_cast<const char*>(handle), static_cast<int>(argument(a, 1)), caller);
    const EngineScope engine;
    ::dl_iterate_phdr(route_module, nullptr);
  } else if (name == "dlclose") {
    result = reinterpret_cast<void*>(static_cast<std::intptr_t>(reinterpret_cast<int (*)(void*)>(call.real)(handle)));
  } else if (name == "dlsym" && handle != RTLD_NEXT && text != nullptr) {
    result = found_by_name(handle, text);
  } else {
    leave_loader();
    return call.real;
  }
  leave_loader();
  tarry_library_result = result;
  return reinterpret_cast<void*>(&tarry_return_result);
}

}  // namespace

/// Ahead of the call. Returns the real function.
extern "C" __attribute__((visibility("hidden"), used)) void* tarry_library_call(std::uint32_t number, std::uintptr_t caller, const std::uintptr_t* arguments) {
  Call& call = library().calls[number];
  if (!in_program()) return call.real;
  const std::uintptr_t pc = caller - 1;
  if (call.effect != nullptr) {
    tell_accesses(call, use_state(number, call.effect, arguments, pc), arguments, pc);
  } else {
    may_use_anything(number, pc);
    if (call.of_libc) tell_accesses(call, "*", arguments, pc);
    else was_unseen(call);
  }
  return call.of_libc && call.effect != nullptr && call.effect[0] == 'L' ? call_loader(call, arguments, caller) : call.real;
}

asm(".hidden tarry_pass_library\n.globl tarry_pass_library\n"
    TARRY_BEGIN_STUBS("tarry_pass_library") TARRY_KEEP_ARGUMENTS
    " push %r10\n sub $8, %rsp\n mov 8(%rbp), %rdi\n mov 16(%rbp), %rsi\n lea -8(%rbp), %rdx\n call tarry_library_call\n mov %rax, %r11\n add $8, %rsp\n pop %r10\n"  //
    TARRY_PUT_ARGUMENTS_BACK TARRY_END_STUBS("tarry_pass_library", "jmp *%r11"));
