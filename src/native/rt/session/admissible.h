// Executions that went well, written down for enforcement (src/enforce): which events they had, and what these touched.
//
// What cannot be enforced is not written, and why is. An execution counts only if every one of its steps is of a kind that the run-time library of
// enforcement knows, was foreseen by its operation, and made no choice that the library could not make again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/search.h"
#include "enforce/region_footprint.h"
#include "enforce/spool.h"
#include "enforce/trace.h"
#include "native/rt/calls/inputs.h"
#include "native/rt/session/execution.h"
#include "native/rt/threads/region_reads.h"

namespace tarry::native::rt {

/// Returns the kind that enforcement has for the operation; kNone: enforcement does not know it.
enforce::Kind kind_of(const Operation& operation);

class AdmissibleExecutions final : public StepObserver {
 public:
  /// Appends to the file. The session is ended when there are so many different traces; 0: never.
  AdmissibleExecutions(const std::string& file, std::uint64_t most, Session& session);
  ~AdmissibleExecutions() override;
  AdmissibleExecutions(const AdmissibleExecutions&) = delete;
  AdmissibleExecutions& operator=(const AdmissibleExecutions&) = delete;

  void begin() override;
  void before(std::uint32_t thread) override;
  void decided(std::uint32_t value) override;
  void after(std::uint32_t thread) override;
  void end() override {}
  void complete(const ExecutionResult& result) override;

 private:
  void refuse(const std::string& why, std::uintptr_t pc = 0);
  /// The same for the present step. A step outside of regions need not be enforced, if the program has regions.
  void refuse_step(const std::string& why, std::uintptr_t pc = 0);
  enforce::Object object_at(const void* address);
  std::uint32_t module_of(std::uint32_t number);
  void add_input(std::uint32_t thread, const InputRead& input);
  void add_region(const InputRead& told);
  std::map<RegionCell, enforce::FootprintCell> names_of(const LeftRegion& region);
  std::uint32_t number_of(const LeftRegion& region);
  void see_what_is_used_first(const Operation& pending);
  void add_label(const enforce::Label& label);
  bool is_new(std::unordered_set<std::uint64_t>& among);
  void write_execution(enforce::SpoolTag tag);
  void write_points();
  void flush();

  Session& session_;
  std::uint64_t most_;
  std::string file_;
  enforce::SpoolWriter spool_;
  std::unordered_map<std::string, std::uint32_t> label_numbers_;
  std::vector<enforce::Label> labels_;
  std::unordered_map<std::string, std::uint32_t> entry_numbers_;
  std::unordered_set<std::uint64_t> known_, failed_;  // traces, by a hash
  std::set<std::string> refusals_;
  std::set<std::uint32_t> modules_;
  // Of the execution that runs:
  std::vector<std::uint32_t> execution_;
  std::vector<std::uint32_t> entries_;       // of regions
  bool in_region_ = false;
  struct Refused {
    std::string why;
    std::uintptr_t pc;
  };
  std::vector<Refused> outside_;             // of regions, unless the program has none
  bool creates_outside_ = false;             // threads, outside of regions
  std::uintptr_t created_outside_ = 0;
  bool refused_ = false;
  enforce::Label step_;
  bool passed_over_ = false;     // the step is no event
  std::uint32_t threads_before_ = 0;
};

}  // namespace tarry::native::rt
