// A failure as the engine reports it.
#pragma once

#include "core/program.h"
#include "plang/vm/step.h"
#include "plang/vm/world.h"

namespace tarry::plang {

StepText text_of_failure(const Failure& failure, const World& world);

}  // namespace tarry::plang
