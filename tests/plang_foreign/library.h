// Foreign functions for the tests, in this very program, and what it takes to call them from P.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "plang/code/bytecode.h"
#include "plang/foreign/linked.h"
#include "plang/sema/program.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {

/// A program whose only machine has this entry, with these declarations before it.
class Sample {
 public:
  Sample(const std::string& declarations, const std::string& entry);

  /// What happens in the first step: "" if all is well, else "kind: message".
  std::string first_step(Purpose purpose = Purpose::kReplay);

  Code& code() { return *code_; }
  const TestCase& test() const { return program_->tests.front(); }
  const Foreign& foreign() const { return *foreign_; }

 private:
  std::unique_ptr<Program> program_;
  std::unique_ptr<Code> code_;
  std::unique_ptr<LinkedForeign> foreign_;
};

/// The functions of library.cc.
abi::ForeignTable library();

}  // namespace tarry::plang
