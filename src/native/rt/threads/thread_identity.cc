#include "native/rt/threads/thread_identity.h"

#include <algorithm>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

template struct RoomOf<ThreadIdentities>;

namespace {

/// Whether a thread was created, directly or not, by another one.
bool descends(std::uint32_t thread, std::uint32_t from) {
  while (thread != 0 && thread != from) thread = scheduler().thread(thread).identity.creator;
  return thread == from;
}

/// Whether a thread ends before another one does, in every order of steps: its creator joined it, the creator's creator joined the creator, and so on up to the
/// other thread.
bool ends_within(std::uint32_t thread, std::uint32_t other) {
  while (thread != other) {
    const IdentityOfThread& one = scheduler().thread(thread).identity;
    if (thread == 0 || one.seen_then == 0 || one.releaser != one.creator) return false;
    thread = one.creator;
  }
  return true;
}

/// Whether a thread could have been created after another one was released, in this order of steps or in an equivalent one. True if that is not known.
bool could_follow(std::uint32_t later, std::uint32_t gone) {
  const IdentityOfThread& one = scheduler().thread(gone).identity;
  const IdentityOfThread& other = scheduler().thread(later).identity;
  if (later == gone || one.seen_then == 0) return false;
  if (one.releaser == other.creator) return later >= one.seen_then;
  if (descends(gone, later) || ends_within(other.creator, gone)) return false;  // the later one began before the other did, or before it ended
  return one.creator != other.creator || gone < later;
}

}  // namespace

void stack_lies_within(std::uintptr_t low, std::uintptr_t high) {
  ThreadIdentities& identities = part<ThreadIdentities>();
  identities.low = identities.high == 0 ? low : std::min(identities.low, low);
  identities.high = std::max(identities.high, high);
}

void identity_is_free(std::uint32_t thread) {
  IdentityOfThread& identity = scheduler().thread(thread).identity;
  identity.releaser = scheduler().running();
  identity.seen_then = scheduler().thread_count();
}

void identity_is_known() {
  scheduler().self().identity.known = true;
  part<ThreadIdentities>().any_known = true;
}

void value_may_be_on_stack(std::uintptr_t value) {
  const std::uint32_t owner = scheduler().owner_of_stack(reinterpret_cast<const void*>(value));
  if (owner == Scheduler::kNobody || owner == 0) return;
  scheduler().thread(owner).identity.known = true;
  part<ThreadIdentities>().any_known = true;
}

void admit_kept_identities() {
  if (!part<ThreadIdentities>().any_known) return;
  const Scheduler& all = scheduler();
  for (std::uint32_t gone = 1; gone < all.thread_count(); ++gone)
    for (std::uint32_t later = 1; later < all.thread_count(); ++later)
      if ((all.thread(gone).identity.known || all.thread(later).identity.known) && !all.thread(gone).of_runtime && !all.thread(later).of_runtime && could_follow(later, gone)) {
        admit("the program knows identities of threads (pthread_self, std::thread::id, addresses of their variables): a real system may give a new thread those of a thread that has ended, Tarry never does");
        return;
      }
}

}  // namespace tarry::native::rt
