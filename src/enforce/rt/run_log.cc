#include "enforce/rt/run_log.h"

#include <cstdio>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/rt/modules.h"
#include "enforce/rt/raw.h"

namespace tarry::enforce::rt {
namespace {

/// Text in our own memory: the heap belongs to the program.
class Text {
 public:
  explicit Text(std::uint64_t room) : room_(room), at_(static_cast<char*>(fresh_memory(room))) {}
  ~Text() { ::munmap(at_, room_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  template <class... Arguments>
  void add(const char* format, Arguments... arguments) {
    const int n = std::snprintf(at_ + size_, room_ - size_, format, arguments...);
    if (n > 0 && size_ + static_cast<std::uint64_t>(n) < room_) size_ += static_cast<std::uint64_t>(n);
  }
  void write(int file) const {
    for (std::uint64_t done = 0; done < size_;) {
      const long n = raw(SYS_write, file, raw_address(at_ + done), static_cast<long>(size_ - done));
      if (n <= 0) return;
      done += static_cast<std::uint64_t>(n);
    }
  }

 private:
  std::uint64_t room_, size_ = 0;
  char* at_;
};

void add_object(Text& text, const void* address) {
  if (address == nullptr) return text.add(" -");
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const Where where = whereabouts(value);
  if (where.module != nullptr) return text.add(" d:%s:%llx", where.module, static_cast<unsigned long long>(where.offset));
  text.add(" m:%llx", static_cast<unsigned long long>(value));
}

}  // namespace

void* fresh_memory(std::uint64_t size) {
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) raw(SYS_exit_group, 70);
  return at;
}

void RunLog::begin(int file, std::uint32_t threads) {
  threads_ = threads;
  last_ = static_cast<Chunk**>(fresh_memory(threads * sizeof(Chunk*)));
  file_ = file;
}

void RunLog::claim(std::uint32_t thread, const Actual& actual) {
  Chunk*& last = last_[thread];
  if (last == nullptr || last->count == kEntries) {
    auto* const next = static_cast<Chunk*>(fresh_memory(sizeof(Chunk)));
    next->before = last;
    last = next;
  }
  LogEntry& entry = last->entries[last->count++];
  entry.actual = actual;
  entry.done = 0;
  entry.claimed = clock_.fetch_add(1) + 1;
}

void RunLog::done(std::uint32_t thread) {
  Chunk* const last = last_[thread];
  if (last->count == 0) return;  // it was written meanwhile: main has left a region that is unverified
  last->entries[last->count - 1].done = clock_.fetch_add(1) + 1;
}

void RunLog::write(std::uint64_t trace, bool verified, std::uint32_t set) {
  constexpr std::uint64_t kLine = 512;
  std::uint64_t entries = 2;
  for (std::uint32_t i = 0; i < threads_; ++i)
    for (const Chunk* chunk = last_[i]; chunk != nullptr; chunk = chunk->before) entries += chunk->count;
  Text text(entries * kLine);
  text.add("run %d\n", ::getpid());
  for (std::uint32_t i = 0; i < threads_; ++i)
    for (const Chunk* chunk = last_[i]; chunk != nullptr; chunk = chunk->before)
      for (std::uint32_t n = 0; n < chunk->count; ++n) {
        const LogEntry& entry = chunk->entries[n];
        text.add("%u %s %u %llu %llu", i, name_of(entry.actual.kind), entry.actual.size, static_cast<unsigned long long>(entry.claimed), static_cast<unsigned long long>(entry.done));
        if (entry.actual.kind == Kind::kJoin) text.add(" t:%u", entry.actual.thread);
        else if (entry.actual.kind == Kind::kEnterRegion) text.add(" e:%lld", static_cast<long long>(entry.actual.value));
        else if (entry.actual.kind == Kind::kInput) text.add(" v:%lld", static_cast<long long>(entry.actual.value));
        else add_object(text, entry.actual.object);
        add_object(text, entry.actual.also);
        text.add("\n");
      }
  text.add("end %016llx %s %u\n", static_cast<unsigned long long>(trace), verified ? "verified" : "unverified", set);
  text.write(file_);
  clear();
}

/// Keeps one chunk for each thread that has any.
void RunLog::clear() {
  for (std::uint32_t i = 0; i < threads_; ++i) {
    if (last_[i] == nullptr) continue;
    while (Chunk* const before = last_[i]->before) {
      last_[i]->before = before->before;
      ::munmap(before, sizeof(Chunk));
    }
    last_[i]->count = 0;
  }
}

}  // namespace tarry::enforce::rt
