// One thing done outside of the program's memory that can be undone, by name, in two threads.
// What an execution finds is what the first found: files, descriptors, the folder and mappings are as at the start.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "cases.h"

// A large read of a file that is open as the first free descriptor.
ssize_t read_program(int* file) {
  static constexpr std::size_t kMost = 100000;
  char content[kMost];
  *file = open("/bin/true", O_RDONLY);
  assert(*file == 3);
  const ssize_t length = read(*file, content, kMost);
  if (length <= 0) perror("read");
  assert(length > 20000);
  assert(memcmp(content, "\177ELF", 4) == 0);
  return length;
}
void reads_file() {
  int file;
  read_program(&file);
  close(file);
}
void reads_file_and_its_size() {
  int file;
  const ssize_t length = read_program(&file);
  struct stat facts;
  assert(fstat(file, &facts) == 0);
  printf("%d ", length == facts.st_size || length == 100000);
  close(file);
}

// A descriptor that stays open: the next execution finds it free.
void leaves_file_open() { assert(open("/bin/true", O_RDONLY) == 3); }

// A number in a file that was there before, increased.
void counts_in_file() {
  std::ifstream before("cnt.txt");
  int number = 0;
  before >> number;
  before.close();
  std::ofstream("cnt.txt") << number + 1;
  assert(number == 5 || number == 6);
  printf("%d", number);
}

// The same through a shared mapping of the file.
void counts_in_mapped_file() {
  const int file = open("cnt.txt", O_RDWR);
  char* digit = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  assert(*digit == '5' || *digit == '6');
  ++*digit;
}

// A folder and a file made, a file renamed and one removed, and the folder changed.
void makes_renames_removes() {
  assert(access("d1", F_OK) != 0);
  assert(mkdir("d1", 0755) == 0);
  std::ofstream("d1/x") << "hi";
  assert(rename("d1/x", "d1/y") == 0);
  assert(chdir("d1") == 0);
  assert(access("y", F_OK) == 0);
  assert(unlink("../keep.txt") == 0);
}

// Temporary files that are never removed or closed.
void leaves_temporary_files() {
  char name[] = "tmpXXXXXX";
  const int file = mkstemp(name);
  assert(file >= 0);
  write(file, "x", 1);
  fputs("q", tmpfile());
}

// Another working folder.
void changes_folder() {
  chdir("/");
  char name[100];
  getcwd(name, sizeof name);
  printf("%s", name);
}

// Standard input and error closed, and the first one's number used again.
void closes_standard_files() {
  close(0);
  close(2);
  assert(open("/dev/null", O_RDONLY) == 0);
}

// Standard output sent to a file.
void redirects_output() {
  freopen("out.txt", "w", stdout);
  printf("gone\n");
}

// A system call that writes far down the stack.
void stats_into_deep_frame() {
  struct stat facts[3000];
  assert(stat("/bin/true", &facts[1000]) == 0);
  printf("%d", facts[1000].st_size > 0);
}

// Memory mapped, moved, emptied, and taken from the break: it is zero each time.
constexpr std::size_t kMapped = 1 << 20;
char* maps_memory() {
  char* block = static_cast<char*>(mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  assert(block[5] == 0);
  block[5] = 1;
  block = static_cast<char*>(mremap(block, kMapped, 4 * kMapped, MREMAP_MAYMOVE));
  assert(block[5] == 1);
  madvise(block, 4096, MADV_DONTNEED);
  assert(block[5] == 0);
  return block;
}
void moves_break() {
  void* end = sbrk(0);
  char* added = static_cast<char*>(sbrk(10000));
  assert(added == end);
  assert(added[9999] == 0);
  added[9999] = 1;
}
void maps_and_leaves() {
  maps_memory();
  moves_break();
}
void maps_and_unmaps() {
  munmap(maps_memory(), 4 * kMapped);
  moves_break();
}

// A page of a global array emptied by the system, behind the back of whoever restores memory.
char large[1 << 20];
void empties_global() {
  for (char& byte : large) assert(byte == 0);
  large[77777] = 1;
  madvise(large + 8192, 65536, MADV_DONTNEED);
  large[77777] = 0;
}

// The environment, as the program sees it.
void reads_environment() { printf("%d", getenv("LD_PRELOAD") != nullptr); }

struct PairOfCases {
  const char* name;
  Function first;
  Function second;
};

const PairOfCases kCases[] = {
    {"read", reads_file_and_its_size, reads_file},
    {"leak", nothing, leaves_file_open},
    {"count", counts_in_file, counts_in_file},
    {"shared", counts_in_mapped_file, counts_in_mapped_file},
    {"create", nothing, makes_renames_removes},
    {"temp", leaves_temporary_files, leaves_temporary_files},
    {"chdir", changes_folder, changes_folder},
    {"close0", nothing, closes_standard_files},
    {"freopen", nothing, redirects_output},
    {"stat", stats_into_deep_frame, stats_into_deep_frame},
    {"mmap", maps_and_leaves, maps_and_unmaps},
    {"global", empties_global, empties_global},
    {"getenv", reads_environment, reads_environment},
};

int main(int, char** arguments) {
  const PairOfCases& found = find_case(kCases, arguments);
  run_in_turns(found.first, found.second);
  puts("");
}
