#include "trace/render/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/units.h"
#include "trace/render/canvas.h"
#include "trace/render/chart_rows.h"
#include "trace/render/page.h"
#include "trace/render/plain_text.h"

namespace tarry {
namespace {

using Kind = Happening::Kind;

constexpr std::size_t kWidestLocation = 22;
constexpr std::size_t kNarrowestColumn = 12, kWidestColumn = 24;  // from one lifeline to the next
constexpr std::size_t kLast = 14;                     // room behind the last one, at least
constexpr std::size_t kNotes = 30;                    // and if it can be had
constexpr std::size_t kRowsAHeader = 40;

class Sequence : private Page {
 public:
  Sequence(const Replay& replay, const Finding& finding, const RenderOptions& options)
      : Page(options.color),
        replay_(replay),
        finding_(finding),
        options_(options),
        pen_(options.ascii),
        rows_(chart_rows(replay, finding, options.max_steps, options.verbose)) {}

  std::string render() {
    measure();
    if (options_.verbose) put_fields("at the start:", replay_.first_state);
    if (fits_) put_header();
    const ChartRow* before = nullptr;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ChartRow& row = rows_[i];
      if (row.behind_gap) pass_gap(i);
      if (row.shown && row.behind_gap) put_gap(before == nullptr ? 1 : before->step + 1, row.step - 1);
      if (row.shown && finding_.loop != 0 && row.step >= finding_.loop && (before == nullptr || before->step < finding_.loop)) line(paint(kBold, loop_title(finding_, row.step)));
      if (row.shown) before = &row;
      put_row(row);
    }
    put_legend();
    put_values();
    if (replay_.diverged_at)
      line(paint(kYellow,
                 fmt::format("diverged at step {}: {}", with_separators(*replay_.diverged_at), plain_text(replay_.divergence))));
    for (const std::string& why : finding_.why) line(plain_text(why));
    if (!finding_.kind.empty()) line(paint(kRed, finding_line(finding_)));
    return take();
  }

 private:
  // Layout.

  void measure() {
    std::size_t longest = 0;
    for (const ChartRow& row : rows_) {
      if (!row.shown) continue;
      if (!row.observer) know(row.who);
      if (!row.whom.empty()) know(row.whom);
      number_width_ = std::max(number_width_, with_separators(row.step).size());
      location_width_ = std::max(location_width_, std::min(columns(row.location), kWidestLocation));
      if (!row.whom.empty()) longest = std::max(longest, columns(row.text));
    }
    gutter_ = 2 + number_width_ + 2 + location_width_ + (location_width_ == 0 ? 0 : 2);
    const std::size_t gaps = names_.empty() ? 0 : names_.size() - 1;
    const std::size_t room = options_.chart_width > gutter_ ? options_.chart_width - gutter_ : 0;
    const std::size_t wanted = std::clamp(longest + 5, kNarrowestColumn, kWidestColumn);
    spacing_ = kNarrowestColumn;
    if (gaps > 0 && room > kNotes) spacing_ = std::clamp((room - kNotes) / gaps, kNarrowestColumn, wanted);
    fits_ = gaps * spacing_ + kLast <= room;
    notes_ = gaps * spacing_ + 4;
    alive_.assign(names_.size(), false);
  }

  void know(const std::string& name) {
    if (columns_.emplace(name, names_.size()).second) names_.push_back(name);
  }
  /// Requires: a row that is shown names it.
  std::size_t column(const std::string& name) const { return columns_.at(name); }

  void set_alive(const std::string& name, bool alive) {
    if (const auto known = columns_.find(name); known != columns_.end()) alive_[known->second] = alive;
  }

  /// Machines that were created in the steps that are left out have a lifeline from there on: those that do something before `row` or a later
  /// row creates them.
  void pass_gap(std::size_t row) {
    std::unordered_set<std::string> met;
    for (; row < rows_.size(); ++row) {
      const ChartRow& one = rows_[row];
      if (!one.whom.empty() && met.insert(one.whom).second && one.kind != Kind::kCreate && one.kind != Kind::kLost) set_alive(one.whom, true);
      if (!one.observer && met.insert(one.who).second) set_alive(one.who, true);
    }
  }

  std::string gutter(const ChartRow& row) {
    const std::string number = row.first ? with_separators(row.step) : "";
    const std::string mark = row.failing ? pen_.failed : std::string(1, row.first ? row.mark : ' ');
    const std::string location = cut_to(row.location, kWidestLocation, pen_.more);
    any_switch_ |= row.first && row.mark == '>';
    any_preemption_ |= row.first && row.mark == '!';
    std::string out = (row.failing ? paint(kRed, mark) : row.mark == '!' ? paint(kYellow, mark) : mark) + ' ';
    out += fmt::format("{:>{}}  ", number, number_width_);
    if (location_width_ > 0) out += paint(kDim, location) + std::string(location_width_ - columns(location) + 2, ' ');
    return out;
  }

