#include "native/driver/symbols.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "native/driver/locals.h"
#include "native/driver/variables.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(::abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

/// Without what is in brackets: parameters always, arguments of templates if they are long.
std::string shortened(std::string_view name) {
  std::string out;
  int round = 0, angle = 0;
  std::size_t angle_start = 0;
  const bool is_operator = name.find("operator") != std::string_view::npos;
  if (is_operator) return std::string(name.substr(0, 120));
  for (const char c : name) {
    if (c == ')') --round;
    else if (c == '(') ++round;
    else if (round == 0) {
      if (c == '<' && angle++ == 0) angle_start = out.size();
      out += c;
      if (c == '>' && angle > 0 && --angle == 0 && out.size() - angle_start > 40) out.replace(angle_start, std::string::npos, "<…>");
    }
  }
  for (const std::string_view after : {" const", " [clone", "[abi:"})
    if (const std::size_t at = out.find(after); at != std::string::npos && at > 0 && angle == 0) out.erase(at);
  return out.empty() ? std::string(name) : out;
}

bool below(std::string_view path, std::string_view folder) { return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/'; }

bool is_systems(std::string_view path) {
  return below(path, "/usr/lib") || below(path, "/usr/include") || below(path, "/lib") || below(path, "/lib64") || below(path, "/usr/lib64") || below(path, "/usr/local/include") ||
         below(path, "/usr/src") || path.find("/bits/") != std::string_view::npos || path.find("/sysdeps/") != std::string_view::npos || path.find("/include/tarry/") != std::string_view::npos;
}

bool is_runtime(std::string_view module) { return module.ends_with("/libtarry_rt.so") || module.ends_with("/libtarry_cxx.so"); }

}  // namespace

std::string SourceFrame::location() const { return file.empty() ? "" : line == 0 ? file : fmt::format("{}:{}", file, line); }

std::string SourceFrame::text() const { return file.empty() ? function : fmt::format("{} at {}", function, location()); }

struct Symbols::Impl {
  struct Loaded {
    Dwfl* dwfl = nullptr;
    Dwfl_Module* module = nullptr;
    GElf_Addr bias = 0;  // what dwfl adds to offsets
  };

  Impl(std::vector<Module> given, const fs::path& folder) : modules(std::move(given)), loaded(modules.size()), here(folder.string()) {}
  ~Impl() {
    for (const Loaded& one : loaded)
      if (one.dwfl != nullptr) dwfl_end(one.dwfl);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  /// modules.size() if there is none of this number.
  std::size_t index_of(std::uint32_t number) const {
    return static_cast<std::size_t>(std::find_if(modules.begin(), modules.end(), [number](const Module& one) { return one.number == number; }) - modules.begin());
  }

  Loaded* load(std::size_t index) {
    if (index >= modules.size()) return nullptr;
    Loaded& one = loaded[index];
    if (one.dwfl != nullptr) return one.module == nullptr ? nullptr : &one;
    static char* debug_path = nullptr;
    static const Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo, .section_address = dwfl_offline_section_address, .debuginfo_path = &debug_path};
    one.dwfl = dwfl_begin(&kCallbacks);
    if (one.dwfl == nullptr) return nullptr;
    const std::string& path = modules[index].path;
    one.module = dwfl_report_offline(one.dwfl, path.c_str(), path.c_str(), -1);
    dwfl_report_end(one.dwfl, nullptr, nullptr);
    if (one.module == nullptr || dwfl_module_getelf(one.module, &one.bias) == nullptr) {
      one.module = nullptr;
      return nullptr;
    }
    return &one;
  }

  /// The file as the user would name it.
  std::string shown_file(const char* file, const char* folder) const {
    fs::path path = file;
    if (path.is_relative() && folder != nullptr) path = fs::path(folder) / path;
    path = path.lexically_normal();
    if (below(path.string(), here)) return path.string().substr(here.size() + 1);
    return path.string();
  }

