#include "native/rt/effects/files.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/kept_channels.h"
#include "native/rt/effects/output.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Files and descriptors as they were. They are put back at the end of an execution, in its own process (undo_files), and not before the next one.
struct ProgramFiles : Kept {
  /// A descriptor that was open at the baseline.
  struct Open {
    int number;
    int kept;        // the same, out of the program's way
    long offset;     // negative: cannot be told
    bool seek;       // its offset is put back
  };

  /// What a name stood for.
  struct Before {
    enum class Kind { kAbsent, kFile, kFolder, kLink };
    Kind kind;
    std::string path;
    std::string contents;  // of a file; where a link points to
    struct stat status;
    int copy = -1;         // a file with the contents, if they are large
  };
  Lasting<std::vector<Open>> open;
  Lasting<std::vector<int>> stay;  // sorted: those, and ours
  Lasting<std::vector<Before>> journal;
  Lasting<std::vector<std::string>> lost;
  int folder = -1;
  int lock = -1;     // a file that all workers have; the kernel gives the lock back if one dies
  bool mine = false;
  bool waits = false;  // for the lock
  std::uint64_t gave_way = 0;  // when it slept last, for others to get the lock
  bool changed = false, baseline_changed = false, folder_changed = false;
  bool seen = false;  // the program has opened something
  bool locked = false;
};
template struct RoomOf<ProgramFiles>;

