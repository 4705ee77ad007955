// The phases of the checker, in the order in which check.cc calls them.
#pragma once

#include "plang/sema/context.h"

namespace tarry::plang {

/// Enters every declaration into the tables of its scope (E03, E04), makes the interfaces of machines, and numbers everything.
void declare_all(Context& context);

/// Fills in event sets; types of aliases, payloads, fields, parameters and results; enums.
void fill_declarations(Context& context);

/// Fills in entry, exit and handlers of all states, start states, payloads of constructors (E11 … E20, E22, W1 … W3).
void fill_states(Context& context);
/// Checks that the functions of handlers accept the payloads of their events.
void check_handler_types(Context& context);

/// Checks function bodies: everything of 3.6, 3.7 and 3.9. Fills in Context::facts.
void check_bodies(Context& context);

/// Follows calls: Function::effects, purity (E36, E39), Machine::creates.
void follow_effects(Context& context);

/// Builds tests and implementations, with all modules (E43 … E65).
void make_tests(Context& context);

}  // namespace tarry::plang
