// --points: where the processes of a program can be interrupted. For front ends whose programs can be cut into steps in more than one way.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "core/option.h"

namespace tarry {

enum class PointsAsked { kNeeded, kOfP, kAllAccesses };

/// Returns the option, the same for all front ends. Each front end refuses the kind that it does not have when it settles its options.
inline Option points_option(const std::string& group, std::function<void(PointsAsked)> chosen) {
  return {.names = "--points", .value = "needed|p|all", .help = "where processes can be interrupted: needed, where it can make a difference (threads: at synchronisation, atomics and accesses that race); p, wherever P's own checker does; all, at every access of a thread to memory (default: needed)", .group = group,
          .take = one_of({"needed", "p", "all"}, [chosen = std::move(chosen)](std::size_t i) { chosen(static_cast<PointsAsked>(i)); })};
}

}  // namespace tarry
