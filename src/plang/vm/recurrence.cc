// Steps that do not end. A step of very many turns is followed turn by turn: if it comes to where it was before, it never ends, and that is a bug of
// the program. If it does not, it is unknown whether it ends: then a limit of Tarry's ends the search.
//
// What it is compared with is moved on at turns 1, 2, 4, 8, … (Brent), so that a loop of any length up to the limit is found however late it starts.
#include <fmt/format.h>

#include "base/units.h"
#include "plang/vm/vm.h"

namespace tarry::plang {

void Vm::look_for_recurrence(const Turn& turn) {
  fuel_ = 1;  // the next turn comes here too
  const std::size_t effects = m_.is_monitor ? 0 : out_->effects.size();
  if (turns_looked_at_ == 0) remember_next_ = 0;
  const bool known = turn.at != Turn::At::kBetween;
  if (known && remember_next_ > 0 && turn == remembered_.turn && effects == remembered_.effects && foreign_calls_ == remembered_.foreign_calls &&
      inbox_ == remembered_.inbox && m_ == remembered_.machine) {
    Failure f = failure("", "", place());
    f.kind = "nontermination";
    f.message = fmt::format("'{}' goes on without end: the step comes to where it was before", name_of_self());
    throw Failed{std::move(f)};
  }
  if (turns_looked_at_ == kMostTurnsLookedAt)
    meet_limit(fmt::format("more than {} calls and turns of loops in one step of '{}'", with_separators(kFuel), name_of_self()));
  if (known && turns_looked_at_ >= remember_next_) {
    remembered_ = {turn, m_, inbox_, effects, foreign_calls_};
    remember_next_ = turns_looked_at_ * 2 + 1;
  }
  ++turns_looked_at_;
}

}  // namespace tarry::plang
