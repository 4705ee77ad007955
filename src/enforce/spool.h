// Transfers executions from the process that verifies them to the tool: a file of records, which may end at any byte.
//
// A record is its tag, its size (both 32 bits) and that many bytes. Labels are numbered in order of arrival. An execution is the
// numbers of its labels, without the prefix that it shares with the previous execution.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::enforce {

enum class SpoolTag : std::uint32_t {
  kModule = 1,  // its number, then its path (empty for the program itself)
  kLabel,       // bytes_of(label), with numbers of modules
  kExecution,   // the number of labels shared with the previous execution, then the other labels
  kAnew,        // all earlier executions are void: further accesses became events
  kPoint,       // a place (module and offset, 64 bits each) whose accesses are events
  kFailed,      // the number of different traces that failed (64 bits), so far
  kRefused,     // module and offset as before, then why an execution cannot be enforced
  kSite,        // module and offset as before, of the flag of such an access (native/pass)
  kEntry,       // bytes_of(entry) of a region; entries are numbered in order of arrival
  kEntries,     // the numbers of the entries of the next execution, in order
  kFailedExecution,  // as kExecution: it failed behind a region, before it entered another one
};

class SpoolWriter {
 public:
  void add(SpoolTag tag, std::string_view bytes) {
    const std::uint32_t head[2] = {static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(bytes.size())};
    buffer_.append(reinterpret_cast<const char*>(head), sizeof(head));
    buffer_ += bytes;
  }
  /// `tag`: kExecution or kFailedExecution.
  void add_execution(std::span<const std::uint32_t> labels, SpoolTag tag = SpoolTag::kExecution) {
    std::uint32_t common = 0;
    while (common < last_.size() && common < labels.size() && last_[common] == labels[common]) ++common;
    std::string bytes(reinterpret_cast<const char*>(&common), sizeof(common));
    bytes.append(reinterpret_cast<const char*>(labels.data() + common), (labels.size() - common) * sizeof(std::uint32_t));
    add(tag, bytes);
    last_.assign(labels.begin(), labels.end());
  }
  std::string& buffer() { return buffer_; }

 private:
  std::string buffer_;
  std::vector<std::uint32_t> last_;
};

/// Calls f(tag, bytes) for every complete record.
template <class Function>
void for_each_record(std::string_view spool, Function&& f) {
  while (spool.size() >= 8) {
    std::uint32_t head[2];
    std::memcpy(head, spool.data(), sizeof(head));
    if (spool.size() - 8 < head[1]) return;
    f(static_cast<SpoolTag>(head[0]), spool.substr(8, head[1]));
    spool.remove_prefix(8 + head[1]);
  }
}

}  // namespace tarry::enforce
