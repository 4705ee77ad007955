// Loading of what the user wrote in C++ (models, foreign functions of P programs), with versions checked.
#pragma once

#include <tarry/foreign_abi.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/program.h"

namespace tarry {

/// Does the source use TARRY_MODEL (after comments and strings are taken out)?
bool is_model_source(const std::filesystem::path& source);
/// The same for TARRY_FOREIGN.
bool is_foreign_source(const std::filesystem::path& source);

/// Opens the object and makes its model a program, with a formula (--ltl) if there is one. The object stays loaded for the rest of the process.
Result<std::unique_ptr<Program>> load_model(const std::filesystem::path& object, const std::string& formula = "");

/// Opens the object and gives the foreign functions in it.
Result<abi::ForeignTable> load_foreign(const std::filesystem::path& object);

}  // namespace tarry
