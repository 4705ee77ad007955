// Object files and archives that are linked into a program without having been compiled by Tarry: what their code accesses is not seen.
//
// Every object of 'tarry cc' refers to __tsan_init, even if nothing in it is instrumented. What a program was linked with is remembered in its RUNPATH, the one list of
// words that every linker writes and no strip removes: as folders that do not exist, one for each such file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::native {

/// Returns the names of such inputs of a command line that links: objects, members of archives ("libx.a(y.o)"), sources in assembler. Libraries that are
/// found in folders of the command line (-L) count, those of the system do not. `folder`: relative paths begin there; empty: here.
std::vector<std::string> plain_inputs(const std::vector<std::string>& arguments, const std::filesystem::path& folder = {});

/// Options of the linker that remember them.
std::vector<std::string> remembering(const std::vector<std::string>& plain);
/// Those that a RUNPATH remembers.
std::vector<std::string> remembered_in(std::string_view run_path);

}  // namespace tarry::native
