// Letters between the workers of a check, for searches whose parts have to tell each other something.
//
// core/work_share.h hands out parts of a tree that have nothing to do with each other any more. Here a part may send letters to the worker that gave it.
// Workers also share one word, the state: what it means, and which worker changes it, is up to the search.
//
// There is one object per worker; it knows its worker. explore/memory_post.h is for threads (tests); native/rt has an implementation in shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tarry {

class Post {
 public:
  virtual ~Post() = default;

  /// Sends a letter. The letters of one worker to another arrive in the order in which they were sent. A letter to a worker that ended is lost.
  virtual void send(std::uint32_t to, std::span<const std::uint32_t> words) = 0;
  /// Returns the next letter, or nothing if there is none now. One relaxed load if there is none.
  virtual std::optional<std::vector<std::uint32_t>> receive() = 0;
  /// Waits for a letter or a change of the state, but for a moment at most.
  virtual void wait() = 0;

  /// Declares whether this worker looks for work.
  virtual void set_idle(bool idle) = 0;
  /// Returns whether a worker looks for work. One relaxed load.
  virtual bool anyone_idle() const = 0;
  /// Returns a worker that looks for work and is idle no longer from now on, so that only the caller gives it some. Nothing: there is none.
  virtual std::optional<std::uint32_t> claim_idle() = 0;

  virtual std::uint64_t state() const = 0;
  /// Changes the state if it is still `from`.
  virtual void change_state(std::uint64_t from, std::uint64_t to) = 0;
};

}  // namespace tarry
