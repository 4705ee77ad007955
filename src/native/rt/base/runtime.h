// The state of the runtime has one owner: it is made of the parts that are listed here, and there is no other (tests/structure/globals_test.py).
//
// Each part is the state of one idea, and is defined in the file of that idea; everything else sees its name at most. `part<P>()` is the part P. Its address is
// known to the linker, so that costs what a variable costs, and it is there before any constructor runs. State that belongs to the program (exit handlers,
// keys, timers) lies in the program's own memory instead, which is put back as a whole; parts only know where.
//
// Before every execution `reset_runtime` calls `reset` of the parts of an execution, in their order. A part without that function does not compile (part.h), a
// part that is not listed cannot be had, and one that is listed and not defined does not link. So none can be forgotten. What no execution changes back is in the
// other list, and is `Kept` by its type.
//
// Why the owner is a list and no class with members: a file that includes such a class includes all parts, and the layers of this folder would be one.
#pragma once

#include <type_traits>

namespace tarry::native::rt {

struct Crashes;
class Pages;
struct Mappings;
struct ProgramHeap;
class MainBaseline;
class Scheduler;
struct ThreadDestructors;
struct ExecutionEnd;
struct RecordedPoints;
struct Seals;
struct Awaits;
struct Collecting;
struct TimeStamps;
struct Reuses;
struct Inputs;
struct Regions;
struct UnenforcedCalls;
struct LoaderLock;
struct SyscallGate;
struct OutsideSignals;
struct ProgramOutput;
struct Channels;
struct FileAliases;
struct FileLocks;
struct CommonTime;
struct Allocations;
struct BlessedMemory;
struct Detectors;
struct Watch;

struct StartOfProgram;
struct EngineHeap;
struct OwnMemory;
struct LoadedModules;
struct ExecutableStacks;
struct SharedWithTool;
struct RunRules;
struct ProgramSuppressions;
struct WantedPause;
struct LibraryCalls;
struct StaticResults;
struct ProgramEnd;
struct ProcessRoom;
struct SchedulingAttributes;
struct SignalActions;
struct TimersRoom;
struct ProgramFiles;
struct KeptChannels;
struct FreshProcesses;
struct ChildProcesses;
struct ProcessNumbers;
struct Clocks;
struct WatchedEnds;
struct ThreadIdentities;
struct WaysOut;
struct Interruptions;
struct CancelledCalls;
struct Admitted;
struct Covered;
struct RacingSites;
struct RegionCells;
struct MetFailures;

template <class... P>
struct Parts {
  template <class Q>
  static constexpr bool kHas = (std::is_same_v<P, Q> || ...);
};

/// In the order in which they are reset.
using PartsOfExecution = Parts<
    Crashes,            // crash.cc: ahead of the threads whose stacks have grown
    Pages,              // pages.h
    Mappings,           // effects/mappings.cc: after the memory that says where they are
    ProgramHeap,        // program_heap.cc
    MainBaseline,       // main_baseline.h
    Scheduler,          // scheduler.h: the threads
    ThreadDestructors,  // exit.cc
    ExecutionEnd,       // execution_end.h
    RecordedPoints,     // recorded_points.h
    Seals,              // seals.h
    Awaits,             // await.cc
    Collecting,         // await.h
    TimeStamps,         // hidden_state.cc
    Reuses,             // reuse.cc
    ThreadIdentities,   // thread_identity.h
    Inputs,             // inputs.cc
    Regions,            // region_reads.cc
    UnenforcedCalls,    // unenforced_calls.cc
    LoaderLock,         // posix/loader.cc
    SyscallGate,        // effects/gate.cc
    OutsideSignals,     // outside_signals.h
    ProgramOutput,      // effects/output.cc
    Channels,           // effects/channels.cc
    FileAliases,        // effects/aliases.cc
    FileLocks,          // effects/locks.cc
    CommonTime,         // common_time.h
    Allocations,        // allocations.cc
    BlessedMemory,      // happened.cc
    Detectors,          // happened.cc: races and orders
    Watch>;             // happened.h

/// Set up once, or learned over all executions.
using KeptParts = Parts<
    StartOfProgram,        // main.cc
    EngineHeap,            // heap.cc
    OwnMemory,             // own_memory.h
    LoadedModules,         // modules.cc
    ExecutableStacks,      // executable_stacks.cc
    SharedWithTool,        // shared_with_tool.cc
    RunRules,              // run_rules.h: what the user asked for
    ProgramSuppressions,   // annotations.cc
    WantedPause,           // debugger.cc
    LibraryCalls,          // library_calls.cc
    StaticResults,         // static_results.cc
    ProgramEnd,            // exit.cc: where the program's memory has it
    ProcessRoom,           // posix/process.cc: the same
    SchedulingAttributes,  // posix/attributes.cc: the same
    SignalActions,         // effects/actions.cc: the same
    TimersRoom,            // time/timers.cc: the same
    ProgramFiles,          // effects/files.cc: put back at the end of an execution, in its process
    KeptChannels,          // effects/kept_channels.cc: the same
    FreshProcesses,        // effects/fresh.cc
    ChildProcesses,        // effects/children.cc: learned, as are the following
    ProcessNumbers,        // effects/process_numbers.cc
    Clocks,                // time/clock.cc
    WatchedEnds,           // watched_ends.cc
    WaysOut,               // stand.cc
    Interruptions,         // interruptions.cc
    CancelledCalls,        // posix/cancelled_calls.cc
    Admitted,              // admitted.cc
    Covered,               // covered.cc
    RacingSites,           // sites.cc
    RegionCells,           // region_reads.cc
    MetFailures>;          // failures.cc

/// Where a part lies. Its file has `template struct RoomOf<P>;` (part.h).
template <class P>
struct RoomOf {
  static_assert(PartsOfExecution::kHas<P> != KeptParts::kHas<P>, "a part of the runtime is in one of the lists of runtime.h");
  static P part;
  static void reset();
};

template <class P>
[[gnu::always_inline]] constexpr P& part() {
  return RoomOf<P>::part;
}

/// Before each execution, and before the program's memory is changed between two of them: everything is as at the start.
void reset_runtime();

}  // namespace tarry::native::rt
