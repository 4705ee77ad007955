// The log of changes. Many threads append; one of them writes for all that wait (group commit).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "files.h"
#include "record.h"

namespace kv {

class WriteAheadLog {
 public:
  explicit WriteAheadLog(const std::string& path);

  /// Puts the record into its place in the log. Ensures: records are written in the order of these calls.
  std::uint64_t append(const Record& record);

  /// Waits until the record with that number is in the file.
  void commit(std::uint64_t number);

  /// From now on the records go to another file. All that were appended before are in the old one.
  void rotate(const std::string& path);

  /// Bytes since the last rotation.
  std::uint64_t size() const;

 private:
  void write_pending(std::unique_lock<std::mutex>& hold);

  mutable std::mutex lock_;  // guards all that follows
  std::condition_variable written_;
  std::unique_ptr<AppendFile> file_;  // used by the one that writes, without the lock
  bool writing_ = false;
  std::string pending_;
  std::uint64_t appended_ = 0, committed_ = 0;  // numbers of records
  std::uint64_t bytes_ = 0;
};

}  // namespace kv
