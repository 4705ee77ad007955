// Workers that send each other letters (native/rt/session/process_post.h; two threads with an object each are as good): letters of one worker arrive in the
// order in which they were sent, and an idle worker is claimed once.
//
// Scene 0: one sends two letters, the other one receives them.
// Scene 1: both claim the same idle worker.
#include "yielding_pause.h"

#include <tarry/test.h>

#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include "native/rt/session/process_post.cc"

using namespace tarry;

namespace {

native::Common common;

void letters_arrive_in_order(Post& from, Post& to) {
  std::thread sender([&] {
    for (const std::uint32_t word : {1u, 2u}) from.send(1, std::vector<std::uint32_t>{word});
  });
  std::uint32_t seen = 0;
  for (int tries = 0; tries < 2; ++tries)
    if (const auto letter = to.receive()) tarry::expect(*letter == std::vector<std::uint32_t>{++seen});
  sender.join();
  while (const auto letter = to.receive()) tarry::expect(*letter == std::vector<std::uint32_t>{++seen});
  tarry::expect(seen == 2);
}

void one_claims(Post& first, Post& second) {
  second.set_idle(true);
  std::optional<std::uint32_t> a, b;
  std::thread other([&] { a = first.claim_idle(); });
  b = second.claim_idle();
  other.join();
  tarry::expect(a.has_value() != b.has_value());
  tarry::expect(!first.anyone_idle());
}

}  // namespace

int main(int argc, char** argv) {
  native::rt::ProcessPost first(common, 0, 2), second(common, 1, 2);
  if (argc < 2 || std::atoi(argv[1]) == 0) letters_arrive_in_order(first, second);
  else one_claims(first, second);
}
