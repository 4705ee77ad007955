// What an executable is, before it is run: for us at all, instrumented, with GoogleTest in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "native/abi/messages.h"

namespace tarry::native {

/// Does the file start as executables and libraries of Linux do?
bool is_elf(const std::filesystem::path& file);

struct ExecutableFacts {
  bool instrumented = false;       // calls what -fsanitize=thread calls
  bool address_sanitizer = false;
  bool google_test = false;
  bool open_mp = false;            // uses a runtime library of OpenMP
  std::vector<CodeSpan> frameworks;  // functions of GoogleTest
  bool shared_cxx = false;         // needs libstdc++.so
  bool static_cxx = false;         // the standard library of C++ is part of it
  bool debug_information = false;  // source lines can be told
  std::vector<std::string> plain;  // objects in it that are not instrumented (plain_inputs.h)
  std::uint64_t identity = 0;      // of its build id, or of its contents
};

/// A diagnostic says why it cannot be checked: another machine, static, linked with libtsan, no program at all.
Result<ExecutableFacts> inspect(const std::filesystem::path& file);

/// The objects in a library of the program that are not instrumented, where it was linked by Tarry.
std::vector<std::string> plain_objects_of(const std::filesystem::path& library);

}  // namespace tarry::native
