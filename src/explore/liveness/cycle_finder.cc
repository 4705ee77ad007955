#include "explore/liveness/cycle_finder.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/liveness/shared_split.h"

namespace tarry {

Narrator& CycleFinder::narrator() {
  if (narrator_ == nullptr) narrator_ = session_.program().narrator();
  return *narrator_;
}

/// One for each worker. Small graphs have one worker.
std::vector<Enabled> CycleFinder::enabled() {
  constexpr std::uint32_t kSmall = 2048;
  const Program& program = session_.program();
  const std::size_t jobs = graph_.size() < kSmall ? 1 : session_.options().jobs;
  while (more_spaces_.size() + 1 < jobs) more_spaces_.push_back(program.open());
  std::vector<Enabled> out;
  out.emplace_back(graph_, space_, program);
  for (std::size_t i = 1; i < jobs; ++i) out.emplace_back(graph_, *more_spaces_[i - 1], program);
  return out;
}

void CycleFinder::look() {
  std::vector<Enabled> who = enabled();
  const Room each = room(static_cast<std::uint32_t>(who.size()));
  const std::uint64_t bytes = graph_.size() * each.per_state + graph_.edge_count() * each.per_edge;
  budget_.force(bytes);
  FairComponents components(graph_, who, rules(), [&] { return bump(session_.worker(0).beat), session_.poll(); });
  for (std::uint32_t i = 0; i < properties_.size() && !session_.stopping(); ++i)
    if (components.find(i)) {
      report(make_lasso(graph_, components, who.front(), narrator(), [&] { return must_end(); }), i);
      break;
    }
  budget_.give(bytes);
}

void CycleFinder::report(Lasso lasso, std::uint32_t property) {
  Finding finding{.kind = "liveness", .message = endless_message(properties_[property]), .location = "", .schedule = {}};
  finding.loop = lasso.stem.size() + 1;
  finding.why = std::move(lasso.why);
  lasso.stem.insert(lasso.stem.end(), lasso.loop.begin(), lasso.loop.end());
  finding.steps = lasso.stem.size();
  finding.schedule = choices_of(session_.moves(), lasso.stem);
  session_.add_finding(std::move(finding));
  session_.stop(StoppedBy::kFinding);
}

void CycleFinder::note_fair_choices() {
  if (rules().choices != LoopChoices::kFair || !graph_.has_choices()) return;
  std::vector<Enabled> who = enabled();
  const auto give_up = [&] { return must_end(); };
  FairComponents components(graph_, who, {rules().fairness, LoopChoices::kDemonic}, give_up);  // takes as long as the look before it
  std::string noted;  // a formula has several properties of one name
  for (std::uint32_t i = 0; i < properties_.size(); ++i) {
    if (properties_[i].name == noted) continue;
    const bool found = components.find(i).has_value();
    if (components.given_up()) return session_.outcome.notes.emplace_back("whether fair choices were needed was not found out in time"), void();
    if (!found) continue;
    noted = properties_[i].name;
    const Lasso lasso = make_lasso(graph_, components, who.front(), narrator(), give_up);
    session_.outcome.notes.push_back(fmt::format("{} holds because data choices are fair: {} could go against it for ever; --choices demonic shows how", properties_[i].name, place_of_choice(lasso)));
  }
}

/// The first data choice of the loop that could lead out of it, in words.
std::string CycleFinder::place_of_choice(const Lasso& lasso) {
  std::vector<Word> state(session_.program().shape().words);
  space_.initial(state.data());
  Taken taken(static_cast<std::uint32_t>(state.size()));
  for (std::size_t i = 0; i < lasso.stem.size() + lasso.loop.size(); ++i) {
    if (i % 4096 == 0 && must_end()) break;
    const Move move = i < lasso.stem.size() ? lasso.stem[i] : lasso.loop[i - lasso.stem.size()];
    const ProcessId process = session_.moves().process(move);
    const auto values = session_.moves().values(move);
    if (i == lasso.stem.size() + lasso.against) {
      const StepText text = narrator().explain(state, process, values);
      std::string place = text.choices.empty() ? "" : text.choices.front();
      for (const Happening& happening : text.happenings)
        if (place.empty() && !happening.location.empty()) place = happening.location;
      if (place.empty() && !text.label.empty()) place = fmt::format("'{}'", text.label);
      return fmt::format("the choice of {}{}{}", narrator().process_name(process), place.empty() ? "" : " at ", place);
    }
    space_.take(state, process, values, taken);
    std::copy(taken.state().begin(), taken.state().end(), state.begin());
  }
  return "a choice";
}

}  // namespace tarry
