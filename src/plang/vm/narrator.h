// Tells about states and steps of a P program.
#pragma once

#include <memory>

#include "core/program.h"
#include "plang/vm/layout.h"
#include "plang/vm/world.h"

namespace tarry::plang {

class StepListener;  // follow.h

/// `listener`: is told of what is explained; may be null.
std::unique_ptr<Narrator> make_narrator(World& world, Layout layout, std::unique_ptr<StepListener> listener = nullptr);

}  // namespace tarry::plang