  // The chart.

  /// Names stand at their lifelines, on several lines where they would run into each other.
  void put_header() {
    const std::size_t room = options_.chart_width - gutter_;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string name = cut_to(names_[i], room, pen_.more);
      const std::size_t at = std::min(i * spacing_, room - columns(name));
      auto free =
          std::find_if(lines.begin(), lines.end(), [&](const std::string& l) { return l.empty() || columns(l) + 1 <= at; });
      if (free == lines.end()) free = lines.insert(lines.end(), "");
      *free += std::string(at - columns(*free), ' ') + name;
    }
    for (const std::string& names : lines) line(std::string(gutter_, ' ') + paint(kBold, names));
    rows_since_header_ = 0;
  }

  void put_gap(std::uint64_t from, std::uint64_t to) {
    const bool known = replay_.verbose_tells_more ||
        std::any_of(rows_.begin(), rows_.end(), [&](const ChartRow& row) { return row.step >= from && row.step <= to; });
    line(paint(kYellow, fmt::format("  ... {} steps are left out here ({} to {}){}", with_separators(to - from + 1),
                                    with_separators(from), with_separators(to), known ? "; --verbose shows them" : "")));
  }

  void put_row(const ChartRow& row) {
    if (row.shown && fits_ && rows_since_header_++ >= kRowsAHeader && row.first) put_header();
    if (row.shown) {
      bool whole = true;
      const std::string text = fits_ ? drawn(row, whole) : listed(row, whole);
      line(gutter(row) + (row.failing ? paint(kRed, text) : row.observer ? paint(kDim, text) : text));
      if (options_.verbose && !whole) line(std::string(gutter_ + 4, ' ') + paint(kDim, row.detail));
    }
    if (row.observer) return;
    set_alive(row.who, row.kind != Kind::kHalt);
    if (row.kind == Kind::kCreate) set_alive(row.whom, true);
  }

  std::string drawn(const ChartRow& row, bool& whole) {
    Canvas canvas(options_.chart_width - gutter_, pen_);
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (alive_[i]) canvas.put(i * spacing_, pen_.line);
    if (row.observer) {
      const std::string note = observed(row);
      const std::size_t needs = columns(note), most = canvas.width();
      canvas.text(std::min(notes_, most - std::min(most, needs)), note, &whole);
      return canvas.str();
    }
    const std::size_t from = column(row.who) * spacing_;
    std::size_t behind = 0;
    if (!row.whom.empty() && row.whom != row.who) behind = draw_arrow(canvas, row, from);
    else behind = draw_local(canvas, row, from);
    if (tells_more(row)) canvas.text(behind + 1, row.detail, &whole);
    return canvas.str();
  }

  /// Gives the first free cell behind it.
  std::size_t draw_arrow(Canvas& canvas, const ChartRow& row, std::size_t from) {
    const std::size_t to = column(row.whom) * spacing_;
    const bool arrives = row.kind == Kind::kArrive, lost = row.kind == Kind::kLost;
    const bool whole = canvas.arrow(from, to, row.text, arrives || lost ? pen_.dots : pen_.dash, lost ? pen_.lost : pen_.right,
                                    lost ? pen_.lost : pen_.left);
    if (row.kind == Kind::kCreate) canvas.put(to, pen_.begin);
    std::size_t behind = std::max(from, to) + 1;
    if (!whole) behind = canvas.text(behind + 1, row.text);
    if (arrives) behind = canvas.text(behind + 1, "arrives");
    if (lost) behind = canvas.text(behind + 1, "is lost");
    return behind;
  }

  std::size_t draw_local(Canvas& canvas, const ChartRow& row, std::size_t at) {
    canvas.put(at, row.failing               ? pen_.failed
                   : row.kind == Kind::kTake ? pen_.take
                   : row.kind == Kind::kHalt ? pen_.end
                                             : pen_.line);
    if (row.whom.empty()) return canvas.text(at + 2, words(row));
    canvas.put(at, pen_.from_left);  // to itself
    const std::size_t behind = canvas.text(canvas.text(at + 1, pen_.self) + 1, row.text);
    return row.kind == Kind::kArrive ? canvas.text(behind + 1, "arrives") : behind;
  }

  /// What an event carries is told where it is sent.
  bool tells_more(const ChartRow& row) const {
    return !row.detail.empty() &&
           (options_.verbose || (row.kind != Kind::kTake && row.kind != Kind::kArrive && row.kind != Kind::kLost));
  }

