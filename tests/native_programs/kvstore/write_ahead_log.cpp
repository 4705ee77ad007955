#include "write_ahead_log.h"

namespace kv {

WriteAheadLog::WriteAheadLog(const std::string& path) : file_(std::make_unique<AppendFile>(path)) {}

std::uint64_t WriteAheadLog::append(const Record& record) {
  std::lock_guard hold(lock_);
  const std::size_t before = pending_.size();
  encode(record, pending_);
  bytes_ += pending_.size() - before;
  return ++appended_;
}

void WriteAheadLog::commit(std::uint64_t number) {
  std::unique_lock hold(lock_);
  while (committed_ < number) {
    if (writing_) written_.wait(hold);
    else write_pending(hold);
  }
}

void WriteAheadLog::write_pending(std::unique_lock<std::mutex>& hold) {
  std::string batch;
  batch.swap(pending_);
  const std::uint64_t upto = appended_;
  writing_ = true;
  hold.unlock();
  file_->append(batch);
  hold.lock();
  writing_ = false;
  committed_ = upto;
  written_.notify_all();
}

void WriteAheadLog::rotate(const std::string& path) {
  auto next = std::make_unique<AppendFile>(path);
  std::unique_lock hold(lock_);
  while (writing_ || committed_ < appended_) {
    if (writing_) written_.wait(hold);
    else write_pending(hold);
  }
  file_ = std::move(next);
  bytes_ = 0;
}

std::uint64_t WriteAheadLog::size() const {
  std::lock_guard hold(lock_);
  return bytes_;
}

}  // namespace kv
