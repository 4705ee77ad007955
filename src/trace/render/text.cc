// The columns: a mark, the number of the step, the process, what it did, what changed.
//
//      1  philosopher 0  takes fork 0   at[0] hungry -> has-first, fork[0] false -> true
//   !  2  philosopher 1  takes fork 1   at[1] hungry -> has-first, fork[1] false -> true
#include "trace/render/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/units.h"
#include "trace/render/page.h"
#include "trace/render/plain_text.h"
#include "trace/render/sequence.h"
#include "trace/render/thread_trace.h"

namespace tarry {
namespace {

constexpr std::size_t kWidestName = 24;
constexpr std::size_t kWidestLabel = 44;
constexpr std::size_t kNarrowest = 24;  // room for changes, below which they are not wrapped any more

/// What the step does, its data choices, and the delays that were spent before it.
std::string label_of(const ReplayedStep& step, std::uint64_t delays) {
  std::string out = plain_text(step.label);
  if (!step.values.empty()) out += out.empty() ? "chooses " : ", chooses ";
  for (std::size_t i = 0; i < step.values.size(); ++i) out += fmt::format("{}{}", i == 0 ? "" : " ", step.values[i]);
  if (delays > 0) out += fmt::format("{}[{} delay{}]", out.empty() ? "" : " ", delays, delays == 1 ? "" : "s");
  return out;
}

class TraceText : private Page {
 public:
  TraceText(const Replay& replay, const Finding& finding, const RenderOptions& options)
      : Page(options.color), replay_(replay), finding_(finding), options_(options) {
    for (const std::uint64_t step : finding.delayed) ++delays_[step];
  }

  std::string render() {
    choose_steps();
    measure();
    if (options_.verbose) put_state("at the start:", replay_.first_state);
    put_steps();
    put_legend();
    const std::uint64_t taken = replay_.fingerprints.size();
    if (!replay_.last_state.empty())
      put_state(taken == 0 ? "at the start:" : fmt::format("after step {}:", with_separators(taken)), replay_.last_state);
    if (replay_.diverged_at)
      line(paint(kYellow,
                 fmt::format("diverged at step {}: {}", with_separators(*replay_.diverged_at), plain_text(replay_.divergence))));
    for (const std::string& why : finding_.why) line(plain_text(why));
    line(paint(kRed, finding_line(finding_)));
    return take();
  }

 private:
  std::uint64_t delays_before(const ReplayedStep& step) const {
    const auto found = delays_.find(step.number);
    return found == delays_.end() ? 0 : found->second;
  }

  void choose_steps() {
    const std::size_t total = replay_.steps.size();
    if (options_.verbose || total <= std::max<std::size_t>(options_.max_steps, 2)) {
      for (const ReplayedStep& step : replay_.steps) shown_.push_back(&step);
      return;
    }
    const std::size_t most = std::max<std::size_t>(options_.max_steps, 2);
    const std::size_t first = std::max<std::size_t>(most * 2 / 5, 1);
    for (std::size_t i = 0; i < first; ++i) shown_.push_back(&replay_.steps[i]);
    for (std::size_t i = total - (most - first); i < total; ++i) shown_.push_back(&replay_.steps[i]);
  }

  void measure() {
    for (const ReplayedStep* step : shown_) {
      number_width_ = std::max(number_width_, with_separators(step->number).size());
      name_width_ = std::max(name_width_, std::min(columns(plain_text(step->process_name)), kWidestName));
      label_width_ = std::max(label_width_, std::min(columns(label_of(*step, delays_before(*step))), kWidestLabel));
    }
  }

  void put_steps() {
    std::uint64_t before = 0;
    for (const ReplayedStep* step : shown_) {
      if (step->number != before + 1) put_gap(before + 1, step->number - 1);
      before = step->number;
      if (finding_.loop != 0 && step->number >= finding_.loop && !loop_told_) line(paint(kBold, loop_title(finding_, step->number))), loop_told_ = true;
      put_step(*step);
    }
  }

