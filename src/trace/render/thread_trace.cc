// The columns: a mark, the number of the step, the thread, the source line, what it did and to what, values.
//
//      1  main      queue_test.cpp:20  create thread
//   !  2  thread 1  queue.h:12         lock queue.mutex
//      3  thread 1  queue.h:14         write queue.count   0 -> 1
//         | hello
#include "trace/render/thread_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/units.h"
#include "trace/render/page.h"
#include "trace/render/plain_text.h"

namespace tarry {
namespace {

constexpr std::size_t kWidestThread = 20;
constexpr std::size_t kWidestPlace = 36;
constexpr std::size_t kWidestOperation = 44;
constexpr std::size_t kLongestPeriod = 64;

/// A long path is known by its end.
std::string short_place(const std::string& place) {
  if (columns(place) <= kWidestPlace) return place;
  const std::size_t slash = place.find('/', place.size() - kWidestPlace + 1);
  return "…" + (slash == std::string::npos ? place.substr(place.rfind('/') == std::string::npos ? 0 : place.rfind('/')) : place.substr(slash));
}

bool same_step(const ReplayedStep& a, const ReplayedStep& b) {
  return a.process == b.process && a.label == b.label && a.location == b.location && a.values == b.values && a.output == b.output;
}

class ThreadText : private Page {
 public:
  ThreadText(const Replay& replay, const Finding& finding, const RenderOptions& options) : Page(options.color), replay_(replay), finding_(finding), options_(options) {}

  std::string render() {
    choose();
    measure();
    for (const Piece& piece : pieces_) put(piece);
    if (hidden_ > 0) line(paint(kDim, fmt::format("({} of the test framework {} left out; --verbose shows {})", counted_steps(hidden_), hidden_ == 1 ? "is" : "are", hidden_ == 1 ? "it" : "them")));
    put_legend();
    if (replay_.diverged_at)
      line(paint(kYellow, fmt::format("diverged at step {}: {}", with_separators(*replay_.diverged_at), plain_text(replay_.divergence))));
    put_threads();
    if (!replay_.stack.empty()) {
      line("where it failed:");
      put_stack(replay_.stack);
    }
    line(paint(kRed, finding_line(finding_)));
    return take();
  }

 private:
  /// Prints the steps that are shown, or how many are not.
  struct Piece {
    std::size_t first, count;      // steps
    std::uint64_t times = 1;       // more than once: they repeat
    bool left_out = false;
  };

  static std::string counted_steps(std::size_t count) { return with_separators(count) + (count == 1 ? " step" : " steps"); }

  /// Of the test framework, while no other thread comes in between.
  bool is_hidden(std::size_t i) const {
    return !options_.verbose && step(i).frameworks && !step(i).switched && (i + 1 == replay_.steps.size() || !step(i + 1).preempted);
  }

  const ReplayedStep& step(std::size_t i) const { return replay_.steps[i]; }

  /// How often the steps from `at` on repeat with this period.
  std::uint64_t repetitions(std::size_t at, std::size_t period) const {
    std::size_t end = at + period;
    while (end < replay_.steps.size() && same_step(step(end), step(end - period))) ++end;
    return (end - at) / period;
  }

  void choose() {
    const std::size_t total = replay_.steps.size();
    for (std::size_t at = 0; at < total;) {
      Piece piece{at, 1};
      if (!options_.verbose)
        for (std::size_t period = 1; period <= kLongestPeriod && at + 3 * period <= total; ++period)
          if (const std::uint64_t times = repetitions(at, period); times >= 3 && times * period >= 8) {
            piece = {at, period, times};
            break;
          }
      pieces_.push_back(piece);
      at += piece.count * piece.times;
    }
    const std::size_t most = std::max<std::size_t>(options_.max_steps, 2);
    if (options_.verbose || pieces_.size() <= most) return;
    const std::size_t before = std::max<std::size_t>(most * 2 / 5, 1), after = most - before;
    const auto gap_begin = pieces_.begin() + static_cast<std::ptrdiff_t>(before), gap_end = pieces_.end() - static_cast<std::ptrdiff_t>(after);
    const Piece gap{gap_begin->first, gap_end->first - gap_begin->first, 1, true};
    pieces_.insert(pieces_.erase(gap_begin, gap_end), gap);
  }

  void measure() {
    for (const Piece& piece : pieces_)
      for (std::size_t i = piece.first; !piece.left_out && i < piece.first + piece.count; ++i) {
        if (is_hidden(i)) continue;
        number_width_ = std::max(number_width_, with_separators(step(i).number).size());
        name_width_ = std::max(name_width_, std::min(columns(plain_text(step(i).process_name)), kWidestThread));
        place_width_ = std::max(place_width_, columns(short_place(plain_text(step(i).location))));
        label_width_ = std::max(label_width_, std::min(columns(label_of(step(i))), kWidestOperation));
      }
  }

