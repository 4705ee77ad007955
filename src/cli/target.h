// From what the user named to a shared object that can be loaded.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cppmodel/build.h"

namespace tarry::cli {

/// The model in a source or an object. What is something else is refused with a hint.
Result<BuiltObject> prepare_model(const std::string& target, const std::vector<std::string>& defines);

/// An explorer of the user's own.
Result<BuiltObject> prepare_explorer(const std::string& file);

}  // namespace tarry::cli
