#include "native/rt/effects/output.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <unordered_map>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"

namespace tarry::native::rt {

/// What the program prints.
struct ProgramOutput {
  int file = -1;
  Lasting<std::vector<int>> ours;                                     // descriptors, of all kinds
  Lasting<std::unordered_map<std::string, std::uint64_t>> counts;     // of complete executions

  void reset();
};
template struct RoomOf<ProgramOutput>;

namespace {

constexpr int kFirstOfOurs = 800;
constexpr std::size_t kMuch = std::size_t{1} << 20;  // more than this is given back between executions
constexpr std::size_t kMostKept = std::size_t{64} << 20;

ProgramOutput& output() { return part<ProgramOutput>(); }
std::vector<int>& ours() { return *output().ours; }
std::unordered_map<std::string, std::uint64_t>& counts() { return *output().counts; }

}  // namespace

int out_of_the_way(int descriptor) {
  if (descriptor < 0) return descriptor;
  int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstOfOurs);
  if (moved < 0) moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 100);  // a low limit on open files
  if (moved < 0) return descriptor;
  ::close(descriptor);
  ours().push_back(moved);
  return moved;
}

bool our_descriptor(int descriptor) { return std::find(ours().begin(), ours().end(), descriptor) != ours().end(); }

void capture_output() {
  output().file = out_of_the_way(::memfd_create("output of the program", MFD_CLOEXEC));
  if (output().file < 0) return;
  ::dup2(output().file, STDOUT_FILENO);
  ::dup2(output().file, STDERR_FILENO);
}

void ProgramOutput::reset() {
  // One offset for all three descriptors: where it stands is what was written.
  if (file < 0) return;
  const long size = raw(SYS_lseek, file, 0, SEEK_CUR);
  if (size == 0) return;
  if (static_cast<std::size_t>(size) > kMuch && raw(SYS_ftruncate, file, 0) != 0) return;
  raw(SYS_lseek, file, 0, SEEK_SET);
}

std::size_t output_size() {
  if (output().file < 0) return 0;
  const long size = raw(SYS_lseek, output().file, 0, SEEK_CUR);
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

std::string output_from(std::size_t first) {
  const std::size_t size = output_size();
  if (size <= first) return {};
  if (size - first > kMostKept) admit("the program writes more than 64 MiB in one execution: of that the first 64 MiB were kept, and outputs are told apart by them");
  std::string text(std::min(size - first, kMostKept), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const long n = raw(SYS_pread64, output().file, text.data() + have, text.size() - have, first + have);
    if (n <= 0) break;
    have += static_cast<std::size_t>(n);
  }
  text.resize(have);
  return text;
}

std::string unwritten_output() {
  const char* const from = stdout->_IO_write_base;
  const char* const to = stdout->_IO_write_ptr;
  return from != nullptr && to > from && static_cast<std::size_t>(to - from) < kMuch ? std::string(from, to) : std::string();
}

void write_lines_at_once() {
  // The buffer itself is made by the first write, as it is otherwise: the program's heap is the same.
  if (__fbufsize(stdout) == 0) std::setvbuf(stdout, nullptr, _IOLBF, 0);
}

void count_output() { ++counts()[output_from(0)]; }

void forget_counts() { counts().clear(); }

std::vector<std::pair<std::string, std::uint64_t>> counted_outputs() {
  std::vector<std::pair<std::string, std::uint64_t>> all(counts().begin(), counts().end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace tarry::native::rt
