#pragma once

#include "plang/sema/sema_context.h"

namespace tarry::plang {

/// Fills in TypeDecl::type of all aliases. Requires: event sets are filled in.
void resolve_aliases(SemaContext& context);

/// Reports E09 for every repeated name. Returns whether there was one.
bool report_repeated_fields(const SemaContext& context, const std::vector<Name>& names);

}  // namespace tarry::plang
