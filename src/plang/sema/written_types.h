#pragma once

#include "plang/sema/context.h"

namespace tarry::plang {

/// Fills in TypeDecl::type of all. Requires: sets of events are filled in.
void resolve_aliases(Context& context);

/// E09 for every name that was there before; were there any?
bool report_repeated_fields(const Context& context, const std::vector<Name>& names);

}  // namespace tarry::plang
