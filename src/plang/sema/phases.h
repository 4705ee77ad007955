// The phases of the checker, in the order in which check_program.cc calls them.
#pragma once

#include "plang/sema/sema_context.h"

namespace tarry::plang {

/// Enters every declaration into the tables of its scope (E03, E04), makes the interfaces of machines, and numbers everything.
void declare_all(SemaContext& context);

/// Fills in event sets; types of aliases, payloads, fields, parameters and results; enums.
void fill_declarations(SemaContext& context);

/// Fills in entry, exit and handlers of all states, start states, payloads of constructors (E11 … E20, E22, W1 … W3).
void fill_states(SemaContext& context);
/// Checks that the functions of handlers accept the payloads of their events.
void check_handler_types(SemaContext& context);

/// Checks function bodies: everything of 3.6, 3.7 and 3.9. Fills in SemaContext::facts.
void check_bodies(SemaContext& context);

/// Follows calls: Function::effects, purity (E36, E39), Machine::creates.
void follow_effects(SemaContext& context);

/// Builds tests and implementations, with all modules (E43 … E65).
void make_tests(SemaContext& context);

}  // namespace tarry::plang