  std::string label_of(const ReplayedStep& step) const {
    std::string out = plain_text(step.label);
    if (!step.values.empty()) out += fmt::format(", chooses {}", fmt::join(step.values, " "));
    const auto delays = std::count(finding_.delayed.begin(), finding_.delayed.end(), step.number);
    if (delays > 0) out += fmt::format(" [{} delay{}]", delays, delays == 1 ? "" : "s");
    return out;
  }

  void put(const Piece& piece) {
    if (piece.left_out) {
      line(paint(kYellow, fmt::format("  ... {} steps are left out here; --verbose shows them", with_separators(piece.count))));
      return;
    }
    for (std::size_t i = piece.first; i < piece.first + piece.count; ++i) {
      if (is_hidden(i)) ++hidden_, put_output(step(i));
      else put_step(step(i));
    }
    if (piece.times > 1)
      line(paint(kYellow, fmt::format("  ... {} {} times in all, up to step {}", piece.count == 1 ? "this step is taken" : fmt::format("these {} steps are taken", piece.count),
                                      with_separators(piece.times), with_separators(step(piece.first + piece.count * piece.times - 1).number))));
  }

  void put_step(const ReplayedStep& step) {
    const char* mark = step.preempted ? "!" : step.switched ? ">" : " ";
    any_switch_ |= step.switched && !step.preempted;
    any_preemption_ |= step.preempted;
    const std::string name = plain_text(step.process_name);
    std::string text = fmt::format("{} {:>{}}  ", step.preempted ? paint(kYellow, mark) : std::string(mark), with_separators(step.number), number_width_);
    text += step.switched || step.number == 1 ? paint(kBold, pad(name, name_width_)) : pad(name, name_width_);
    text += "  " + pad(short_place(plain_text(step.location)), place_width_) + "  " + pad(label_of(step), label_width_);
    for (const auto& [object, value] : step.changes) text += "  " + paint(kDim, plain_text(value));
    line(text);
    put_output(step);
  }

  /// What the program wrote, where it wrote it.
  void put_output(const ReplayedStep& step) {
    const std::string& output = step.short_output && !options_.verbose ? *step.short_output : step.output;
    std::size_t lines = 0;
    for (std::size_t at = 0; at < output.size(); ++lines) {
      const std::size_t end = std::min(output.find('\n', at), output.size());
      if (lines < 20 || options_.verbose) line(std::string(2 + number_width_ + 2, ' ') + paint(kDim, "| " + plain_text(output.substr(at, end - at))));
      at = end + 1;
    }
    if (lines > 20 && !options_.verbose) line(std::string(2 + number_width_ + 2, ' ') + paint(kDim, fmt::format("| … {} more lines", lines - 20)));
  }

  void put_legend() {
    if (any_switch_) line(paint(kDim, "> another thread goes on, because the one before cannot"));
    if (any_preemption_) line(paint(kDim, "! another thread goes on, although the one before could"));
  }

  /// Prints the threads that are still there: what each does, and where. Threads that do the same are printed as one group.
  void put_threads() {
    std::vector<const ThreadAtEnd*> there;
    for (const ThreadAtEnd& thread : replay_.threads)
      if (thread.state != "ended" && (thread.state != "failed" || replay_.stack.empty())) there.push_back(&thread);  // that one has its stack below
    if (there.empty()) return;
    line("threads at the end:");
    const std::size_t most = options_.verbose ? there.size() : 12;
    for (std::size_t i = 0; i < std::min(most, there.size()); ++i) {
      line(fmt::format("  {} {}", paint(kBold, plain_text(there[i]->name)), plain_text(there[i]->state)));
      put_stack(there[i]->stack);
    }
    if (there.size() > most) line(paint(kYellow, fmt::format("  ... and {} more threads; --verbose shows them", there.size() - most)));
  }

  void put_stack(const std::vector<std::string>& stack) {
    const std::size_t most = options_.verbose ? stack.size() : 8;
    for (std::size_t i = 0; i < std::min(most, stack.size()); ++i) line("    " + paint(kDim, plain_text(stack[i])));
    if (stack.size() > most) line("    " + paint(kDim, fmt::format("… {} more", stack.size() - most)));
  }

  const Replay& replay_;
  const Finding& finding_;
  const RenderOptions& options_;
  std::vector<Piece> pieces_;
  std::size_t number_width_ = 1, name_width_ = 0, place_width_ = 0, label_width_ = 0;
  bool any_switch_ = false, any_preemption_ = false;
  std::size_t hidden_ = 0;
};

}  // namespace

std::string render_threads(const Replay& replay, const Finding& finding, const RenderOptions& options) { return ThreadText(replay, finding, options).render(); }

}  // namespace tarry
