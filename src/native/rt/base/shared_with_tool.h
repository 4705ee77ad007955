// Memory that is shared with the tool, and how the process says its last word there.
#pragma once

#include <cstdint>

#include "native/abi/messages.h"
#include "native/abi/protocol.h"

namespace tarry::native::rt {

/// Maps the blocks of the session, if there is one.
bool attach();
Block& block();
Common& common();

/// Leaves the answer and ends the process.
[[noreturn]] void leave_answer(const Answer& answer);

/// Before main: it cannot be done at all, and why.
[[noreturn]] void give_up(const char* problem);

/// Tarry's own: leaves a word and ends the process.
[[noreturn]] void die_of_own_fault(int signal, std::uintptr_t address, std::uintptr_t pc);

}  // namespace tarry::native::rt
