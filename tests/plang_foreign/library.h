// Foreign functions for the tests, in this very program, and what it takes to call them from P.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "plang/foreign/linked.h"
#include "plang/vm/p_program.h"
#include "tests/support/p_source.h"

namespace tarry::plang {

/// A program whose only machine has this entry, with these declarations before it.
class Sample {
 public:
  Sample(const std::string& declarations, const std::string& entry);

  /// What happens in the first step: "" if all is well, else "kind: message".
  std::string first_step(Purpose purpose = Purpose::kReplay);

  Code& code() { return *ready_.code; }
  const TestCase& test() const { return ready_.test(); }
  const Foreign& foreign() const { return *foreign_; }

 private:
  testing_support::Ready ready_;
  std::unique_ptr<LinkedForeign> foreign_;
};

/// The functions of library.cc.
abi::ForeignTable library();

}  // namespace tarry::plang
