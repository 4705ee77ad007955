#include "native/rt/effects/aliases.h"

#include <fcntl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Memory that the program may see under two addresses.
struct FileAliases {
  /// A piece of a file, or of memory of System V, and where it is.
  struct Piece {
    std::uint64_t device, inode;
    std::uintptr_t from, to;  // in the file
    std::uintptr_t at;        // in memory
    bool shared, writable;
  };
  Lasting<std::vector<Piece>> pieces;
  std::uint32_t shared = 0;  // how many are shared
  bool met = false;          // in some execution

  void reset() {
    if (!pieces->empty()) pieces->clear();
    shared = 0;
  }
};
template struct RoomOf<FileAliases>;

namespace {

using Piece = FileAliases::Piece;
constexpr std::uint64_t kSystemV = ~std::uint64_t{0};  // as a device

FileAliases& aliases() { return part<FileAliases>(); }
std::vector<Piece>& pieces() { return *aliases().pieces; }

/// One of them changes what the other shows.
bool shows_the_same(const Piece& a, const Piece& b) {
  return a.device == b.device && a.inode == b.inode && a.from < b.to && b.from < a.to && ((a.shared && a.writable) || (b.shared && b.writable));
}

void add(const Piece& piece) {
  const EngineScope engine;
  for (const Piece& other : pieces())
    if (shows_the_same(piece, other)) aliases().met = true;
  pieces().push_back(piece);
  aliases().shared += piece.shared ? 1 : 0;
}

bool is_mapped(int file, std::uintptr_t from, std::uintptr_t to) {
  struct stat status {};
  if (raw(SYS_fstat, file, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return std::any_of(pieces().begin(), pieces().end(), [&](const Piece& piece) {
    return piece.shared && piece.device == status.st_dev && piece.inode == status.st_ino && piece.from < to && from < piece.to;
  });
}

constexpr std::uintptr_t kEnd = ~std::uintptr_t{0};

/// Where a read or write of the descriptor begins that names no place.
std::uintptr_t position(int file) {
  const long at = raw(SYS_lseek, file, 0, SEEK_CUR);
  return at < 0 ? 0 : static_cast<std::uintptr_t>(at);
}

}  // namespace

void has_alias() { aliases().met = true; }
bool has_aliases() { return aliases().met; }

void mapped_file(std::uintptr_t at, std::uintptr_t size, int file, std::uintptr_t offset, bool shared) {
  struct stat status {};
  if (raw(SYS_fstat, file, &status) != 0 || !S_ISREG(status.st_mode)) return;
  const bool writable = (raw(SYS_fcntl, file, F_GETFL) & O_ACCMODE) == O_RDWR;  // now, or by mprotect
  add({status.st_dev, status.st_ino, offset, offset + size, at, shared, writable});
}

void moved(std::uintptr_t from, std::uintptr_t to, std::uintptr_t where) {
  for (Piece& piece : pieces())
    if (piece.at >= from && piece.at < to) piece.at = piece.at - from + where;
}

void unmapped(std::uintptr_t from, std::uintptr_t to) {
  if (pieces().empty()) return;
  const EngineScope engine;
  std::erase_if(pieces(), [&](const Piece& piece) {
    const bool gone = piece.at >= from && piece.at + (piece.to - piece.from) <= to;
    aliases().shared -= gone && piece.shared ? 1 : 0;
    return gone;
  });
}

long attach_memory(const long (&a)[6]) {
  fresh::need("the program shares memory or messages with other processes");
  const long at = pass_to_kernel(SYS_shmat, a);
  if (at < 0 && at > -4096) return at;
  shmid_ds facts{};
  raw(SYS_shmctl, a[0], IPC_STAT, &facts);
  mapped(reinterpret_cast<const void*>(at), facts.shm_segsz);
  add({kSystemV, static_cast<std::uint64_t>(a[0]), 0, std::max<std::uintptr_t>(facts.shm_segsz, 1), static_cast<std::uintptr_t>(at), true, (a[2] & SHM_RDONLY) == 0});
  return at;
}

long detach_memory(const long (&a)[6]) {
  const EngineScope engine;
  const auto at = static_cast<std::uintptr_t>(a[0]);
  for (const Piece& piece : pieces())
    if (piece.device == kSystemV && piece.at == at) unmapping(reinterpret_cast<const void*>(at), piece.to, calling_place(0) - 1);
  const long result = pass_to_kernel(SYS_shmdt, a);
  if (result != 0) return result;
  aliases().shared -= static_cast<std::uint32_t>(std::erase_if(pieces(), [&](const Piece& piece) { return piece.device == kSystemV && piece.at == at; }));
  return result;
}

bool maps_files() { return aliases().shared > 0; }

void accesses_file(long number, const long (&a)[6]) {
  if (aliases().met || scheduler().alone()) return;  // what is done before threads are there, or after them, is in order
  const int file = static_cast<int>(a[0]);
  const auto size = static_cast<std::uintptr_t>(a[2]), offset = static_cast<std::uintptr_t>(a[3]);
  bool meets = false;
  switch (number) {
    case SYS_pread64:
    case SYS_pwrite64: meets = is_mapped(file, offset, offset + size); break;
    case SYS_read:
    case SYS_write: meets = is_mapped(file, position(file), position(file) + size); break;
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_preadv2:
    case SYS_pwritev2: meets = is_mapped(file, a[3] == -1 ? position(file) : offset, kEnd); break;
    case SYS_readv:
    case SYS_writev: meets = is_mapped(file, position(file), kEnd); break;
    case SYS_sendfile: meets = is_mapped(file, 0, kEnd) || is_mapped(static_cast<int>(a[1]), 0, kEnd); break;
    case SYS_splice:
    case SYS_copy_file_range: meets = is_mapped(file, 0, kEnd) || is_mapped(static_cast<int>(a[2]), 0, kEnd); break;
    default: break;
  }
  if (meets) aliases().met = true;
}

void opened_file(int descriptor, const char* path) {
  if (descriptor < 0 || path == nullptr) return;
  const std::size_t length = ::strnlen(path, PATH_MAX);
  if (length < 3 || std::memcmp(path + length - 3, "mem", 3) != 0) return;
  char name[64], target[PATH_MAX];
  std::snprintf(name, sizeof(name), "/proc/self/fd/%d", descriptor);
  const long n = raw(SYS_readlinkat, AT_FDCWD, name, target, sizeof(target));
  const std::string_view text(target, n > 0 ? static_cast<std::size_t>(n) : 0);
  if (text.starts_with("/proc/") && text.ends_with("/mem")) aliases().met = true;
}

}  // namespace tarry::native::rt
