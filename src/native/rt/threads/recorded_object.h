// What an operation of a recorded execution works on: a variable, part of a block of the heap, something in a frame of a stack.
#pragma once

#include "native/abi/messages.h"
#include "native/rt/base/operation.h"

namespace tarry::native::rt {

/// Requires: the execution is recorded, and stands where the object is used.
RecordedObject object_of(const void* object);
/// What the operation works on is in memory, and may have a name there.
bool has_object(const Operation& operation);

}  // namespace tarry::native::rt
