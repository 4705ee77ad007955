// Foreign functions of P programs, loaded from the shared object that the user's C++ was compiled into.
#pragma once

#include <tarry/foreign_abi.h>

#include <filesystem>

#include "base/result.h"

namespace tarry {

/// Does the source use TARRY_FOREIGN, after comments and strings are taken out?
bool is_foreign_source(const std::filesystem::path& source);

/// Opens the object and returns the foreign functions in it.
Result<abi::ForeignTable> load_foreign(const std::filesystem::path& object);

}  // namespace tarry
