// The engine's values as JSON, for processes that tell each other: the tool and its children, the tool and the runtime in a tested
// program. Both ends are of one build, so there is no version. `Json(value)` writes, `json.get<T>()` reads and throws what is wrong.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/search.h"

namespace tarry {

using Json = nlohmann::json;

/// What programs say need not be UTF-8.
std::string exchange_text(const Json& json);
/// A text as it is on the other side of an exchange, or in a trace.
std::string exchanged(const std::string& text);

/// A choice is one number (code_of).
void to_json(Json& json, const Choice& choice);
void from_json(const Json& json, Choice& choice);

void to_json(Json& json, const Finding& finding);
void from_json(const Json& json, Finding& finding);

void to_json(Json& json, const Outcome& outcome);
void from_json(const Json& json, Outcome& outcome);

/// All facts of a search, by the lists of core/search_result.h.
void to_json(Json& json, const SearchResult& result);
void from_json(const Json& json, SearchResult& result);

void to_json(Json& json, const SearchOptions& options);
void from_json(const Json& json, SearchOptions& options);

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> unless_null(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

}  // namespace tarry
