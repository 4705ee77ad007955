// Start and end of the program, and the sets that it runs on.
//
// `tarry run` hands over a file of sets. The first set is at its beginning. If the program has regions, the file may grow: the program maps more than is there,
// and a new set appears in memory without a call of the system by the program.
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "enforce/rt/access_flags.h"
#include "enforce/rt/modules.h"
#include "enforce/rt/raw.h"
#include "enforce/rt/state.h"

namespace tarry::enforce::rt {

std::uintptr_t g_main_frame = 0;

namespace {

Control* new_control() {
  alignas(Control) static unsigned char room[sizeof(Control)];
  return new (room) Control;
}

[[noreturn]] void refuse(const char* why) {
  std::fprintf(stderr, "tarry: error: enforcement cannot begin: %s\n", why);
  while (true) raw(SYS_exit_group, 70);
}

/// Maps the file, and so much behind its end that there are `least` bytes.
const void* map_file(int file, int protection, int flags, std::uint64_t least = 0) {
  struct stat facts;
  if (::fstat(file, &facts) != 0) refuse("a file that 'tarry run' hands over is not open");
  void* const at = ::mmap(nullptr, std::max(static_cast<std::size_t>(facts.st_size), least), protection, flags, file, 0);
  if (at == MAP_FAILED) refuse("a file that 'tarry run' hands over cannot be mapped");
  ::close(file);
  return at;
}

/// Returns memory that lasts as long as the set, all zero.
void* room_for_set(Control& all, std::uint64_t size) {
  MappedRoom& room = all.rooms[all.room_count++];
  room = {fresh_memory(size), size};
  return room.at;
}

void find_points(Control& all) {
  all.point_slots = 64;
  while (all.point_slots < all.image.points().size() * 4) all.point_slots *= 2;
  all.points = static_cast<std::uintptr_t*>(room_for_set(all, all.point_slots * sizeof(std::uintptr_t)));
  for (const PlaceRecord& place : all.image.points()) {
    const std::uintptr_t pc = all.bases[place.module] + place.offset;
    std::uint64_t at = pc * 0x9E3779B97F4A7C15u >> 40;
    while (all.points[at & (all.point_slots - 1)] != 0) ++at;
    all.points[at & (all.point_slots - 1)] = pc;
  }
  g_has_points = !all.image.points().empty();
}

/// A library that is not loaded has no base: its flags are unknown.
void find_sites(Control& all) {
  auto* const flags = static_cast<std::uintptr_t*>(room_for_set(all, (all.image.sites().size() + 1) * sizeof(std::uintptr_t)));
  std::uint64_t count = 0;
  for (const PlaceRecord& place : all.image.sites())
    if (all.bases[place.module] != 0 || all.image.modules()[place.module].size == 0) flags[count++] = all.bases[place.module] + place.offset;
  set_flags({flags, count});
}

/// Removes the tool's variables from the environment, so that programs started by this program run without enforcement.
void restore_environment() {
  ::unsetenv(kRunVariable);
  const char* value = std::getenv("LD_PRELOAD");
  for (const char* const ours : {"libtarry_enforce", "libtarry_cxx"}) {
    const char* const found = value == nullptr ? nullptr : std::strstr(value, ours);
    if (found == nullptr) continue;
    const char* const rest = std::strchr(found, ':');
    if (rest != nullptr && rest[1] != '\0') ::setenv("LD_PRELOAD", rest + 1, 1);
    else ::unsetenv("LD_PRELOAD");
    value = std::getenv("LD_PRELOAD");
  }
}

}  // namespace

void install(const ImageView& image) {
  Control& all = *g_control;
  const Rooms before = all.rooms;
  const std::uint32_t count = all.room_count;
  all.room_count = 0;
  all.image = image;
  all.threads = image.header().threads;
  all.bases = static_cast<std::uintptr_t*>(room_for_set(all, (image.modules().size() + 1) * sizeof(std::uintptr_t)));
  for (std::uint32_t i = 0; i < image.modules().size(); ++i) all.bases[i] = base_of(image.text(image.modules()[i]));
  all.has_memory = std::any_of(image.objects().begin(), image.objects().end(), [](const ObjectRecord& object) { return object.space == static_cast<std::uint32_t>(Space::kMemory); });
  const std::uint64_t for_bindings = Bindings::room_for(image.header().objects), for_admission = Admission::room_for(image, all.threads);
  all.bindings.begin(image.header().objects, room_for_set(all, for_bindings));
  alignas(Admission) static unsigned char admission[sizeof(Admission)];
  all.admission = new (admission) Admission(image, all.threads, room_for_set(all, for_admission));
  find_points(all);
  find_sites(all);  // clears the flags of the set before
  for (std::uint32_t i = 0; i < count; ++i) ::munmap(before[i].at, before[i].size);
}

void take_newest_set() {
  Control& all = *g_control;
  const std::uint32_t newest = all.block->published.load(std::memory_order_acquire);
  if (newest == all.set) return;
  install(ImageView(all.sets + all.block->at));
  all.set = newest;
  all.block->taken.store(newest, std::memory_order_release);  // from here on `tarry run` may free the set before
}

/// Starts a run that is only written down.
static void begin_recording(int file) {
  restore_environment();
  g_control = new_control();
  g_control->log.begin(file, kMostThreads);
  __libc_single_threaded = 0;  // as during verification
  g_mode.store(Mode::kRecord);
  begin_thread(0);
}

void begin_main() {
  const char* const value = std::getenv(kRunVariable);
  if (int file = -1; value != nullptr && std::sscanf(value, "record:%d", &file) == 1) return begin_recording(file);
  int image = -1, block = -1;
  if (value == nullptr || std::sscanf(value, "%d:%d", &image, &block) != 2) return;
  restore_environment();
  g_control = new_control();
  Control& all = *g_control;
  all.block = static_cast<RunBlock*>(const_cast<void*>(map_file(block, PROT_READ | PROT_WRITE, MAP_SHARED)));
  if (all.block->magic != kRunMagic) refuse("the library does not fit the tool that started it");
  all.sets = static_cast<const char*>(map_file(image, PROT_READ, all.block->window == 0 ? MAP_SHARED | MAP_POPULATE : MAP_SHARED, all.block->window));
  install(ImageView(all.sets));
  all.has_regions = all.image.has_regions();
  if (all.block->log != 0) all.log.begin(static_cast<int>(all.block->log - 1), kMostThreads);
  __libc_single_threaded = 0;  // as during verification: reference counts are atomic from the start
  all.live.store(1);
  all.block->attached.store(1);
  g_mode.store(all.has_regions ? Mode::kOutside : Mode::kEnforce);
  begin_thread(0);
}

void finish() {
  if (g_control == nullptr || g_control->finished.exchange(true)) return;
  complete_access();
  Control& all = *g_control;
  if (all.block == nullptr) return all.log.write(0, false);
  if (all.has_regions) return all.block->finished.store(1);  // regions have told what is to be told
  const bool verified = g_mode.load() == Mode::kEnforce;
  all.block->events.store(all.admission->completed());
  all.block->trace = all.admission->trace_taken();
  all.block->finished.store(1);
  if (all.log.on()) all.log.write(all.block->trace, verified);
}

}  // namespace tarry::enforce::rt
