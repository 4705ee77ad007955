// Whose code runs. Everything in the tested process runs on one kernel thread, so a plain variable tells.
//
// Functions that the runtime takes over from libraries serve the engine too (a vector of the engine's allocates, a mutex of a
// search locks): they model only what the program does, and pass everything else on.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

enum class Side : std::uint8_t {
  kFree,     // nothing is controlled: before main, after the last execution, or the program runs without the tool
  kEngine,
  kProgram,
};

inline constinit Side g_side = Side::kFree;

/// Was the process started by the tool? Known before anything else, without libc.
bool under_control();
/// Was it forked before main by one that was? Then it goes on as it does without the tool.
bool is_child_of_constructor();
/// A handle as __cxa_atexit gets it: does it stand for this library?
bool owned_by_runtime(const void* dso_handle);

inline bool in_program() { return g_side == Side::kProgram; }

/// The engine's work within a function that the program called.
class EngineScope {
 public:
  EngineScope() : before_(g_side) { g_side = Side::kEngine; }
  ~EngineScope() { g_side = before_; }
  EngineScope(const EngineScope&) = delete;
  EngineScope& operator=(const EngineScope&) = delete;

 private:
  Side before_;
};

}  // namespace tarry::native::rt
