#include "native/driver/plain_inputs.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "native/driver/compile.h"
#include "native/driver/unseen_source.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRemembered = "/.tarry-not-instrumented/";
/// Code of a source that is not instrumented.
struct UnseenKind {
  std::string_view mark;    // a symbol of an object, with the name of the source
  std::string_view suffix;  // behind the name of the source
};
constexpr UnseenKind kAssembly = {"tarry_inline_assembly.", "(inline-assembly)"};
constexpr UnseenKind kExempt = {"tarry_no_sanitize.", "(no_sanitize)"};
constexpr UnseenKind kIncomplete = {"tarry_incomplete.", "(incomplete)"};
constexpr UnseenKind kUnseenKinds[] = {kAssembly, kExempt, kIncomplete};
constexpr std::size_t kMostRemembered = 20;

/// What its symbols say: is it instrumented; which sources had code that is not?
bool refers_to_instrumentation(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, std::vector<std::string>& unseen) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return false;
  bool out = false;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const char* const text = elf_strptr(elf, header.sh_link, symbol.st_name);
    const std::string_view name = text == nullptr ? std::string_view() : text;
    out |= symbol.st_shndx == SHN_UNDEF && name.starts_with("__tsan_");
    for (const UnseenKind& kind : kUnseenKinds)
      if (name.starts_with(kind.mark)) unseen.push_back(std::string(name.substr(kind.mark.size())).append(kind.suffix));
  }
  return out;
}

/// An object with code, none of which is instrumented. (Intermediate code of a compiler is no code yet.)
bool is_plain(Elf* elf, std::vector<std::string>& unseen) {
  GElf_Ehdr head;
  if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &head) == nullptr || head.e_type != ET_REL) return false;
  bool has_code = false, instrumented = false;
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    has_code |= (header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_size > 0;
    instrumented |= header.sh_type == SHT_SYMTAB && refers_to_instrumentation(elf, section, header, unseen);
  }
  return has_code && !instrumented;
}

/// Of the system: what its libraries access is known or told otherwise.
bool is_of_system(const fs::path& file) {
  const std::string path = fs::absolute(file).lexically_normal().string();
  return path.starts_with("/usr/lib") || path.starts_with("/lib") || path.starts_with("/usr/local/lib");
}

void look_at_file(const fs::path& path, std::vector<std::string>& out) {
  if (is_of_system(path)) return;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  elf_version(EV_CURRENT);
  const std::string name = path.filename().string();
  if (Elf* const whole = elf_begin(file, ELF_C_READ_MMAP, nullptr); whole != nullptr) {
    if (elf_kind(whole) == ELF_K_AR) {
      Elf_Cmd next = ELF_C_READ_MMAP;
      for (Elf* member = nullptr; (member = elf_begin(file, next, whole)) != nullptr;) {
        const Elf_Arhdr* const about = elf_getarhdr(member);
        if (is_plain(member, out)) out.push_back(name + "(" + (about != nullptr && about->ar_name != nullptr ? about->ar_name : "?") + ")");
        next = elf_next(member);
        elf_end(member);
      }
    } else if (is_plain(whole, out)) {
      out.push_back(name);
    }
    elf_end(whole);
  }
  ::close(file);
}

bool is_assembler(const fs::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".s" || kind == ".S" || kind == ".sx" || kind == ".asm";
}

/// The archive that -lNAME means, if it is in one of the folders and no shared library is ahead of it.
std::optional<fs::path> archive(const std::string& name, const std::vector<fs::path>& folders) {
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / ("lib" + name + ".so"), ignored)) return std::nullopt;
    if (const fs::path found = folder / ("lib" + name + ".a"); fs::exists(found, ignored)) return found;
  }
  return std::nullopt;
}

std::vector<fs::path> in_folder(const std::vector<std::string>& paths, const fs::path& folder) {
  std::vector<fs::path> out;
  for (const std::string& path : paths) out.push_back(folder / path);
  return out;
}

/// As part of an option of the linker and of a list with colons.
std::string tame(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && std::string_view("._+-()").find(static_cast<char>(c)) == std::string_view::npos; }, '_');
  return name;
}

}  // namespace

std::vector<std::string> plain_inputs(const std::vector<std::string>& arguments, bool is_completed, const fs::path& folder) {
  const LinkedFiles linked = linked_files(arguments);
  const CompiledFiles compiled = compiled_files(arguments);
  const std::vector<fs::path> folders = in_folder(linked.folders, folder);
  std::vector<std::string> out;
  for (const std::string& source : compiled.sources) {
    const UnseenSource unseen = unseen_in(folder / source, in_folder(compiled.folders, folder));
    if (unseen.assembly) out.push_back(fs::path(source).filename().string().append(kAssembly.suffix));
    if (unseen.exempt) out.push_back(fs::path(source).filename().string().append(kExempt.suffix));
    if (!is_completed) out.push_back(fs::path(source).filename().string().append(kIncomplete.suffix));
  }
  for (const std::string& input : linked.inputs) {
    if (is_assembler(input)) out.push_back(fs::path(input).filename().string());
    else look_at_file(folder / input, out);
  }
  for (const std::string& name : linked.libraries)
    if (const auto found = archive(name, folders)) look_at_file(*found, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool is_inline_assembly(std::string_view plain) { return plain.ends_with(kAssembly.suffix); }

bool is_exempt(std::string_view plain) { return plain.ends_with(kExempt.suffix); }

bool is_incomplete(std::string_view plain) { return plain.ends_with(kIncomplete.suffix); }

std::vector<std::string> marking(const std::vector<std::string>& plain) {
  std::vector<std::string> out;
  for (const std::string& one : plain)
    for (const UnseenKind& kind : kUnseenKinds) {
      if (!one.ends_with(kind.suffix)) continue;
      std::string name = one.substr(0, one.size() - kind.suffix.size());
      std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '_'; }, '_');
      out.push_back("-Wa,-defsym," + std::string(kind.mark) + name + "=1");
    }
  return out;
}

std::vector<std::string> remembering(const std::vector<std::string>& plain) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(plain.size(), kMostRemembered); ++i) out.push_back("-Wl,-rpath," + std::string(kRemembered) + tame(plain[i]));
  if (plain.size() > kMostRemembered) out.push_back("-Wl,-rpath," + std::string(kRemembered) + "and_" + std::to_string(plain.size() - kMostRemembered) + "_more");
  return out;
}

std::vector<std::string> remembered_in(std::string_view run_path) {
  std::vector<std::string> out;
  while (!run_path.empty()) {
    const std::size_t colon = run_path.find(':');
    const std::string_view one = run_path.substr(0, colon);
    if (one.starts_with(kRemembered)) out.emplace_back(one.substr(kRemembered.size()));
    run_path = colon == std::string_view::npos ? std::string_view() : run_path.substr(colon + 1);
  }
  return out;
}

}  // namespace tarry::native