namespace {

constexpr std::size_t kMostInMemory = std::size_t{16} << 20;  // contents of larger files are kept in a file

using Open = ProgramFiles::Open;
using Before = ProgramFiles::Before;
ProgramFiles& files() { return part<ProgramFiles>(); }

std::string path_of(int descriptor) {
  char name[64], path[PATH_MAX];
  std::snprintf(name, sizeof(name), "/proc/self/fd/%d", descriptor);
  const long n = raw(SYS_readlinkat, AT_FDCWD, name, path, sizeof(path));
  return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : "";
}

std::string absolute(int folder, const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  if (folder != AT_FDCWD) return path_of(folder) + "/" + path;
  char here[PATH_MAX];
  return raw(SYS_getcwd, here, sizeof(here)) > 0 ? std::string(here) + "/" + path : path;
}

void lost(const std::string& path, const char* why) {
  std::string text = "the program changes '" + path + "', which is not undone: " + why;
  if (std::find(files().lost->begin(), files().lost->end(), text) == files().lost->end()) files().lost->push_back(std::move(text));
}

bool read_all(const std::string& path, std::string& out) {
  const long file = raw(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::size_t have = 0;
  long n = 0;
  while (have < out.size() && (n = raw(SYS_read, file, out.data() + have, out.size() - have)) > 0) have += static_cast<std::size_t>(n);
  raw(SYS_close, file);
  out.resize(have);
  return n >= 0;
}

/// What lies in `from`, from its start, to `to`. Blocks are shared where the file system can do that.
bool copy_contents(int from, int to, std::size_t size) {
  if (raw(SYS_ioctl, to, FICLONE, from) == 0) return true;
  long from_at = 0, to_at = 0;
  while (static_cast<std::size_t>(to_at) < size) {
    long n = raw(SYS_copy_file_range, from, &from_at, to, &to_at, size - static_cast<std::size_t>(to_at), 0);
    if (n < 0) {  // from one file system to another
      raw(SYS_lseek, to, to_at, SEEK_SET);
      n = raw(SYS_sendfile, to, from, &from_at, size - static_cast<std::size_t>(to_at));
      if (n > 0) to_at += n;
    }
    if (n <= 0) return false;
  }
  return true;
}

/// A copy without a name: beside the file, or else in memory.
int copy_of(const std::string& path, std::size_t size) {
  const long from = raw(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return -1;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  long copy = raw(SYS_openat, AT_FDCWD, folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (copy < 0) copy = raw(SYS_memfd_create, "file of the program", MFD_CLOEXEC);
  constexpr long kFirst = 600;  // out of the program's way
  const long moved = copy < 0 ? -1 : raw(SYS_fcntl, copy, F_DUPFD_CLOEXEC, kFirst);
  if (moved >= 0) raw(SYS_close, std::exchange(copy, moved));
  if (copy >= 0 && !copy_contents(static_cast<int>(from), static_cast<int>(copy), size)) raw(SYS_close, std::exchange(copy, -1));
  raw(SYS_close, from);
  return static_cast<int>(copy);
}

void write_all(const Before& before) {
  struct stat now {};
  const bool same = raw(SYS_newfstatat, AT_FDCWD, before.path.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == before.status.st_ino;
  if (!same) raw(SYS_unlink, before.path.c_str());
  const long file = raw(SYS_openat, AT_FDCWD, before.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, before.status.st_mode & 07777);
  if (file < 0) return lost(before.path, "it cannot be written to");
  if (before.copy >= 0 && !copy_contents(before.copy, static_cast<int>(file), static_cast<std::size_t>(before.status.st_size))) lost(before.path, "there is no room for its contents");
  if (before.copy >= 0) raw(SYS_close, before.copy);
  std::size_t done = 0;
  while (done < before.contents.size()) {
    const long n = raw(SYS_write, file, before.contents.data() + done, before.contents.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  raw(SYS_fchmod, file, before.status.st_mode & 07777);
  const timespec times[2] = {before.status.st_atim, before.status.st_mtim};
  raw(SYS_utimensat, file, nullptr, times, 0);
  raw(SYS_close, file);
}

void put_back(const Before& before) {
  const char* const path = before.path.c_str();
  switch (before.kind) {
    case Before::Kind::kAbsent:
      if (raw(SYS_unlink, path) == -EISDIR) raw(SYS_rmdir, path);
      return;
    case Before::Kind::kFile: return write_all(before);
    case Before::Kind::kFolder:
      raw(SYS_mkdir, path, before.status.st_mode & 07777);
      raw(SYS_chmod, path, before.status.st_mode & 07777);
      return;
    case Before::Kind::kLink:
      raw(SYS_unlink, path);
      raw(SYS_symlink, before.contents.c_str(), path);
      return;
  }
}

std::vector<int> open_descriptors() {
  struct Entry {  // linux_dirent64
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t length;
    std::uint8_t type;
    char name[1];
  };
  std::vector<int> numbers;
  const long folder = raw(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(Entry) char buffer[4096];
  for (long n; folder >= 0 && (n = raw(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0;)
    for (long at = 0; at < n; at += reinterpret_cast<const Entry*>(buffer + at)->length) {
      const char* const name = reinterpret_cast<const Entry*>(buffer + at)->name;
      if (name[0] != '.' && std::atoi(name) != folder) numbers.push_back(std::atoi(name));
    }
  if (folder >= 0) raw(SYS_close, folder);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void unlock(int descriptor) {
  struct flock whole {};
  whole.l_type = F_UNLCK;
  raw(SYS_flock, descriptor, LOCK_UN);
  raw(SYS_fcntl, descriptor, F_SETLK, &whole);
  raw(SYS_fcntl, descriptor, F_OFD_SETLK, &whole);
}

bool known(const std::string& path) {
  return std::any_of(files().journal->begin(), files().journal->end(), [&](const Before& one) { return one.path == path; });
}

void keep(const std::string& path, const struct stat& status) {
  Before before{Before::Kind::kFile, path, "", status};
  if (S_ISDIR(status.st_mode)) {
    before.kind = Before::Kind::kFolder;
  } else if (S_ISLNK(status.st_mode)) {
    before.kind = Before::Kind::kLink;
    char target[PATH_MAX];
    const long n = raw(SYS_readlinkat, AT_FDCWD, path.c_str(), target, sizeof(target));
    before.contents.assign(target, n > 0 ? static_cast<std::size_t>(n) : 0);
  } else if (!S_ISREG(status.st_mode)) {
    return;  // a device or a pipe has no contents
  } else if (static_cast<std::size_t>(status.st_size) > kMostInMemory) {
    before.copy = copy_of(path, static_cast<std::size_t>(status.st_size));
    if (before.copy < 0) return lost(path, "it cannot be read, or there is no room for a copy");
  } else {
    before.contents.resize(static_cast<std::size_t>(status.st_size));
    if (!read_all(path, before.contents)) return lost(path, "it cannot be read");
  }
  files().journal->push_back(std::move(before));
}

}  // namespace

void remember_files() {
  ProgramFiles& all = files();
  for (const int number : open_descriptors()) {
    all.stay->push_back(number);
    if (is_ours(number)) continue;
    struct stat status {};
    raw(SYS_fstat, number, &status);
    const bool output = number == STDOUT_FILENO || number == STDERR_FILENO;
    all.open->push_back({number, -1, raw(SYS_lseek, number, 0, SEEK_CUR), S_ISREG(status.st_mode) && !output});
  }
  for (Open& one : *all.open) {
    one.kept = out_of_the_way(static_cast<int>(raw(SYS_dup, one.number)));
    all.stay->push_back(one.kept);
    remember_channel(one.number, one.kept);
  }
  all.folder = out_of_the_way(static_cast<int>(raw(SYS_openat, AT_FDCWD, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)));
  all.stay->push_back(all.folder);
  all.lock = out_of_the_way(static_cast<int>(raw(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC)));
  all.stay->push_back(all.lock);
  std::sort(all.stay->begin(), all.stay->end());
}

Turn take_files() {
  ProgramFiles& all = files();
  if (block().workers <= 1 || common().changes_files.load(std::memory_order_relaxed) == 0) return Turn::kNotNeeded;
  if (all.mine || raw(SYS_flock, all.lock, LOCK_EX | LOCK_NB) == 0) {
    all.mine = true;
    if (std::exchange(all.waits, false)) common().wait_for_files.fetch_sub(1);
    return Turn::kMine;
  }
  if (!std::exchange(all.waits, true)) common().wait_for_files.fetch_add(1);
  const timespec moment{0, 50'000};
  raw(SYS_nanosleep, &moment, nullptr);
  return Turn::kWait;
}

void give_back_files() {
  if (!files().mine) return;
  raw(SYS_flock, files().lock, LOCK_UN);
  files().mine = false;
  if (common().wait_for_files.load(std::memory_order_relaxed) == 0) return;
  // Another worker gets its turn now and then, not after every execution: most are far shorter than it takes to hand them over.
  constexpr std::uint64_t kTurn = 20'000'000;
  timespec now{};
  raw(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  const std::uint64_t time = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  if (time - files().gave_way < kTurn) return;
  files().gave_way = time;
  const timespec moment{0, 500'000};  // longer than others sleep before they look again
  raw(SYS_nanosleep, &moment, nullptr);
}

bool were_disturbed() { return files().seen && !files().mine && common().changes_files.load(std::memory_order_relaxed) != 0; }

void undo_files() {
  ProgramFiles& all = files();
  for (const Open& one : *all.open)
    if (one.seek) raw(SYS_lseek, one.kept, one.offset, SEEK_SET);
  undo_channels();
  while (!all.journal->empty()) {  // before descriptors are closed: copies of files are among them
    put_back(all.journal->back());
    all.journal->pop_back();
  }
  if (all.changed) {
    unsigned next = 0;
    for (const int number : *all.stay) {
      if (static_cast<unsigned>(number) > next) raw(SYS_close_range, next, number - 1, 0);
      next = static_cast<unsigned>(number) + 1;
    }
    raw(SYS_close_range, next, ~0U, 0);
  }
  if (std::exchange(all.locked, false))
    for (const Open& one : *all.open) unlock(one.kept);
  if (all.baseline_changed)
    for (const Open& one : *all.open) raw(SYS_dup2, one.kept, one.number);
  if (all.folder_changed) raw(SYS_fchdir, all.folder);
  all.changed = all.baseline_changed = all.folder_changed = all.seen = false;
}

bool is_ours(int descriptor) {
  if (descriptor < 100) return false;
  ProgramFiles& all = files();
  if (std::any_of(all.journal->begin(), all.journal->end(), [&](const Before& one) { return one.copy == descriptor; })) return true;
  if (all.folder < 0) return our_descriptor(descriptor);
  const bool stays = std::binary_search(all.stay->begin(), all.stay->end(), descriptor);
  return (stays && std::none_of(all.open->begin(), all.open->end(), [&](const Open& one) { return one.number == descriptor; })) || our_descriptor(descriptor);
}

bool makes_descriptors(long system_call) {
  switch (system_call) {
    case SYS_dup:
    case SYS_pipe:
    case SYS_pipe2:
    case SYS_socketpair:
    case SYS_eventfd:
    case SYS_eventfd2:
    case SYS_epoll_create:
    case SYS_epoll_create1:
    case SYS_memfd_create:
    case SYS_timerfd_create:
    case SYS_signalfd:
    case SYS_signalfd4:
    case SYS_inotify_init:
    case SYS_inotify_init1:
    case SYS_pidfd_open: return true;
    default: return false;
  }
}

void descriptors_change(int concerned) {
  ProgramFiles& all = files();
  all.changed = all.seen = true;
  if (concerned >= 0 && std::binary_search(all.stay->begin(), all.stay->end(), concerned)) all.baseline_changed = true;
}

long close_descriptors(unsigned first, unsigned last) {
  descriptors_change();
  files().baseline_changed = true;
  constexpr unsigned kUsual = 1023;
  for (unsigned i = first; i <= std::min(last, kUsual); ++i) closes_channel(static_cast<int>(i)), closes_kept(static_cast<int>(i));
  unsigned next = first;
  for (const int number : *files().stay) {
    const auto here = static_cast<unsigned>(number);
    if (here < first || here > last || !is_ours(number)) continue;
    if (here > next) raw(SYS_close_range, next, here - 1, 0);
    next = here + 1;
  }
  return next <= last ? raw(SYS_close_range, next, last, 0) : 0;
}

void need_files_alone() {
  if (block().workers <= 1 || files().mine) return;
  common().changes_files.store(1);
  files().seen = true;
  scheduler().begin_again();
}

void files_were_locked() { files().locked = true; }

void about_to_change(int folder, const char* path, Link link) {
  if (path == nullptr) return;
  need_files_alone();
  struct stat status {};
  const long here = raw(SYS_newfstatat, folder, path, &status, link == Link::kItself ? AT_SYMLINK_NOFOLLOW : 0);
  std::string name = absolute(folder, path);
  if (here == 0 && link == Link::kFollow) {
    const long file = raw(SYS_openat, folder, path, O_PATH | O_CLOEXEC);
    if (file >= 0) name = path_of(static_cast<int>(file));
    if (file >= 0) raw(SYS_close, file);
  }
  if (name.empty() || known(name) || name.starts_with("/dev/pts") || name.starts_with("/proc/")) return;
  if (here == 0) keep(name, status);
  else if (here == -ENOENT) files().journal->push_back({Before::Kind::kAbsent, name, "", status});
}

void folder_changes() { files().folder_changed = true; }

const std::vector<std::string>& not_undone() { return *files().lost; }

}  // namespace tarry::native::rt
