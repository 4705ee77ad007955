// Tells about states and steps of a P program.
#pragma once

#include <memory>

#include "core/program.h"
#include "plang/vm/layout.h"
#include "plang/vm/world.h"

namespace tarry::plang {

std::unique_ptr<Narrator> make_narrator(World& world, Layout layout);

}  // namespace tarry::plang
