// Which C or C++ compiler thread programs are compiled with, and where their runtime is.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "native/driver/compile.h"

namespace tarry::cli {

/// $TARRY_CC, else $CC unless that is tarry itself, else cc, gcc or clang; the same for C++. A variable may hold several words.
Result<native::Compiler> find_compiler_for(native::Language language);

/// The folder of libtarry_rt.so: beside the installed tool, or in its build.
Result<std::filesystem::path> runtime_folder();

}  // namespace tarry::cli
