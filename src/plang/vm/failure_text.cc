#include "plang/vm/failure_text.h"

#include <fmt/format.h>

namespace tarry::plang {

StepText text_of_failure(const Failure& failure, const World& world) {
  StepText text;
  text.kind = failure.kind;
  text.message = shown(failure.message);
  if (failure.kind == "runtime-error" && *failure.r_class != '\0') text.message += fmt::format(" [{}]", failure.r_class);
  text.location = world.code.program->sources.text(failure.place);
  return text;
}

}  // namespace tarry::plang
