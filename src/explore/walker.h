// What all workers that walk a state space have in common: their own view of the program, counters, and how a bug is told.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "core/search.h"
#include "core/whereabouts.h"
#include "store/path_log.h"

namespace tarry {

class Walker : public Whereabouts {
 public:
  Walker(Session& session, std::uint32_t number);
  ~Walker() override;

  /// A worker that goes on, on another thread than before.
  void on_this_thread();

 protected:
  Session& session() { return session_; }
  const Session& session() const { return session_; }
  WorkerProgress& counters() { return counters_; }
  StateSpace& space() { return *space_; }
  Narrator& narrator();

  /// Call once a step. True: end.
  bool tick() {
    bump(counters_.beat);
    if (++ticks_ >= next_poll_) return look_around();
    return session_.stopping();
  }
  bool look_around();
  void saw_depth(std::uint64_t depth) {
    if (depth > counters_.depth.load(std::memory_order_relaxed)) counters_.depth.store(static_cast<std::uint32_t>(depth), std::memory_order_relaxed);
  }

  /// Expands a state; now and then twice, to see whether the program is a function of its choices.
  void expand(StateView state, Expansion& out);
  /// Takes a step; now and then twice, for the same reason.
  void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, Taken& out) {
    space_->take(state, process, values, out);
    if (++steps_ <= 64 || steps_ % 1024 == 0) [[unlikely]] take_again(state, process, values, out);
  }

  // Reports of bugs. `path` leads to `state`.
  void report_step(std::vector<Move> path, StateView state, ProcessId process, std::span<const std::uint32_t> values, std::int64_t delays);
  void report_deadlock(const std::vector<Move>& path, StateView state, std::int64_t delays);
  void report_nondeterminism(const std::vector<Move>& path, const std::string& what);

  /// The path to the state that is being expanded, not for signal handlers.
  std::vector<Move> path_here() const;

  const Moves& moves() const noexcept override { return moves_; }
  const abi::Cursor& cursor() const noexcept override { return space_->cursor(); }

 private:
  Session& session_;
  const Moves& moves_;
  WorkerProgress& counters_;
  std::unique_ptr<StateSpace> space_;
  std::unique_ptr<Narrator> narrator_;
  void take_again(StateView state, ProcessId process, std::span<const std::uint32_t> values, const Taken& first);
  bool fill(StateView state, Expansion& out);
  Expansion::Ends go_on_expanding(std::uint64_t bytes);
  void stop_in_expansion(const Expansion& out);

  std::unique_ptr<Expansion> again_;
  std::uint32_t stretch_ = 1, successors_ = 0;  // of the expansion that goes on
  std::uint64_t ticks_ = 0;
  std::uint64_t next_poll_ = 1, stride_ = 1;  // in ticks: every hundred steps or so, every single one where steps are slow
  std::chrono::steady_clock::time_point last_poll_ = std::chrono::steady_clock::now();
  std::uint64_t expansions_ = 0;
  std::uint64_t steps_ = 0;
};

/// The first state of the program, visited. Reports what is wrong with it; false then.
bool start(Session& session, Word* words);

/// Copies the moves up to `id` into `out`, for signal handlers; returns how many there are.
std::size_t copy_path(const PathLog& log, PathId id, Move* out, std::size_t room) noexcept;

}  // namespace tarry
