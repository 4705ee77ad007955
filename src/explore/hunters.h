// The members of a portfolio that look for bugs while another member looks for a proof.
//
// Searches register their hunts (`Hunt` in core/registry.h), so a new search joins the portfolio by its own file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/registry.h"

namespace tarry {

/// A registered search with the explorer that it asks.
struct Member {
  const Entry<Search>* search;
  std::string explorer = {};                   // empty: none
  std::optional<ChoiceCost> choice_cost = {};  // unset: as the user asked

  const std::string& name() const { return search->name; }
  /// Returns the maker of its explorer, or an empty function.
  ExplorerMaker explorer_maker() const;
  /// Runs the search with the default values of its parameters.
  void run(Session& session) const;
};

/// Returns the member for a search that takes no explorer. Requires: the search is registered.
Member member(const std::string& search);

/// Returns the hunters of one of the two portfolios in the order of their turns: hunters_of(&Made<Search>::hunts_states).
std::vector<Member> hunters_of(std::vector<Hunt> Made<Search>::*portfolio);

}  // namespace tarry
