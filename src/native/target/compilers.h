// Which C or C++ compiler thread programs are compiled with, and where their runtime is.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "native/driver/compile.h"

namespace tarry::native {

/// How the user calls the compiler: $TARRY_CC, else $CC unless that is tarry itself, else cc, gcc or clang; the same for C++. A variable may
/// hold several words. What is a path is absolute, so that it means the same in every folder.
Result<std::string> compiler_by_environment(Language language);

/// The compiler that is called so.
Result<Compiler> find_compiler_called(const std::string& words);

/// The compiler for 'tarry c++ --enforce': a clang for which there is a pass. The user's choice as above; without one, clang or clang-N.
Result<Compiler> find_compiler_with_pass(Language language, const RuntimeFolder& runtime);

/// The folder of libtarry_rt.so, and that of Tarry's headers: beside the installed tool, or in its build.
Result<RuntimeFolder> runtime_folder();

}  // namespace tarry::native
