// A set of admissible traces under construction: add traces, merge sets, convert to the bytes of a file and back.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "enforce/region_footprint.h"
#include "enforce/trace.h"

namespace tarry::enforce {

/// A place in code. Modules are identified by the names of their files; the name of the program itself is empty.
struct CodePlace {
  std::uint32_t module = 0;
  std::uint64_t offset = 0;
  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

class ScheduleSet {
 public:
  // What the traces were verified for.
  std::uint64_t identity = 0;             // of the executable
  std::string program;                    // its name, for messages
  std::vector<std::string> arguments;
  std::vector<std::string> modules = {""};
  std::vector<CodePlace> points;          // plain accesses that are events because they race; sorted
  std::vector<CodePlace> sites;           // the flags of those that were compiled with --enforce (native/pass); sorted
  std::vector<std::string> assumes;       // further assumptions of the traces
  bool complete = false;                  // the program has no other trace
  bool several_regions = false;           // some execution entered more than one region: only some combinations of the traces were verified

  /// Returns the number of the module of that name.
  std::uint32_t module(std::string_view name);
  std::uint32_t intern(const Label& label);
  /// Returns the number of the footprint, for labels of entries.
  std::uint32_t intern(const Footprint& footprint);
  /// Returns the footprints of the regions of the program; none: its traces are those of the whole program.
  const std::vector<Footprint>& footprints() const { return footprints_; }
  std::span<const Label> labels() const { return labels_; }
  std::span<const Event> events() const { return events_; }

  /// Adds the trace of an execution, given by numbers of labels. Returns false if it is already there.
  bool add(std::span<const std::uint32_t> execution);
  std::size_t size() const { return words_.size(); }
  bool contains(std::span<const std::uint32_t> execution);
  const std::set<std::vector<std::uint32_t>>& words() const { return words_; }
  void clear() { words_.clear(); }

  /// Returns why the traces of the other set cannot be merged into this one; empty: they can.
  std::string differs_from(const ScheduleSet& other) const;
  /// Returns whether a run on the traces of both sets may combine traces of regions that were not verified together.
  bool may_combine_with(const ScheduleSet& other);
  /// Adds the traces of the other set. Returns the number of new ones. Requires: `differs_from` returns nothing.
  std::size_t merge(const ScheduleSet& other);
  /// Becomes the other set, and drops its own traces. Returns the number of traces.
  std::size_t adopt(const ScheduleSet& other) {
    const bool same_arguments = arguments == other.arguments;
    *this = other;
    complete &= same_arguments;
    return size();
  }
  /// Removes a trace. Returns whether it was there.
  bool withdraw(const std::vector<std::uint32_t>& word);
  /// Returns the number of traces of the other set that are not in this one.
  std::size_t missing(const ScheduleSet& other);

  /// Returns the bytes of its file. Requires: the set is not empty.
  std::string image() const;
  /// Reads a set from bytes. Requires: `wrong_with_image` finds nothing.
  static ScheduleSet of_image(std::string_view bytes);

 private:
  std::uint32_t intern(const Event& event);
  Label translated(const ScheduleSet& other, Label label);
  std::vector<std::uint32_t> word(std::span<const std::uint32_t> execution);
  /// Returns a word of another set in the numbers of this one.
  std::vector<std::uint32_t> translated(const ScheduleSet& other, std::span<const std::uint32_t> word);

  std::vector<Label> labels_;
  std::vector<Event> events_;
  std::vector<Footprint> footprints_;
  std::unordered_map<std::string, std::uint32_t> label_numbers_, event_numbers_;
  std::set<std::vector<std::uint32_t>> words_;
};

}  // namespace tarry::enforce
