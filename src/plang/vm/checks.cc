// What a test of a P program is checked for: the assertions that it can come to, and its specs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plang/foreign/calls.h"
#include "plang/sema/checked_program.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {
namespace {

/// Specs that no test attaches are never run, whatever their author thinks.
std::vector<std::string> specs_of_no_test(const CheckedProgram& program) {
  std::set<const Machine*> attached;
  for (const TestCase& test : program.tests)
    for (const AttachedMonitor& one : test.monitors) attached.insert(one.monitor);
  std::vector<std::string> out;
  for (const Machine* machine : program.machines)
    if (machine->kind == Machine::Kind::kSpec && attached.count(machine) == 0)
      out.push_back(fmt::format("spec '{}' is attached to no test", machine->name.text));
  return out;
}

}  // namespace

Checks PProgram::checks() const {
  Checks out;
  const std::size_t assertions = assertions_of_machines(code_, test_);
  if (assertions > 0) out.made.push_back(fmt::format("{} assertion{}", assertions, assertions == 1 ? "" : "s"));
  bool any = false;
  for (const AttachedMonitor& one : test_.monitors) {
    const bool is_spec = one.monitor->kind == Machine::Kind::kSpec;
    any = any || is_spec;
    out.made.push_back(fmt::format("{} '{}'", is_spec ? "spec" : "scenario", one.monitor->name.text));
  }
  if (any) out.missing = specs_of_no_test(*code_.program);
  else out.missing.emplace_back("no spec is attached to this test");
  return out;
}

}  // namespace tarry::plang
