// Arithmetic on sets of events.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "plang/sema/types.h"

namespace tarry::plang {

void add_event(EventSet& set, std::uint32_t event);
void add_events(EventSet& set, const EventSet& more);
EventSet intersection(const EventSet& a, const EventSet& b);
EventSet difference(const EventSet& a, const EventSet& b);

}  // namespace tarry::plang