  static std::string words(const ChartRow& row) {
    if (row.state.empty()) return row.text;
    return row.text + (row.text.empty() ? "" : " ") + "[" + row.state + "]";
  }

  std::string observed(const ChartRow& row) const {
    if (row.failing) return fmt::format("{} {} {}", pen_.failed, row.who, row.text);
    if (row.kind == Kind::kSee)
      return fmt::format("{} sees {}{}", row.who, row.text,
                         row.state.empty() ? "" : fmt::format(" {} [{}]", pen_.arrow, row.state));
    return fmt::format("{} {}", row.who, row.state.empty() ? row.text : fmt::format("{} [{}]", pen_.arrow, row.state));
  }

  // The list.

  std::string listed(const ChartRow& row, bool& whole) {
    if (row.observer) return "  " + observed(row);
    std::string out = paint(kBold, row.who);
    std::size_t used = columns(row.who);
    std::string does;
    switch (row.kind) {
      case Kind::kCreate:
      case Kind::kSend: does = fmt::format(" {0}{0}{1}{0}{0}{2} {3}", pen_.dash, row.text, pen_.right, row.whom); break;
      case Kind::kArrive: does = fmt::format(" {0}{0}{1}{0}{0}{2} {3} arrives", pen_.dots, row.text, pen_.right, row.whom); break;
      case Kind::kLost: does = fmt::format(" {0}{0}{1}{0}{0}{2} {3} is lost", pen_.dots, row.text, pen_.lost, row.whom); break;
      case Kind::kTake: does = fmt::format(" takes {}", words(row)); break;
      default: does = fmt::format(" {}{}", row.failing ? std::string(pen_.failed) + " " : "", words(row)); break;
    }
    out += does;
    used += columns(does);
    if (!tells_more(row)) return out;
    const std::size_t room = options_.chart_width > gutter_ + used + 2 ? options_.chart_width - gutter_ - used - 2 : 0;
    whole = columns(row.detail) <= room;
    return room < 8 ? out : out + "  " + cut_to(row.detail, room, pen_.more);
  }

  // Below.

  void put_legend() {
    if (any_switch_) line(paint(kDim, "> another machine goes on, because the one before cannot"));
    if (any_preemption_) line(paint(kDim, "! another machine goes on, although the one before could"));
  }

  void put_values() {
    const std::uint64_t taken = replay_.fingerprints.size();
    const std::string when = taken == 0                 ? "at the start"
                             : replay_.ending.cut_short ? fmt::format("before step {}", with_separators(taken))
                                                        : fmt::format("after step {}", with_separators(taken));
    if (options_.verbose) return put_fields(when + ":", replay_.last_state);
    std::set<std::string> whose(replay_.ending.who.begin(), replay_.ending.who.end());
    if (whose.empty() && !replay_.steps.empty()) whose.insert(replay_.steps.back().process_name);
    Narrator::Fields fields;
    for (const auto& field : replay_.last_state)
      if (whose.contains(field.first) || whose.contains(field.first.substr(0, field.first.find('.')))) fields.push_back(field);
    put_fields(when + " (all values: --verbose):", fields);
  }

  void put_fields(const std::string& title, const Narrator::Fields& fields) {
    if (fields.empty()) return;
    line(title);
    std::size_t width = 0;
    for (const auto& [name, value] : fields) width = std::max(width, columns(plain_text(name)));
    for (const auto& [name, value] : fields) {
      const std::string shown = plain_text(name), what = plain_text(value);
      const std::size_t room = options_.chart_width > width + 4 ? options_.chart_width - width - 4 : 0;
      line("  " + shown + std::string(width - columns(shown) + 2, ' ') +
           (options_.verbose || room < 20 ? what : cut_to(what, room, pen_.more)));
    }
  }

  const Replay& replay_;
  const Finding& finding_;
  const RenderOptions& options_;
  Pen pen_;
  std::vector<ChartRow> rows_;
  std::vector<std::string> names_;  // of machines: the columns
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<bool> alive_;         // by column: it has a lifeline
  std::size_t number_width_ = 1, location_width_ = 0, gutter_ = 0, spacing_ = kNarrowestColumn, notes_ = 0;
  std::size_t rows_since_header_ = 0;
  bool fits_ = true, any_switch_ = false, any_preemption_ = false;
};

}  // namespace

bool has_happenings(const Replay& replay) {
  return std::any_of(replay.steps.begin(), replay.steps.end(), [](const ReplayedStep& step) { return !step.happenings.empty(); });
}

std::string render_sequence(const Replay& replay, const Finding& finding, const RenderOptions& options) {
  return Sequence(replay, finding, options).render();
}

}  // namespace tarry
