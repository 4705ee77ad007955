#include "native/rt/session/trace_dump.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "native/rt/base/modules.h"
#include "native/rt/base/raw.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

constexpr std::size_t kEnough = 1 << 16;

/// "thread 2", "thing 3" (shared_things.h), "0:4010" for data of a module, or the address.
std::string object_text(std::uint64_t object) {
  constexpr std::uint64_t kThings = 4096;
  if (object < kThings) return "thing " + std::to_string(object);
  const auto first = reinterpret_cast<std::uintptr_t>(&scheduler().thread(0));
  if (object >= first && object < first + sizeof(Thread) * kMaxThreads && (object - first) % sizeof(Thread) == 0) return "thread " + std::to_string((object - first) / sizeof(Thread));
  const Place place = place_of(object);
  char text[64];
  if (place.offset != 0) std::snprintf(text, sizeof text, "%u:%lx", place.module, static_cast<unsigned long>(place.offset));
  else std::snprintf(text, sizeof text, "0x%lx", static_cast<unsigned long>(object));
  return text;
}

void put_event(std::string& out, std::uint32_t event_plus_1) { out += event_plus_1 == 0 ? "null" : std::to_string(event_plus_1 - 1); }

/// Kinds of failures are words.
const char* end_of(const ExecutionResult& result) { return result.end == End::kEnded ? "ended" : result.failure.kind.name(); }

}  // namespace

TraceDump::TraceDump(std::string file) : file_(std::move(file)) { flush(O_TRUNC); }

bool TraceDump::finish() {
  flush(O_APPEND);
  return !failed_;
}

/// The file is open only meanwhile: descriptors that were not there when the program began are closed behind an execution that makes some.
void TraceDump::flush(int flags) {
  const long file = raw(SYS_openat, AT_FDCWD, file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  std::size_t written = 0;
  while (file >= 0 && written < buffer_.size()) {
    const long n = raw(SYS_write, file, buffer_.data() + written, buffer_.size() - written);
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  failed_ |= file < 0 || written < buffer_.size();
  buffer_.clear();
  if (file >= 0) raw(SYS_close, file);
}

void TraceDump::begin() { steps_.clear(); }

void TraceDump::before(std::uint32_t thread) {
  const Scheduler& all = scheduler();
  steps_.push_back({.thread = thread, .operation = name_of(all.thread(thread).pending.op), .expires = all.would_expire(thread), .values = {}, .first_created = all.thread_count(), .created = 0, .uses = {}, .everything = false});
}

void TraceDump::decided(std::uint32_t value) { steps_.back().values.push_back(value); }

void TraceDump::take_uses(DumpedStep& step) {
  step.uses.clear();
  step.everything = false;
  for (const ObjectUse& use : g_watch.footprint->of_last_step()) {
    step.everything |= use.object == kEverything;
    const bool writes = use.use == Use::kWrite;
    const auto known = std::find_if(step.uses.begin(), step.uses.end(), [&](const DumpedUse& one) { return one.object == use.object; });
    if (known == step.uses.end()) step.uses.push_back({use.object, writes});
    else known->writes |= writes;
  }
}

void TraceDump::after(std::uint32_t /*thread*/) {
  DumpedStep& step = steps_.back();
  step.created = scheduler().thread_count() - step.first_created;
  take_uses(step);
}

/// That its last step ended the program is known only now.
void TraceDump::end() {
  if (!steps_.empty()) take_uses(steps_.back());
}

void TraceDump::put_uses(const DumpedStep& step, std::uint32_t number) {
  for (const bool writes : {false, true}) {
    bool first = true;
    for (const DumpedUse& use : step.uses) {
      if (use.writes != writes || use.object == kEverything) continue;
      buffer_ += first ? (writes ? ",\"co\":{\"" : ",\"rf\":{\"") : ",\"";
      first = false;
      buffer_ += object_text(use.object);
      buffer_ += "\":";
      std::uint32_t& last = last_writes_[use.object];
      put_event(buffer_, std::max(last, last_global_));
      if (writes) last = number + 1;
    }
    if (!first) buffer_ += '}';
  }
  if (step.everything) last_global_ = number + 1;
}

void TraceDump::put_events() {
  last_writes_.clear();
  last_global_ = 0;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    const DumpedStep& step = steps_[i];
    buffer_ += i == 0 ? "{\"t\":" : ",{\"t\":";
    buffer_ += std::to_string(step.thread);
    buffer_ += ",\"op\":\"";
    buffer_ += step.operation;
    buffer_ += '"';
    if (step.expires) buffer_ += ",\"expires\":true";
    for (std::size_t k = 0; k < step.values.size(); ++k) buffer_ += (k == 0 ? ",\"values\":[" : ",") + std::to_string(step.values[k]);
    if (!step.values.empty()) buffer_ += ']';
    for (std::uint32_t k = 0; k < step.created; ++k) buffer_ += (k == 0 ? ",\"creates\":[" : ",") + std::to_string(step.first_created + k);
    if (step.created > 0) buffer_ += ']';
    put_uses(step, i);
    if (step.everything) buffer_ += ",\"all\":true";
    buffer_ += '}';
  }
}

void TraceDump::begin_anew() {
  buffer_.clear();
  flush(O_TRUNC);
}

void TraceDump::complete(const ExecutionResult& result) {
  if (result.points_changed) return begin_anew();
  if (result.end != End::kEnded && result.end != End::kFailed) return;
  buffer_ += "{\"end\":\"";
  buffer_ += end_of(result);
  buffer_ += "\",\"events\":[";
  put_events();
  buffer_ += "]}\n";
  if (buffer_.size() >= kEnough) flush(O_APPEND);
}

}  // namespace tarry::native::rt
