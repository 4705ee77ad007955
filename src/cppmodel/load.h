// Loads compiled models, and checks their versions.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "core/program.h"

namespace tarry {

/// Does the source use TARRY_MODEL (after comments and strings are taken out)?
bool is_model_source(const std::filesystem::path& source);

/// Opens the object and makes its model a program, with a formula (--ltl) if there is one. The object stays loaded for the rest of the process.
Result<std::unique_ptr<Program>> load_model(const std::filesystem::path& object, const std::string& formula = "");

}  // namespace tarry
