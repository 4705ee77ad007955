// What happens in an execution, in P's own words: one record for each line of P's text trace and each object of its JSON trace.
//
// Two kinds of lines are ours to make up, since a step's log does not have them: where a transition leads (P logs it for each
// `goto`, and for `on e goto T` too), and the machines' vector clocks. A clock counts what a machine did; an event carries its
// sender's, and the machine that takes it from the inbox knows from then on what the sender knew. Events are matched first in, first out;
// an event that was ignored is not told apart from an equal event that came later.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "plang/vm/follow.h"
#include "plang/vm/value_heap.h"

namespace tarry::plang {

using PJson = nlohmann::ordered_json;

struct PRecord {
  std::string tag;   // of the text: "SendLog"; empty: not there
  std::string type;  // of the JSON: "SendEvent"; empty: not there
  std::string words;
  PJson details;
};

/// A payload as JSON: numbers, booleans and strings as such, collections as arrays, maps and tuples as objects.
PJson json_of(const Heap& heap, Value value, const World& world);

/// Returns the last records: what the execution came to, and how it was found.
std::vector<PRecord> end_records(const StepText& ending, const std::string& strategy, std::uint64_t steps);

class PLog {
 public:
  explicit PLog(const PProgram& program);

  /// What the monitors did when they were started. Ends with the creation of the main machine.
  void add_start(const std::vector<LogEntry>& log);
  void add(const FollowedStep& step);

  const std::vector<PRecord>& records() const { return records_; }

 private:
  using Clock = std::map<std::string, std::uint64_t>;
  struct Sent {
    std::uint32_t target, event;
    std::uint64_t payload;
    Clock clock;
  };

  void add_entry(const LogEntry& entry);
  void add_of_machine(const LogEntry& entry);
  void add_of_monitor(const LogEntry& entry);
  void add_wait(const LogEntry& entry);
  void add_send(const LogEntry& entry);
  void add_goto(const LogEntry& entry, const std::string& target);
  void add_transition(const LogEntry& entry);
  void put(const char* tag, const char* type, std::string words, PJson details);
  void put(const LogEntry& entry, const char* tag, const char* type, std::string words, PJson details);
  void take(std::uint32_t slot, const LogEntry& entry);

  std::string name(std::uint32_t slot) const { return shown(world_.machine(slot)); }
  std::string event_text(const LogEntry& entry) const;
  PJson payload(const LogEntry& entry) const;

  const World& world_;
  Heap heap_;
  std::vector<PRecord> records_;
  std::map<std::uint32_t, Clock> clocks_;              // of machines, by slot
  std::map<std::uint32_t, Sent> pending_;              // by sender: sent, and not there yet
  std::map<std::uint32_t, std::deque<Sent>> inboxes_;  // by target
  std::set<std::uint32_t> halted_;
  bool raised_ = false;  // the monitor is about to see what it raised itself
};

}  // namespace tarry::plang
