#include "native/driver/inspect.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string_view>

#include "base/hash.h"
#include "native/driver/plain_inputs.h"
#include "trace/whole_file.h"

namespace tarry::native {
namespace {

/// An ELF file, open for a scope.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& file) : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (number_ >= 0) elf_ = elf_begin(number_, ELF_C_READ_MMAP, nullptr);
  }
  ~ElfFile() {
    if (elf_ != nullptr) elf_end(elf_);
    if (number_ >= 0) ::close(number_);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  Elf* get() const { return elf_; }

  /// Calls f(section, header) for each section.
  template <class F>
  void for_each_section(const F& f) const {
    for (Elf_Scn* section = elf_nextscn(elf_, nullptr); section != nullptr; section = elf_nextscn(elf_, section))
      if (GElf_Shdr header; gelf_getshdr(section, &header) != nullptr) f(section, header);
  }

 private:
  int number_;
  Elf* elf_ = nullptr;
};

struct Findings {
  bool has_interpreter = false;
  bool own_tsan = false;     // defines what libtsan defines
  bool needs_tsan = false;
  std::string build_id;
  ExecutableFacts facts;
};

/// Functions in the namespace of GoogleTest. A test itself is a class of the user's.
bool is_google_tests(std::string_view name) { return name.starts_with("_ZN7testing") || name.starts_with("_ZNK7testing"); }

/// What libtsan asks of a program: suppressions, options, and to be told.
bool is_programs_own(std::string_view name) { return name.starts_with("__tsan_default_") || name.starts_with("__tsan_on_") || name == "__tsan_symbolize_external"; }

void look_at_symbol(std::string_view name, bool defined, Findings& out) {
  if (name.starts_with("__tsan_") && name != "__tsan_init" && !(defined && is_programs_own(name))) (defined ? out.own_tsan : out.facts.instrumented) = true;
  if (name == "tarry_rt_sites") out.facts.instrumented = true;  // by our own pass
  if (name.starts_with("__asan_report") || name == "__asan_init") out.facts.address_sanitizer = true;
  if (name == "__cxa_end_catch" && defined) out.facts.static_cxx = true;
  if (name.find("testing14InitGoogleTest") != std::string_view::npos) out.facts.google_test = true;
}

void look_at_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Findings& out) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr) continue;
    look_at_symbol(name, symbol.st_shndx != SHN_UNDEF, out);
    if (header.sh_type == SHT_SYMTAB && GELF_ST_TYPE(symbol.st_info) == STT_FUNC && is_google_tests(name))
      out.facts.frameworks.push_back({{.module = 0, .offset = symbol.st_value}, symbol.st_size});
  }
}

void look_at_needed(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Findings& out) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr) continue;
    if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
      if (const char* const folders = elf_strptr(elf, header.sh_link, entry.d_un.d_val); folders != nullptr) out.facts.plain = remembered_in(folders);
    if (entry.d_tag != DT_NEEDED) continue;
    const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (name == nullptr) continue;
    const std::string_view library = name;
    if (library.starts_with("libtsan.so")) out.needs_tsan = true;
    if (library.starts_with("libgomp.so") || library.starts_with("libomp.so") || library.starts_with("libiomp5.so")) out.facts.open_mp = true;
    if (library.starts_with("libstdc++.so")) out.facts.shared_cxx = true;
  }
}

void look_at_note(Elf_Scn* section, Findings& out) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr) return;
  GElf_Nhdr note;
  std::size_t name = 0, content = 0;
  for (std::size_t at = 0; (at = gelf_getnote(data, at, &note, &name, &content)) > 0;)
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(static_cast<char*>(data->d_buf) + name, "GNU", 4) == 0)
      out.build_id.assign(static_cast<char*>(data->d_buf) + content, note.n_descsz);
}

bool is_debug_line(Elf* elf, const GElf_Shdr& header) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return false;
  const char* const name = elf_strptr(elf, names, header.sh_name);
  return name != nullptr && std::string_view(name).find("debug_line") != std::string_view::npos;
}

Findings look_through(const ElfFile& file) {
  Findings out;
  std::size_t count = 0;
  elf_getphdrnum(file.get(), &count);
  for (std::size_t i = 0; i < count; ++i)
    if (GElf_Phdr header; gelf_getphdr(file.get(), static_cast<int>(i), &header) != nullptr) out.has_interpreter |= header.p_type == PT_INTERP;
  file.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) look_at_symbols(file.get(), section, header, out);
    else if (header.sh_type == SHT_DYNAMIC) look_at_needed(file.get(), section, header, out);
    else if (header.sh_type == SHT_NOTE) look_at_note(section, out);
    else if (is_debug_line(file.get(), header)) out.facts.debug_information = true;
  });
  return out;
}

}  // namespace

bool is_elf(const std::filesystem::path& file) {
  char start[4] = {};
  std::ifstream in(file, std::ios::binary);
  return in.read(start, sizeof start) && std::memcmp(start, ELFMAG, SELFMAG) == 0;
}

std::vector<std::string> plain_objects_of(const std::filesystem::path& library) {
  const ElfFile elf(library);
  return elf.get() == nullptr || elf_kind(elf.get()) != ELF_K_ELF ? std::vector<std::string>() : look_through(elf).facts.plain;
}

Result<ExecutableFacts> inspect(const std::filesystem::path& file) {
  const auto wrong = [&](const std::string& what) { return Diagnostic{fmt::format("{}: error: {}", file.string(), what)}; };
  const ElfFile elf(file);
  GElf_Ehdr header;
  if (elf.get() == nullptr || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr) return wrong("is no executable that can be read");
  if (header.e_machine != EM_X86_64 || gelf_getclass(elf.get()) != ELFCLASS64) return wrong("is for another machine: programs for 64-bit x86 (x86-64) can be checked");
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) return wrong("is not linked yet; link it with 'tarry c++', and check the program");
  Findings found = look_through(elf);
  if (!found.has_interpreter && header.e_type == ET_DYN && file.extension() == ".so") return wrong("is a library, and no C++ model; name the program that uses it");
  if (!found.has_interpreter) return wrong("is linked statically: Tarry takes over what a program calls in shared libraries; link it without -static");
  if (found.needs_tsan || found.own_tsan)
    return wrong("is linked with ThreadSanitizer's own runtime, which does not go together with Tarry's; build it with 'tarry cc' or 'tarry c++', without -fsanitize=thread");
  if (found.build_id.empty()) {
    const auto bytes = read_whole(file);
    if (!bytes) return bytes.error();
    found.facts.identity = hash_of(std::string_view(*bytes));
  } else {
    found.facts.identity = hash_of(std::string_view(found.build_id));
  }
  return found.facts;
}

}  // namespace tarry::native
