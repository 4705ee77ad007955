// Shared objects that the user wrote (models, explorers, foreign functions): opened, checked and asked for what they export.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace tarry {

// What the objects export.
inline constexpr const char* kModelSymbol = "tarry_model_v1";
inline constexpr const char* kExplorerSymbol = "tarry_explorer_v1";
inline constexpr const char* kForeignSymbol = "tarry_foreign_v1";

/// Loads the object and returns the address of what it exports under `name`. The object stays loaded for the rest of the process.
/// Fails if the file is no whole shared object or does not export `name`; the message says what was `expected`, and gives `hint` if the
/// object exports `other` instead.
Result<const void*> exported(const std::filesystem::path& object, const char* name, const char* expected, const char* other, const char* hint);

/// "OBJECT: error: WHAT".
Diagnostic wrong_object(const std::filesystem::path& object, const std::string& what);

/// The object was built for version `theirs` of an interface of which this tool has version `ours`.
Diagnostic wrong_version(const std::filesystem::path& object, std::uint32_t theirs, const char* interface, std::uint32_t ours);

}  // namespace tarry
