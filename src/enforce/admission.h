// Decides which events may proceed now, by a set of admissible traces, for threads that run in parallel.
//
// The words of the set are a graph of segments (word_graph.h). The run follows one path through it. If a segment has several
// children, the path is open until some thread decides it, by one compare-and-swap. All events of the decided path may proceed as
// soon as their counts are reached. No thread claims them, because in every remaining trace they come in this order.
//
// If the next event of a thread lies behind an open decision, the thread looks at its possible next event in each remaining
// trace. If it is the same event in all of them, with the same needs, the thread proceeds without a decision (`ahead`). Otherwise
// the thread decides for a trace in which the event may proceed now, if there is one, or waits.
//
// Invariant: the events that happened are a prefix, closed under happens-before, of every remaining trace. So the run conforms to
// each of these traces. As long as a trace has not ended, its first pending event may proceed, or a thread is on its way to it:
// enforcement adds no deadlock.
//
// Counts are checked before the access and increased after it. Both are sequentially consistent read-modify-writes or follow one,
// so the machine does not reorder accesses of different events either.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "enforce/set_image.h"
#include "enforce/trace.h"

namespace tarry::enforce {

/// The answer to a thread that reaches an event.
struct Permission {
  enum class Answer : std::uint8_t { kGo, kWait, kUnverified };
  Answer answer;
  std::uint32_t event;  // kGo: the event that proceeds; otherwise an expected event, or kNone
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
};

/// The number of accesses to an object, and the threads that sleep until the next access (for the code that makes threads wait;
/// nothing here uses it).
struct alignas(64) CountLine {
  std::atomic<std::uint64_t> count;     // writes in the upper half, reads in the lower
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> epoch;
};

/// Any event that matches may proceed as soon as its counts are reached.
struct AtOnce {
  bool operator()(const LabelRecord& /*label*/) const { return true; }
};

class Admission {
 public:
  /// Returns the bytes of memory that are needed. Requires: all zero at first.
  static std::size_t room_for(const ImageView& image, std::uint32_t threads) {
    return kLine * (image.header().objects + 1) + sizeof(std::uint32_t) * image.header().segment.count + kLine + sizeof(Cursor) * threads;
  }
  /// `memory` is aligned to 64.
  Admission(const ImageView& image, std::uint32_t threads, void* memory)
      : image_(image), threads_(threads), segments_(image.segments()), letters_(image.letters()), lanes_(image.lanes()), children_(image.children()), events_(image.events()),
        labels_(image.labels()), touches_(image.touches()), needs_(image.needs()), objects_(image.objects()) {
    auto* at = static_cast<char*>(memory);
    barriers_ = reinterpret_cast<CountLine*>(at);
    lines_ = barriers_ + 1;
    at += kLine * (image.header().objects + 1);
    cursors_ = reinterpret_cast<Cursor*>(at);
    chosen_ = reinterpret_cast<std::atomic<std::uint32_t>*>(at + sizeof(Cursor) * threads);
    for (std::uint32_t i = 0; i < threads; ++i) enter(cursors_[i], i, 0);
  }

  /// Returns whether the thread may do an event that `matches`. kGo: the thread does it now and calls `complete` after it. An event
  /// for which `is_due` is false has to wait: a time-out whose time has not come.
  template <class Matches, class IsDue = AtOnce>
  Permission attempt(std::uint32_t thread, const Matches& matches, const IsDue& is_due = {}) {
    Cursor& cursor = cursors_[thread];
    while (true) {
      if (cursor.left > 0) return attempt_next(cursor, matches, is_due);
      const SegmentRecord& segment = segments_[cursor.segment];
      if (segment.child_count == 0) return {Permission::Answer::kUnverified, Permission::kNone};
      if (const std::uint32_t chosen = chosen_child(cursor.segment); chosen != 0) {
        enter(cursor, thread, children_[segment.children + chosen - 1]);
        continue;
      }
      const Outlook outlook = look_ahead(cursor, thread, matches, is_due);
      if (outlook.same && outlook.ready != Permission::kNone) {
        ++cursor.ahead;
        return {Permission::Answer::kGo, outlook.ready};
      }
      if (outlook.ready != Permission::kNone) {
        std::uint32_t open = 0;
        if (chosen_[cursor.segment].compare_exchange_strong(open, outlook.way + 1)) ++cursor.decided;
        continue;
      }
      return {outlook.whole && !outlook.matched ? Permission::Answer::kUnverified : Permission::Answer::kWait, outlook.first};
    }
  }

