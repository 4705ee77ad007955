// Letters between the worker processes of a check (core/post.h), in memory that all of them map.
//
// Every worker has a ring of words that others write to. A letter goes there in pieces, so it may be larger than a ring. A worker that waits for room in
// another ring empties its own meanwhile, so two workers never wait for each other. A worker that waits sleeps for moments, and looks whether the check was
// ended from outside.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/post.h"
#include "native/abi/protocol.h"

namespace tarry::native::rt {

class ProcessPost final : public Post {
 public:
  /// Where in Common::share it begins, and how much room it has.
  static constexpr std::uint64_t kRoom = Common::kShareRoom / 2, kFrom = Common::kShareRoom - kRoom;

  /// Requires: the tool has zeroed the memory; `workers` is the same for all.
  ProcessPost(Common& common, std::uint32_t worker, std::uint32_t workers);

  void send(std::uint32_t to, std::span<const std::uint32_t> words) override;
  std::optional<std::vector<std::uint32_t>> receive() override;
  void wait() override;
  void set_idle(bool idle) override;
  bool anyone_idle() const override;
  std::optional<std::uint32_t> claim_idle() override;
  std::uint64_t state() const override;
  void change_state(std::uint64_t from, std::uint64_t to) override;

 private:
  struct Shared;
  struct Box;
  class Lock;

  bool put_piece(Box& box, std::span<const std::uint32_t> words, bool last);
  void empty_box();
  bool ended() const { return common_.progress.stop.load(std::memory_order_relaxed); }

  Common& common_;
  Shared& all_;
  std::uint32_t worker_, workers_;
  std::uint64_t ring_;                                // words of a ring
  std::vector<std::vector<std::uint32_t>> begun_;     // by sender: the pieces of a letter that came so far
  std::deque<std::vector<std::uint32_t>> letters_;    // that came as a whole
};

}  // namespace tarry::native::rt
