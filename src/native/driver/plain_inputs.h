// Code in a program that is not instrumented, so what it accesses is not seen: object files and archives that were not compiled by Tarry, inline assembly,
// functions that are exempt by an attribute, and what a compiler leaves out whose instrumentation Tarry cannot complete (native/pass/completion.cc).
//
// Every object of 'tarry cc' refers to __tsan_init, even if nothing in it is instrumented. What a program was linked with is remembered in its RUNPATH, the one list of
// words that every linker writes and no strip removes: as folders that do not exist, one for each such file. An object of a source with such code has a symbol that says so.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::native {

/// Returns the names of such inputs of a command line: objects, members of archives ("libx.a(y.o)"), sources in assembler where it links; sources with
/// such code in them ("x.c(inline-assembly)", "x.c(no_sanitize)", "x.c(incomplete)") where it compiles. Libraries that are
/// found in folders of the command line (-L) count, those of the system do not. `folder`: relative paths begin there; empty: here.
/// `is_completed`: of this compiler (compile.h).
std::vector<std::string> plain_inputs(const std::vector<std::string>& arguments, bool is_completed, const std::filesystem::path& folder = {});

/// Options of the compiler that mark objects of sources with such code. The assembler that marks them is that of the system.
std::vector<std::string> marking(const std::vector<std::string>& plain);
/// Is this the name of a source with assembly?
bool is_inline_assembly(std::string_view plain);
/// Is this the name of a source with functions that are exempt from ThreadSanitizer?
bool is_exempt(std::string_view plain);
/// Is this the name of a source that was compiled without the completion?
bool is_incomplete(std::string_view plain);

/// Options of the linker that remember them.
std::vector<std::string> remembering(const std::vector<std::string>& plain);
/// Those that a RUNPATH remembers.
std::vector<std::string> remembered_in(std::string_view run_path);

}  // namespace tarry::native