  std::vector<SourceFrame> look_up(const Place& place) {
    const std::size_t index = index_of(place.module);
    const std::string module_path = index < modules.size() ? modules[index].path : "";
    const bool systems_module = is_systems(module_path) || is_runtime(module_path);
    Loaded* const one = place.offset == 0 ? nullptr : load(index);
    std::vector<SourceFrame> out;
    if (one != nullptr) from_debug_info(*one, one->bias + place.offset - 1, out);
    if (out.empty()) {
      const char* name = one == nullptr ? nullptr : dwfl_module_addrname(one->module, one->bias + place.offset - 1);
      const std::string file = fs::path(module_path).filename().string();
      out.push_back({.function = name != nullptr ? shortened(demangled(name)) : fmt::format("{}+{:#x}", file.empty() ? "?" : file, place.offset), .file = "", .line = 0, .is_users = true});
      if (name != nullptr && systems_module) out.back().function += " in " + file;
    }
    for (SourceFrame& frame : out) frame.is_users = frame.is_users && !systems_module;
    return out;
  }

  /// clang writes no table of addresses (.debug_aranges), without which libdwfl finds nothing: all units are asked then.
  static Dwarf_Die* unit_of(const Loaded& one, Dwarf_Addr address, Dwarf_Addr& bias) {
    Dwarf_Die* unit = dwfl_module_addrdie(one.module, address, &bias);
    if (unit != nullptr) return unit;
    while ((unit = dwfl_module_nextcu(one.module, unit, &bias)) != nullptr)
      if (dwarf_haspc(unit, address - bias) > 0) return unit;
    return nullptr;
  }

  void from_debug_info(const Loaded& one, Dwarf_Addr address, std::vector<SourceFrame>& out) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = unit_of(one, address, bias);
    if (unit == nullptr) return;
    SourceFrame current;
    current.is_users = true;
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (Dwarf_Line* const line = dwarf_getsrc_die(unit, address - bias)) {
      int number = 0;
      const char* file = dwarf_linesrc(line, nullptr, nullptr);
      if (file != nullptr && dwarf_lineno(line, &number) == 0) set_file(current, file, folder, number);
    }
    // Of an address, the scopes around an inlined function are those where it was written; of an entry, those it was inlined into.
    Dwarf_Die *written = nullptr, *scopes = nullptr;
    int count = unit == nullptr ? 0 : dwarf_getscopes(unit, address - bias, &written);
    if (count > 0) count = dwarf_getscopes_die(&written[0], &scopes);
    std::free(written);
    for (int i = 0; i < count; ++i) {
      const int tag = dwarf_tag(&scopes[i]);
      if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
      current.function = function_name(&scopes[i]);
      out.push_back(current);
      if (tag == DW_TAG_subprogram) break;
      current = {};
      current.is_users = true;
      set_call_site(current, unit, &scopes[i]);
    }
    std::free(scopes);
    if (!out.empty()) return;
    const char* name = dwfl_module_addrname(one.module, address);
    current.function = name != nullptr ? shortened(demangled(name)) : "?";
    out.push_back(std::move(current));
  }

  void set_file(SourceFrame& frame, const char* file, const char* folder, int line) const {
    fs::path whole = file;
    if (whole.is_relative() && folder != nullptr) whole = fs::path(folder) / whole;
    frame.is_users = frame.is_users && !is_systems(whole.lexically_normal().string());
    frame.file = shown_file(file, folder);
    frame.line = static_cast<std::uint32_t>(line);
  }

  void set_call_site(SourceFrame& frame, Dwarf_Die* unit, Dwarf_Die* inlined) const {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 || dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0) return;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return;
    const char* name = dwarf_filesrc(files, file, nullptr, nullptr);
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (name != nullptr) set_file(frame, name, folder, static_cast<int>(line));
  }

  static std::string function_name(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    for (const unsigned key : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
      if (const char* name = dwarf_formstring(dwarf_attr_integrate(die, key, &attribute))) {
        const std::string whole = demangled(name);
        const std::size_t lambda = whole.rfind("{lambda(");
        return lambda != std::string::npos && whole.find("}::operator()", lambda) != std::string::npos ? "a lambda" : shortened(whole);
      }
    const char* name = dwarf_diename(die);
    if (name != nullptr && std::string_view(name) == "operator()") return "a lambda";
    return name == nullptr ? "?" : name;
  }

  std::vector<Module> modules;
  std::vector<Loaded> loaded;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<SourceFrame>> known;
  std::map<std::uint32_t, std::unique_ptr<Variables>> variables;
  std::string here;
};