  /// Returns whether the thread may do an event that touches everything and that `matches`, before any other event: the value of
  /// an input. The thread is the only one, so the events so far are the whole path up to here, and only the children are examined.
  template <class Matches>
  Permission attempt_alone(std::uint32_t thread, const Matches& matches) {
    Cursor& cursor = cursors_[thread];
    while (cursor.left == 0) {
      const SegmentRecord& segment = segments_[cursor.segment];
      if (segment.child_count == 0) return {Permission::Answer::kUnverified, Permission::kNone};
      std::uint32_t chosen = chosen_child(cursor.segment);
      for (std::uint32_t i = 0; chosen == 0 && i < segment.child_count; ++i) {
        const std::uint32_t event = letters_[segments_[children_[segment.children + i]].letters].event;
        if (!matches(labels_[events_[event].label]) || !is_ready(event)) continue;
        if (chosen_[cursor.segment].compare_exchange_strong(chosen, i + 1)) ++cursor.decided;
        chosen = chosen_child(cursor.segment);
      }
      if (chosen == 0) return {Permission::Answer::kUnverified, Permission::kNone};
      enter(cursor, thread, children_[segment.children + chosen - 1]);
    }
    const Permission permission = attempt_next(cursor, matches, AtOnce{});
    return permission.answer == Permission::Answer::kGo ? permission : Permission{Permission::Answer::kUnverified, permission.event};
  }

  /// Returns whether the next event of the thread `matches` in some remaining trace, as far as it looks ahead.
  template <class Matches>
  bool foresees(std::uint32_t thread, const Matches& matches) {
    Cursor& cursor = cursors_[thread];
    while (cursor.left == 0) {
      const SegmentRecord& segment = segments_[cursor.segment];
      if (segment.child_count == 0) return false;
      const std::uint32_t chosen = chosen_child(cursor.segment);
      if (chosen == 0) {
        const Outlook outlook = look_ahead(cursor, thread, matches, AtOnce{});
        return outlook.matched || !outlook.whole;
      }
      enter(cursor, thread, children_[segment.children + chosen - 1]);
    }
    return matches(labels_[events_[letters_[cursor.letter].event].label]);
  }

  /// Goes back to the start of all traces. Requires: no other thread uses this object.
  void restart() {
    for (std::uint32_t at = 0; segments_[at].child_count > 0;) {
      const std::uint32_t chosen = chosen_child(at);
      chosen_[at].store(0, std::memory_order_relaxed);
      if (chosen == 0) break;
      at = children_[segments_[at].children + chosen - 1];
    }
    for (std::uint32_t i = 0; i <= image_.header().objects; ++i) barriers_[i].count.store(0, std::memory_order_relaxed);  // the lines of objects are behind it
    for (std::uint32_t i = 0; i < threads_; ++i) {
      cursors_[i].ahead = 0;
      cursors_[i].completed.store(0, std::memory_order_relaxed);
      enter(cursors_[i], i, 0);
    }
  }

  /// Records that the access of an event is done.
  void complete(std::uint32_t thread, std::uint32_t number) {
    const LabelRecord& label = labels_[events_[number].label];
    bool everything = false;
    for (const TouchRecord& touch : touches_.subspan(label.touches, label.touch_count)) {
      if (is_everything(touch.object)) everything = true;
      else lines_[touch.object].count.fetch_add(touch.writes != 0 ? kOneWrite : 1);
    }
    cursors_[thread].completed.fetch_add(1);
    if (everything) barriers_->count.fetch_add(1);
  }

