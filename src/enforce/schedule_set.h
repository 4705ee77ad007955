// A set of admissible traces while it is made: traces are added, sets are put together, and it becomes the bytes of a file and back.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "enforce/trace.h"

namespace tarry::enforce {

/// A place in code. Modules are known by the names of their files; that of the program itself is empty.
struct CodePlace {
  std::uint32_t module = 0;
  std::uint64_t offset = 0;
  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

class ScheduleSet {
 public:
  // What the traces were verified for.
  std::uint64_t identity = 0;             // of the executable
  std::string program;                    // its name, for people
  std::vector<std::string> arguments;
  std::vector<std::string> modules = {""};
  std::vector<CodePlace> points;          // plain accesses that are events, because they race; sorted
  std::vector<std::string> assumes;       // what they rest on beside
  bool complete = false;                  // the program has no other trace

  /// The number of the module of that name.
  std::uint32_t module(std::string_view name);
  std::uint32_t intern(const Label& label);
  std::span<const Label> labels() const { return labels_; }
  std::span<const Event> events() const { return events_; }

  /// The trace of an execution, by numbers of labels. False: it is there already.
  bool add(std::span<const std::uint32_t> execution);
  std::size_t size() const { return words_.size(); }
  bool contains(std::span<const std::uint32_t> execution);
  const std::set<std::vector<std::uint32_t>>& words() const { return words_; }
  void clear() { words_.clear(); }

  /// Why the traces of the other cannot be in one set with these; empty: they can.
  std::string differs_from(const ScheduleSet& other) const;
  /// Adds the traces of the other, of which `differs_from` says nothing. Gives how many were new.
  std::size_t merge(const ScheduleSet& other);
  /// How many traces of the other are not in this one.
  std::size_t missing(const ScheduleSet& other);

  /// The bytes of its file. Requires: it is not empty.
  std::string image() const;
  /// Requires: `wrong_with_image` finds nothing.
  static ScheduleSet of_image(std::string_view bytes);

 private:
  std::uint32_t intern(const Event& event);
  std::vector<std::uint32_t> word(std::span<const std::uint32_t> execution);
  /// A word of another set, in numbers of this one.
  std::vector<std::uint32_t> translated(const ScheduleSet& other, std::span<const std::uint32_t> word);

  std::vector<Label> labels_;
  std::vector<Event> events_;
  std::unordered_map<std::string, std::uint32_t> label_numbers_, event_numbers_;
  std::set<std::vector<std::uint32_t>> words_;
};

}  // namespace tarry::enforce
