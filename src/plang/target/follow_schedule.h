// Schedules of P's own checker (.schedule), followed on the program that they belong to.
#pragma once

#include <filesystem>

#include "core/target.h"

namespace tarry::plang {

/// Requires: the request names the program and, if need be, the test.
FollowResult follow_schedule(const TargetRequest& request, const std::filesystem::path& schedule);

}  // namespace tarry::plang
