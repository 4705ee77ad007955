// The environment of a program with the runtime in it: the user's own, with a few variables in front.
#pragma once

#include <string>
#include <vector>

namespace tarry::native {

struct LaunchedProgram;

class Environment {
 public:
  /// `common` and `block`: the files of abi/protocol.h.
  Environment(const LaunchedProgram& program, int common, int block);

  /// For execve.
  char* const* pointers() const { return pointers_.data(); }
  /// What was set or changed, as NAME=VALUE.
  const std::vector<std::string>& added() const { return added_; }

 private:
  std::vector<std::string> added_;
  std::vector<char*> pointers_;
};

}  // namespace tarry::native