Symbols::Symbols(std::vector<Module> modules, const fs::path& folder) : impl_(std::make_unique<Impl>(std::move(modules), folder)) {}
Symbols::~Symbols() = default;

const std::vector<SourceFrame>& Symbols::frames(const Place& place) {
  const auto key = std::pair(place.module, place.offset);
  const auto found = impl_->known.find(key);
  if (found != impl_->known.end()) return found->second;
  return impl_->known.emplace(key, impl_->look_up(place)).first->second;
}

SourceFrame Symbols::shown(const Stack& stack) {
  std::optional<SourceFrame> first, of_library;
  for (const Place& place : stack)
    for (const SourceFrame& frame : frames(place)) {
      if (frame.is_users && !frame.file.empty()) return frame;
      std::optional<SourceFrame>& kept = frame.file.empty() ? first : of_library;
      if (!kept) kept = frame;
    }
  return first ? *first : of_library.value_or(SourceFrame{});  // templates of the standard library have a line, if not the user's
}

std::vector<std::string> Symbols::lines(const Stack& stack) {
  std::vector<std::string> all;
  std::size_t first_of_users = ~std::size_t{0}, last_of_users = 0;
  for (const Place& place : stack)
    for (const SourceFrame& frame : frames(place)) {
      if (frame.is_users && !frame.file.empty()) {
        first_of_users = std::min(first_of_users, all.size());
        last_of_users = all.size() + 1;
      }
      all.push_back(frame.text());
    }
  if (last_of_users == 0) return all;
  // What called the user's code (how threads and main are started) says nothing.
  return {all.begin() + static_cast<std::ptrdiff_t>(first_of_users), all.begin() + static_cast<std::ptrdiff_t>(last_of_users)};
}

std::string Symbols::variable(const Place& place) {
  Impl::Loaded* const one = place.offset == 0 ? nullptr : impl_->load(impl_->index_of(place.module));
  if (one == nullptr) return "";
  auto& variables = impl_->variables[place.module];
  if (!variables) variables = std::make_unique<Variables>(one->module);
  if (std::string name = variables->name_at(place.offset); !name.empty()) return name;
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name = dwfl_module_addrinfo(one->module, one->bias + place.offset, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || (symbol.st_size != 0 && offset >= symbol.st_size)) return "";
  constexpr std::string_view kGuard = "guard variable for ";
  std::string whole = demangled(name);
  if (whole.starts_with(kGuard)) return whole.substr(kGuard.size());  // of a static variable: it stands for that
  return whole + (offset == 0 ? "" : fmt::format("+{}", offset));
}

std::string Symbols::local(const RecordedObject& object) {
  const Impl::Loaded* const one = object.frame.offset == 0 ? nullptr : impl_->load(object.frame.module);
  if (one == nullptr) return "";
  const Dwarf_Addr address = one->bias + object.frame.offset - 1;
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = Impl::unit_of(*one, address, bias);
  return unit == nullptr ? "" : local_at(unit, address - bias, object);
}

std::string Symbols::words_for(const Stack& stack) {
  SourceFrame frame = shown(stack);
  if (frame.file.empty() && frame.function.empty()) frame = frames(stack.front()).front();  // not the user's: better than nothing
  return frame.file.empty() ? frame.function : frame.location();
}

std::string Symbols::filled_in(const std::string& text, const std::vector<Place>& places, const std::vector<Stack>& stacks) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const std::string inside = close == std::string::npos ? "" : text.substr(at + 1, close - at - 1);
    const bool number = !inside.empty() && inside.size() < 4 && inside.find_first_not_of("0123456789") == std::string::npos;
    if (!number || std::stoul(inside) >= places.size()) {
      out += text[at++];
      continue;
    }
    const std::size_t which = std::stoul(inside);
    std::string name = variable(places[which]);
    if (name.empty()) name = words_for(which < stacks.size() && !stacks[which].empty() ? stacks[which] : Stack{places[which]});
    out += name;
    at = close + 1;
  }
  return out;
}

}  // namespace tarry::native