  std::uint64_t completed() const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < threads_; ++i) sum += cursors_[i].completed.load();
    return sum;
  }
  std::uint32_t decided(std::uint32_t thread) const { return cursors_[thread].decided; }
  const LabelRecord& label_of(std::uint32_t event) const { return labels_[events_[event].label]; }
  const ImageView& image() const { return image_; }
  CountLine& line(std::uint32_t object) { return lines_[object]; }
  /// Returns the line that stands for all objects.
  CountLine& common_line() { return *barriers_; }
  std::span<const TouchRecord> touches_of(std::uint32_t event) const {
    const LabelRecord& label = label_of(event);
    return touches_.subspan(label.touches, label.touch_count);
  }
  /// Returns the name of the trace of a run that has ended (set_image.h); 0 if the run did not decide for one trace.
  std::uint64_t trace_taken() const {
    std::uint64_t name = kTraceNameSeed;
    for (std::uint32_t at = 0; segments_[at].child_count > 0;) {
      const std::uint32_t chosen = chosen_child(at);
      if (chosen == 0) return 0;
      at = children_[segments_[at].children + chosen - 1];
      name = trace_name_after(name, chosen, at);
    }
    return name;
  }
  /// Returns the first object that an event still waits for, for messages; kNoObject: none.
  std::uint32_t waits_for(std::uint32_t number) const {
    const EventRecord& event = events_[number];
    const LabelRecord& label = labels_[event.label];
    for (std::uint32_t i = 0; i < label.touch_count; ++i)
      if (!has(touches_[label.touches + i], needs_[event.needs + i], event)) return touches_[label.touches + i].object;
    return kNoObject;
  }

 private:
  static constexpr std::size_t kLine = sizeof(CountLine);
  static constexpr std::uint64_t kOneWrite = std::uint64_t{1} << 32;
  static constexpr std::uint32_t kFarthest = 64;  // segments that a thread looks ahead

  /// The position of a thread.
  struct alignas(kLine) Cursor {
    std::uint32_t segment;   // all of its letters of this thread except `left` have proceeded
    std::uint32_t left;
    std::uint32_t letter;    // the next letter of this thread
    std::uint32_t ahead;     // events after the segment that proceeded although it is open
    std::uint32_t decided;
    std::atomic<std::uint64_t> completed;
  };

  /// The possible next events behind an open decision.
  struct Outlook {
    std::uint32_t first = Permission::kNone;  // the first event that was seen
    std::uint32_t ready = Permission::kNone;  // an event that may proceed
    std::uint32_t way = 0;                    // the child that leads to it
    bool same = true;      // it is the next event in all remaining traces
    bool whole = true;     // all remaining traces were examined
    bool matched = false;  // some event is what the thread does
  };

  bool is_everything(std::uint32_t object) const { return objects_[object].space == static_cast<std::uint32_t>(Space::kEverything); }
  std::uint32_t chosen_child(std::uint32_t segment) const { return segments_[segment].child_count == 1 ? 1 : chosen_[segment].load(); }

  const LaneRecord* lane(std::uint32_t segment, std::uint32_t thread) const {
    const SegmentRecord& record = segments_[segment];
    for (std::uint32_t i = record.lanes; i < record.lanes + record.lane_count; ++i)
      if (lanes_[i].thread == thread) return &lanes_[i];
    return nullptr;
  }
  /// Returns the letter of the lane after `skip` others.
  std::uint32_t letter_behind(std::uint32_t segment, const LaneRecord& lane, std::uint32_t skip) const {
    std::uint32_t at = segments_[segment].letters + lane.first;
    for (; skip > 0; --skip) at += letters_[at].next;
    return at;
  }

  void enter(Cursor& cursor, std::uint32_t thread, std::uint32_t segment) const {
    const LaneRecord* const own = lane(segment, thread);
    const std::uint32_t count = own == nullptr ? 0 : own->count;
    cursor.segment = segment;
    cursor.left = count > cursor.ahead ? count - cursor.ahead : 0;
    if (cursor.left > 0) cursor.letter = letter_behind(segment, *own, cursor.ahead);
    cursor.ahead = count > cursor.ahead ? 0 : cursor.ahead - count;
  }

  bool has(const TouchRecord& touch, const NeedRecord& need, const EventRecord& event) const {
    if (is_everything(touch.object)) return completed() == event.total;
    const std::uint64_t count = lines_[touch.object].count.load();
    if (count >> 32 != need.writes) return false;
    return touch.writes == 0 || (count & (kOneWrite - 1)) == need.reads;
  }
  bool is_ready(std::uint32_t number) const {
    const EventRecord& event = events_[number];
    const LabelRecord& label = labels_[event.label];
    if (barriers_->count.load() != event.barrier) return false;
    for (std::uint32_t i = 0; i < label.touch_count; ++i)
      if (!has(touches_[label.touches + i], needs_[event.needs + i], event)) return false;
    return true;
  }

  template <class Matches, class IsDue>
  Permission attempt_next(Cursor& cursor, const Matches& matches, const IsDue& is_due) {
    const LetterRecord& letter = letters_[cursor.letter];
    if (!matches(labels_[events_[letter.event].label])) return {Permission::Answer::kUnverified, letter.event};
    if (!is_due(labels_[events_[letter.event].label]) || !is_ready(letter.event)) return {Permission::Answer::kWait, letter.event};
    --cursor.left;
    cursor.letter += letter.next;
    return {Permission::Answer::kGo, letter.event};
  }

  /// Looks ahead level by level, so that near events are seen first.
  template <class Matches, class IsDue>
  Outlook look_ahead(const Cursor& cursor, std::uint32_t thread, const Matches& matches, const IsDue& is_due) const {
    struct Place {
      std::uint32_t segment, skip, way;
    };
    Place places[kFarthest];
    std::uint32_t count = 0;
    Outlook out;
    const auto add_children = [&](std::uint32_t segment, std::uint32_t skip, std::uint32_t way) {
      const SegmentRecord& record = segments_[segment];
      if (record.child_count == 0) out.same = false;  // a trace ends without the event
      for (std::uint32_t i = 0; i < record.child_count; ++i) {
        if (count == kFarthest) return void(out.whole = out.same = false);
        places[count++] = {children_[record.children + i], skip, way == Permission::kNone ? i : way};
      }
    };
    add_children(cursor.segment, cursor.ahead, Permission::kNone);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Place place = places[i];
      const LaneRecord* const own = lane(place.segment, thread);
      const std::uint32_t events = own == nullptr ? 0 : own->count;
      if (events <= place.skip) add_children(place.segment, place.skip - events, place.way);
      else consider(letters_[letter_behind(place.segment, *own, place.skip)].event, place.way, matches, is_due, out);
    }
    return out;
  }

  template <class Matches, class IsDue>
  void consider(std::uint32_t event, std::uint32_t way, const Matches& matches, const IsDue& is_due, Outlook& out) const {
    if (out.first == Permission::kNone) out.first = event;
    else out.same = out.same && event == out.first;
    if (out.ready != Permission::kNone) return;
    if (!matches(labels_[events_[event].label])) return;
    out.matched = true;
    if (!is_due(labels_[events_[event].label]) || !is_ready(event)) return;
    out.ready = event;
    out.way = way;
  }

  ImageView image_;
  std::uint32_t threads_;
  std::span<const SegmentRecord> segments_;
  std::span<const LetterRecord> letters_;
  std::span<const LaneRecord> lanes_;
  std::span<const std::uint32_t> children_;
  std::span<const EventRecord> events_;
  std::span<const LabelRecord> labels_;
  std::span<const TouchRecord> touches_;
  std::span<const NeedRecord> needs_;
  std::span<const ObjectRecord> objects_;
  CountLine* barriers_ = nullptr;                   // number of events so far that touch everything
  CountLine* lines_ = nullptr;                      // by object
  Cursor* cursors_ = nullptr;
  std::atomic<std::uint32_t>* chosen_ = nullptr;    // by segment: the child that the run takes, plus 1; 0: open
};

}  // namespace tarry::enforce
