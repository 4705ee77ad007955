#include "plang/sema/check_program.h"

#include "plang/sema/phases.h"
#include "plang/syntax/parser.h"

namespace tarry::plang {

void check(CheckedProgram& program, Diagnostics& diagnostics) {
  SemaContext context{.program = program, .diagnostics = diagnostics};
  declare_all(context);
  fill_declarations(context);
  fill_states(context);
  check_handler_types(context);
  check_bodies(context);
  follow_effects(context);
  make_tests(context);
}

Compiled compile(Sources sources, Diagnostics::Mode mode) {
  auto program = std::make_unique<CheckedProgram>();
  program->sources = std::move(sources);
  Diagnostics diagnostics(mode);
  try {
    program->tree = parse(program->sources, diagnostics);
    if (!diagnostics.failed()) check(*program, diagnostics);
  } catch (const Stop&) {  // already reported
  }
  Compiled result;
  result.problems = diagnostics.sorted();
  result.messages = render(program->sources, result.problems);
  if (!diagnostics.failed()) result.program = std::move(program);
  return result;
}

}  // namespace tarry::plang
