// Variables on a stack, by address, down to the member or element: "cache.mutex", "flags[1]".
//
// The debug information says where a variable lies relative to its function's frame, by one of three bases: the frame address (the stack
// pointer before the call), the frame pointer, or the stack pointer. What threads share has its address taken, so it is there and not in a
// register.
#pragma once

#include <elfutils/libdw.h>

#include <string>

#include "native/abi/messages.h"

namespace tarry::native {

/// `unit` holds the function of the object's frame, which goes on at `pc`, as the unit counts. Empty if there is no variable with a name.
std::string local_at(Dwarf_Die* unit, Dwarf_Addr pc, const RecordedObject& object);

}  // namespace tarry::native
