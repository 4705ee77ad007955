// What the programs of this folder share: a case is found by its name, and runs under a lock that another thread wants too.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <thread>

using Function = void (*)();

struct Case {
  const char* name;
  Function run;
};

inline std::mutex turn;

inline void nothing() {}

inline void run_locked(Function run) {
  std::lock_guard guard(turn);
  run();
}

/// The case that the first argument names. A name that no case has fails an assertion, which no test expects.
template <typename Entry, std::size_t count>
const Entry& find_case(const Entry (&cases)[count], char** arguments) {
  const char* name = arguments[1] != nullptr ? arguments[1] : "";
  for (const Entry& entry : cases)
    if (std::strcmp(entry.name, name) == 0) return entry;
  assert(!"a case of this name");
  return cases[0];
}

/// Runs `first` and `second` in a thread each, in either order.
inline void run_in_turns(Function first, Function second) {
  std::thread a(run_locked, first), b(run_locked, second);
  a.join();
  b.join();
}

/// Runs `run` in main if there is a second argument, else in a thread.
inline void run_in_main_or_thread(Function run, char** arguments) {
  const bool in_main = arguments[2] != nullptr;
  std::thread a([run, in_main] {
    if (!in_main) run_locked(run);
  });
  std::thread b(run_locked, nothing);
  if (in_main) run_locked(run);
  a.join();
  b.join();
}
