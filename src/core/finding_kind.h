// What findings are called.
#pragma once

#include <cstdint>

#include "base/one_of.h"

namespace tarry {

/// The kinds of docs/output.md, in its order; then what is no bug of the program's: "spin-wait" becomes a note, "limit" ends a search.
inline constexpr const char* kFindingKinds[] = {"assertion", "unhandled-event", "deadlock",  "livelock",      "good-samaritan", "liveness",       "data-race", "crash",     "exception",
                                                "memory",    "runtime-error",   "spec",      "misuse",        "nontermination", "nondeterminism", "explorer",  "spin-wait", "limit"};
using FindingKind = OneOf<kFindingKinds>;

/// The kind of a step that could not be taken because of a limit of Tarry itself. It is no finding: the search ends there and
/// reports the limit. The message names the limit: "more than 65,535 machines".
inline constexpr FindingKind kLimitKind = "limit";

/// Names a failure among those that the program's front end keeps, where it knows more about one than its text: places in the code, stacks.
enum class FailureId : std::uint32_t { kNone = ~std::uint32_t{0} };

/// The one equality of findings, for all types that have these fields.
template <class A, class B>
bool same_finding(const A& a, const B& b) {
  return a.kind == b.kind && a.message == b.message && a.location == b.location && a.failure == b.failure;
}

}  // namespace tarry
