#include "cli/replaced_sets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "cli/admissible_file.h"

namespace tarry::cli {
namespace {

std::uint64_t checksum_of_image(const std::string& bytes) { return enforce::ImageView(bytes.data()).header().checksum; }

bool write_at(int file, const std::string& bytes, std::uint64_t at) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

ReplacedSets::ReplacedSets(const std::filesystem::path& file, std::string first, const SharedFile& memory, enforce::RunBlock& block, WhyNot why_not)
    : file_(std::filesystem::absolute(file)), memory_(memory), block_(block), why_not_(std::move(why_not)), watch_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), checksum_(checksum_of_image(first)) {
  constexpr std::uint64_t kLeast = 16 << 20, kGrows = 8, kPage = 4096;
  block_.window = 2 * ((std::max<std::uint64_t>(kLeast, kGrows * first.size()) + kPage - 1) / kPage * kPage);
  sets_[0] = std::move(first);
  // Files are replaced by a new one of the same name, or written anew: the folder tells both.
  if (watch_ >= 0) ::inotify_add_watch(watch_, file_.parent_path().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
}
ReplacedSets::~ReplacedSets() {
  if (watch_ >= 0) ::close(watch_);
}

int ReplacedSets::work() {
  constexpr int kMoment = 5, kWhile = 200;
  alignas(inotify_event) char events[4096];
  bool changed = std::exchange(begins_, false);  // the file may have changed after it was read and before it was watched
  while (::read(watch_, events, sizeof(events)) > 0) changed = true;
  if (changed) look();
  publish();
  free_old();
  return newer_ ? kMoment : is_freed_ ? -1 : kWhile;
}

/// The set before the present one is not used any more when the program has taken the present one.
void ReplacedSets::free_old() {
  if (is_freed_ || block_.taken.load() != block_.published.load()) return;
  const std::uint64_t half = block_.window / 2;
  ::fallocate(memory_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>((block_.published.load() + 1) % 2 * half), static_cast<off_t>(half));
  is_freed_ = true;
}

void ReplacedSets::look() {
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return;
  auto bytes = read_schedules(file_);
  std::optional<Diagnostic> wrong;
  if (!bytes) wrong = bytes.error();
  else if (checksum_of_image(*bytes) == checksum_) return;
  else wrong = why_not_(enforce::ImageView(bytes->data()));
  if (!wrong && bytes->size() > block_.window / 2) wrong = Diagnostic{fmt::format("{}: error: has become too large to replace the set of a running program; it acts at the next start", file_.string())};
  if (wrong) {
    fmt::print(stderr, "{}\ntarry: the program runs on with the set that it has\n", wrong->text);
    return;
  }
  checksum_ = checksum_of_image(*bytes);
  newer_ = std::move(*bytes);
}

/// There are two places. One is free when the program has taken the set in the other.
void ReplacedSets::publish() {
  const std::uint32_t last = block_.published.load();
  if (!newer_ || block_.taken.load() != last) return;
  const std::uint64_t half = block_.window / 2;
  const std::uint32_t next = last + 1;
  const std::uint64_t at = next % 2 * half;
  free_old();
  if (!write_at(memory_.number(), *newer_, at)) return;
  const std::uint64_t traces = enforce::ImageView(newer_->data()).header().traces;
  sets_[next % 2] = std::move(*newer_);
  newer_.reset();
  block_.at = at;
  block_.published.store(next);
  is_freed_ = false;
  fmt::print(stderr, "tarry: set {} of schedules, with {}: from the next region on\n", next, number_of(traces, "admissible trace"));
}

}  // namespace tarry::cli
