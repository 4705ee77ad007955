#include "trace/render/chart_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "trace/render/plain_text.h"

namespace tarry {
namespace {

using Kind = Happening::Kind;

/// "PSrc/Server.p:12:5" is "Server.p:12" for a narrow column.
std::string short_location(const std::string& location) {
  std::string out = location.substr(location.rfind('/') + 1);
  const std::size_t last = out.rfind(':');
  if (last != std::string::npos && out.find(':') != last) out.erase(last);
  return plain_text(out);
}

/// Returns the words that mark the failing process.
std::string words_for(const std::string& kind) {
  static const std::map<std::string, std::string> kWords{
      {"assertion", "assertion fails"},   {"spec", "is violated"},
      {"deadlock", "waits for ever"},     {"liveness", "is still hot"},
      {"nontermination", "does not end"}, {"unhandled-event", "unhandled event"},
      {"runtime-error", "fails"}};
  const auto known = kWords.find(kind);
  return known == kWords.end() ? kind : known->second;
}

class Builder {
 public:
  Builder(const Replay& replay, const Finding& finding, bool all) : replay_(replay), finding_(finding), all_(all) {
    for (const std::uint64_t step : finding.delayed) ++delays_[step];
  }

  std::vector<ChartRow> build() {
    for (const ReplayedStep& step : replay_.steps) add_step(step);
    if (!replay_.diverged_at && !finding_.kind.empty()) add_failure();
    return std::move(rows_);
  }

 private:
  void add_step(const ReplayedStep& step) {
    gap_ = step_ != nullptr && step.number != step_->number + 1;
    step_ = &step;
    at_first_ = true;
    const auto& all = step.happenings;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Happening* const next = i + 1 < all.size() ? &all[i + 1] : nullptr;
      const bool enters =
          next != nullptr && next->kind == Kind::kEnter && next->who == all[i].who && next->observer == all[i].observer;
      if (all[i].kind == Kind::kSend) sent_[all[i].who] = step.number;
      if ((all[i].kind == Kind::kTake || all[i].kind == Kind::kSee) && enters) {
        add(all[i]).state = plain_text(all[i + 1].text);
        ++i;
      } else if (wanted(all[i])) {
        add(all[i]);
      }
    }
    if (all.empty())
      add({.kind = Kind::kNote,
           .observer = false,
           .who = step.process_name,
           .whom = "",
           .text = step.label,
           .detail = "",
           .location = ""});
  }

  bool wanted(const Happening& h) {
    if (all_) return true;
    if (h.kind == Kind::kArrive) return sent_[h.who] + 1 != step_->number;
    return h.kind != Kind::kSee;
  }

  ChartRow& add(const Happening& h) {
    ChartRow row;
    row.step = step_->number;
    row.first = at_first_;
    row.behind_gap = std::exchange(gap_, false);
    row.mark = step_->preempted ? '!' : step_->switched ? '>' : ' ';
    row.kind = h.kind;
    row.observer = h.observer;
    row.who = plain_text(h.who);
    row.whom = plain_text(h.whom);
    row.text = plain_text(h.text);
    row.detail = plain_text(h.detail);
    row.location = short_location(h.location);
    if (row.kind == Kind::kEnter) row.state = std::move(row.text);
    const auto delayed = delays_.find(row.step);
    const std::uint64_t delays = at_first_ && delayed != delays_.end() ? delayed->second : 0;
    if (delays > 0) row.detail += fmt::format("{}[{} delay{}]", row.detail.empty() ? "" : " ", delays, delays == 1 ? "" : "s");
    at_first_ = false;
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  void add_failure() {
    std::unordered_set<std::string> machines;
    for (const ChartRow& row : rows_)
      if (!row.observer) machines.insert({row.who, row.whom});
    for (const std::string& name : machines_at_end()) machines.insert(name);
    std::vector<std::string> who = replay_.ending.who;
    if (who.empty() && !replay_.steps.empty()) who = {replay_.steps.back().process_name};
    if (finding_.kind == "spec" && who.size() > 1) who.resize(1);
    for (const std::string& name : who) {
      ChartRow row;
      row.step = replay_.steps.empty() ? 0 : replay_.steps.back().number;
      row.failing = true;
      row.who = plain_text(name);
      row.observer = !machines.contains(row.who);
      row.text = words_for(finding_.kind.name());
      row.location = short_location(finding_.location);
      rows_.push_back(std::move(row));
    }
  }

  /// Machines have an inbox; steps that are not told may have created some.
  std::vector<std::string> machines_at_end() const {
    constexpr std::string_view kInbox = ".inbox";
    std::vector<std::string> out;
    for (const auto& [name, value] : replay_.last_state)
      if (name.ends_with(kInbox)) out.push_back(plain_text(name.substr(0, name.size() - kInbox.size())));
    return out;
  }

  const Replay& replay_;
  const Finding& finding_;
  bool all_;
  std::map<std::uint64_t, std::uint64_t> delays_;  // by step: how many were spent before it
  const ReplayedStep* step_ = nullptr;
  bool at_first_ = true, gap_ = false;
  std::map<std::string, std::uint64_t> sent_;  // by sender: the step in which it sent last
  std::vector<ChartRow> rows_;
};

/// Two fifths at the start, the rest at the end, whole steps only.
void leave_out(std::vector<ChartRow>& rows, std::size_t most) {
  if (rows.size() <= most) return;
  std::size_t from = std::max<std::size_t>(most * 2 / 5, 1), to = rows.size() - (most - most * 2 / 5);
  while (from > 0 && rows[from].step == rows[from - 1].step) --from;
  while (to < rows.size() && rows[to].step == rows[to - 1].step) ++to;
  if (to >= rows.size()) return;
  for (std::size_t i = from; i < to; ++i) rows[i].shown = false;
  rows[to].behind_gap = to > from;
}

}  // namespace

std::vector<ChartRow> chart_rows(const Replay& replay, const Finding& finding, std::size_t most, bool all) {
  std::vector<ChartRow> rows = Builder(replay, finding, all).build();
  if (!all) leave_out(rows, most);
  return rows;
}

}  // namespace tarry
