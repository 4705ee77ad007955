// What the tool and the runtime in the tested process say to each other: two blocks of shared memory, handed over as files.
//
// The tool starts the program with libtarry_rt.so in LD_PRELOAD and the variable below. `Common` is shared by all worker
// processes of a check, `Block` belongs to one of them. A request and a result are JSON texts (abi/messages.h); everything that may be
// read after the process has died is plain data. Both files are sparse: pages that are never written take no memory.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/progress.h"

namespace tarry::native {

/// "COMMON:BLOCK": the numbers of the two open files.
inline constexpr const char* kSessionVariable = "TARRY_SESSION";
inline constexpr std::uint32_t kMagic = 0x544e5254;
inline constexpr std::uint32_t kProtocolVersion = 5;

/// What a worker process is doing.
enum class Phase : std::uint32_t {
  kStarting,   // before main: constructors of the program run
  kSearching,  // or replaying
  kTelling,    // the search is over, and its result is put together
  kDone,       // the result is there
};

/// How it ended, if it did not come to kDone. Written by the runtime as far as it could.
enum class Death : std::uint32_t { kNone, kSignal, kExit, kHang, kOurs };

/// The text of a kOurs that a limit of the size of files may explain.
inline constexpr const char* kNoSharedRoom = "there is no room for memory shared between processes";

/// What the tool asks of a worker, by a signal that no program can use: glibc keeps it to itself, for a purpose that the runtime has taken over.
enum class Ask : std::uint32_t {
  kNothing,
  kStop,     // end, in the middle of a step if need be, and say what is known
  kEndWait,  // the step waits in the kernel and will not be woken: a limit
};
inline constexpr int kAskSignal = 32;

/// Addresses that a worker reserves: 16 TiB for the heaps of the program's threads, 1 TiB for the engine's. The rest is for what is shared, stacks and the
/// program itself. Only the engine's heap is mapped to be written from the start.
inline constexpr std::uint64_t kAddressSpace = std::uint64_t{18} << 40;
inline constexpr std::uint64_t kWritableSpace = std::uint64_t{2} << 40;

/// What the machine has not got, a bit each: the runtime does without. Known from outside, and given to it.
enum Lacks : std::uint32_t {
  kNoFsgsbase = 1,        // the thread pointer is set by a system call
  kNoDispatch = 2,        // system calls of the program are not seen
  kNoFixedAddresses = 4,  // every process has addresses of its own
};

/// One worker's.
struct Block {
  static constexpr std::uint64_t kRequestRoom = std::uint64_t{64} << 20;
  static constexpr std::uint64_t kScheduleRoom = std::uint64_t{16} << 20;  // choices
  static constexpr std::uint64_t kResultRoom = std::uint64_t{1} << 30;
  static constexpr std::uint32_t kMaxPoints = 8'192;

  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t worker;   // its number, from 0
  std::uint32_t workers;  // how many there are
  std::uint32_t lacks;    // bits of Lacks
  std::atomic<Phase> phase;
  std::atomic<Death> death;
  std::int32_t death_number;        // signal or exit code
  char death_text[1024];
  std::uint32_t running;            // thread + 1 that runs or ran last
  std::atomic<std::uint32_t> in_step;  // code of the program runs, or what it called: else the worker does work of its own, however long it takes
  std::atomic<std::int32_t> process;  // that runs the execution; 0: the worker's own, negative: it is being made
  std::atomic<Ask> ask;
  std::atomic<std::uint32_t> heard;   // the worker is about to end
  std::atomic<std::uint32_t> call;    // the number, plus 1, of the system call that the kernel performs for the program right now
  std::uint64_t request_size;
  std::atomic<std::uint64_t> result_size;
  std::atomic<std::uint64_t> schedule_size;        // of the execution that runs right now
  std::uint32_t schedule[kScheduleRoom];           // code_of each (core/move.h)
  std::atomic<std::uint32_t> point_count;          // accesses that are choice points, because they race: the schedule means something with these
  std::uint64_t points[kMaxPoints];                // as Common::places has them
  std::atomic<std::uint64_t> footprints;           // the place that stands for footprints, if steps tell them in the execution that runs right now; else 0
  char request[kRequestRoom];
  char result[kResultRoom];
};

/// Of all workers of a check.
struct Common {
  static constexpr std::uint64_t kShareRoom = std::uint64_t{256} << 20;
  static constexpr std::uint32_t kMaxPlaces = 1 << 21;  // no worker has more than Block::kMaxPoints, and there are 256

  std::uint32_t magic;
  std::uint32_t version;
  Progress progress;  // worker i writes line i; `stop` ends all

  /// Accesses that were found to race and are choice points from then on, as offsets of their code (abi/messages.h, Place).
  std::atomic<std::uint32_t> place_count;
  std::atomic<std::uint64_t> places[kMaxPlaces];

  /// The program changes files: executions of different workers would see each other's. They take turns from then on.
  std::atomic<std::uint32_t> changes_files;
  std::atomic<std::uint32_t> wait_for_files;  // how many workers do

  alignas(64) unsigned char share[kShareRoom];  // unexplored subtrees that workers hand to each other, and letters; the runtime's own
};

}  // namespace tarry::native