  void put_gap(std::uint64_t from, std::uint64_t to) {
    // Whether --verbose helps depends on whether the steps are there at all: of very long executions not all are told.
    const bool known = replay_.verbose_tells_more ||
        std::any_of(replay_.steps.begin(), replay_.steps.end(), [&](const auto& step) { return step.number == from; });
    line(paint(kYellow, fmt::format("  ... {} steps are left out here ({} to {}){}", with_separators(to - from + 1),
                                    with_separators(from), with_separators(to), known ? "; --verbose shows them" : "")));
  }

  void put_step(const ReplayedStep& step) {
    const char* mark = step.preempted ? "!" : step.switched ? ">" : " ";
    any_switch_ |= step.switched && !step.preempted;
    any_preemption_ |= step.preempted;
    const std::string name = plain_text(step.process_name), label = label_of(step, delays_before(step));
    std::string text = fmt::format("{} {:>{}}  ", step.preempted ? paint(kYellow, mark) : std::string(mark),
                                   with_separators(step.number), number_width_);
    text += step.switched || step.number == 1 ? paint(kBold, pad(name, name_width_)) : pad(name, name_width_);
    text += "  " + pad(label, label_width_);
    const std::size_t indent = 2 + number_width_ + 2 + name_width_ + 2 + label_width_ + 2;
    const bool fits = columns(name) <= name_width_ && columns(label) <= label_width_;
    put_changes(std::move(text), fits, indent, step.changes);
  }

  /// Changes stand in the last column, wrapped between two of them.
  void put_changes(std::string text, bool fits, std::size_t indent, const Narrator::Fields& changes) {
    const std::size_t room = options_.width == 0                    ? static_cast<std::size_t>(-1)
                             : options_.width > indent + kNarrowest ? options_.width - indent
                                                                    : kNarrowest;
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const std::string change = plain_text(changes[i].first + " " + changes[i].second) + (i + 1 < changes.size() ? "," : "");
      if (rows.empty() || columns(rows.back()) + 1 + columns(change) > room) rows.push_back(change);
      else rows.back() += " " + change;
    }
    if (rows.empty() || !fits) line(text);
    for (std::size_t i = 0; i < rows.size(); ++i)
      line((i == 0 && fits ? text + "  " : std::string(indent, ' ')) + paint(kDim, rows[i]));
  }

  void put_legend() {
    if (any_switch_) line(paint(kDim, "> another process goes on, because the one before cannot"));
    if (any_preemption_) line(paint(kDim, "! another process goes on, although the one before could"));
  }

  void put_state(const std::string& title, const Narrator::Fields& fields) {
    line(title);
    std::size_t width = 0;
    for (const auto& [name, value] : fields) width = std::max(width, columns(plain_text(name)));
    for (const auto& [name, value] : fields) line("  " + pad(plain_text(name), width) + "  " + plain_text(value));
  }

  const Replay& replay_;
  const Finding& finding_;
  const RenderOptions& options_;
  std::map<std::uint64_t, std::uint64_t> delays_;  // by step: how many were spent before it
  std::vector<const ReplayedStep*> shown_;
  std::size_t number_width_ = 1, name_width_ = 0, label_width_ = 0;
  bool any_switch_ = false, any_preemption_ = false, loop_told_ = false;
};

}  // namespace

std::string loop_title(const Finding& finding, std::uint64_t step) {
  if (step == finding.loop) return "the loop, which can go on for ever:";
  return fmt::format("the loop, which can go on for ever, starts with step {}:", with_separators(finding.loop));
}

std::string finding_line(const Finding& finding) {
  const std::string kind = plain_text(finding.kind.name());
  std::string text = plain_text(finding.message);
  if (text.empty()) text = kind;
  else text = kind + ": " + text;
  if (!finding.location.empty()) text += " (" + plain_text(finding.location) + ")";
  return text;
}

std::string render_trace_text(const Replay& replay, const Finding& finding, const RenderOptions& options) {
  if (has_happenings(replay)) return render_sequence(replay, finding, options);
  if (!replay.threads.empty()) return render_threads(replay, finding, options);
  return TraceText(replay, finding, options).render();
}

}  // namespace tarry
