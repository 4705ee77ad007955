#include "toolchain/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "trace/whole_file.h"

namespace tarry {
namespace {

/// What is wrong with an ELF file that the loader would not notice: it maps what is not there, and the process dies of SIGBUS.
std::string check_elf(std::string_view bytes) {
  Elf64_Ehdr head;
  if (bytes.size() < sizeof head || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return "is not a shared object";
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.e_ident[EI_CLASS] != ELFCLASS64) return "";  // the loader says so
  if (head.e_type != ET_DYN) return "is not a shared object: build it with -shared -fPIC";
  for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part;
    const std::uint64_t at = head.e_phoff + i * sizeof part;
    if (head.e_phoff > bytes.size() || at + sizeof part > bytes.size()) return "is cut short";
    std::memcpy(&part, bytes.data() + at, sizeof part);
    if (part.p_type == PT_LOAD && (part.p_offset > bytes.size() || part.p_filesz > bytes.size() - part.p_offset))
      return "is cut short";
  }
  return "";
}

}  // namespace

Diagnostic wrong_object(const std::filesystem::path& object, const std::string& what) {
  return {fmt::format("{}: error: {}", object.string(), what)};
}

Diagnostic wrong_version(const std::filesystem::path& object, std::uint32_t theirs, const char* interface, std::uint32_t ours) {
  return {fmt::format("tarry: error: '{}' was built for version {} of the {} interface; this tarry has {}; build it again",
                     object.string(), theirs, interface, ours)};
}

Result<const void*> exported(const std::filesystem::path& object, const char* name, const char* expected, const char* other, const char* hint) {
  const auto bytes = read_whole(object);
  if (!bytes) return bytes.error();
  if (const std::string problem = check_elf(*bytes); !problem.empty()) return wrong_object(object, problem);
  // An absolute path: a bare name would be looked for among the system's libraries.
  void* handle = ::dlopen(std::filesystem::absolute(object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return wrong_object(object, fmt::format("cannot be loaded: {}", ::dlerror()));
  const void* symbol = ::dlsym(handle, name);
  if (symbol != nullptr) return symbol;
  const bool confused = ::dlsym(handle, other) != nullptr;
  ::dlclose(handle);
  return wrong_object(object, fmt::format("does not export '{}': expected {}{}", name, expected, confused ? hint : ""));
}

}  // namespace tarry
