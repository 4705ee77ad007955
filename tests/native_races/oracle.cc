#include "tests/native_races/oracle.h"

#include <optional>

namespace tarry::native::testing {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

bool is_acquire(std::memory_order order) {
  return order == std::memory_order_consume || order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
bool is_release(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
bool is_atomic(const Op& op) { return op.what >= Do::kLoad && op.what <= Do::kFailedCas; }
bool stores(const Op& op) { return op.what == Do::kStore || op.what == Do::kRmw; }
bool loads(const Op& op) { return op.what == Do::kLoad || op.what == Do::kFailedCas || op.what == Do::kRmw; }
bool is_access(const Op& op) { return op.what <= Do::kFailedCas || op.what == Do::kFree; }
bool writes(const Op& op) { return stores(op) || op.what == Do::kWrite || op.what == Do::kWriteRange || op.what == Do::kFree; }
bool within(const Op& op, std::uint32_t byte) { return op.at <= byte && byte < op.at + op.size; }

class Oracle {
 public:
  explicit Oracle(const Trace& trace) : trace_(trace), edge_(trace.size(), std::vector<bool>(trace.size())) {
    sequenced_before();
    threads_and_objects();
    for (const auto& [at, size] : kAtomics) atomic_object(at, size);
    transitive_closure();
  }

  Reports races() const {
    Reports reports;
    for (std::uint32_t byte = 0; byte < kArena; ++byte) races_of(byte, reports);
    return reports;
  }

 private:
  void sequenced_before() {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      for (std::size_t j = i + 1; j < trace_.size(); ++j) edge_[i][j] = trace_[i].thread == trace_[j].thread;
    }
  }

  void threads_and_objects() {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      for (std::size_t j = i + 1; j < trace_.size(); ++j) {
        const Op &a = trace_[i], &b = trace_[j];
        if (a.what == Do::kCreate && a.at == b.thread) edge_[i][j] = true;
        if (b.what == Do::kJoin && b.at == a.thread) edge_[i][j] = true;
        if (a.what == Do::kCreate && b.what == Do::kJoin && a.at == b.at) edge_[i][j] = true;  // of a thread that does nothing
        const bool releases = a.what == Do::kRelease || a.what == Do::kReleaseAcquire;
        const bool acquires = b.what == Do::kAcquire || b.what == Do::kReleaseAcquire;
        if (releases && acquires && a.at == b.at) edge_[i][j] = true;
      }
    }
  }

  /// One atomic object: who reads from whom, the (hypothetical) release sequences, and [atomics.order] 2, [atomics.fences] 2
  /// to 4.
  void atomic_object(std::uint32_t at, std::uint32_t size) {
    std::vector<std::size_t> reads_from(trace_.size(), kNone);
    std::size_t value = kNone;  // the event that wrote the present value, if it is an atomic one
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const Op& op = trace_[i];
      const bool covers = op.at <= at && at + size <= op.at + op.size;
      const bool touches = op.at < at + size && at < op.at + op.size;
      if (is_atomic(op)) {
        if (!covers) continue;
        if (loads(op)) reads_from[i] = value;
        if (stores(op)) value = i;
      } else if ((op.what == Do::kWrite || op.what == Do::kWriteRange) && covers) {
        value = kNone;
      } else if ((op.what == Do::kFree || op.what == Do::kAllocate) && touches) {
        value = kNone;
      }
    }
    for (std::size_t head = 0; head < trace_.size(); ++head) {
      const Op& x = trace_[head];
      if (!is_atomic(x) || !stores(x) || !(x.at <= at && at + size <= x.at + x.size)) continue;
      std::vector<bool> sequence(trace_.size());
      sequence[head] = true;
      for (std::size_t i = head + 1; i < trace_.size(); ++i) {
        if (trace_[i].what == Do::kRmw && reads_from[i] != kNone && sequence[reads_from[i]]) sequence[i] = true;
      }
      for (std::size_t reader = head + 1; reader < trace_.size(); ++reader) {
        if (reads_from[reader] != kNone && sequence[reads_from[reader]]) synchronize(head, reader);
      }
    }
  }

  /// `reader` reads a value of the sequence that `head` heads, or would head if it were a release.
  void synchronize(std::size_t head, std::size_t reader) {
    std::vector<std::size_t> from, to;
    if (is_release(trace_[head].order)) from.push_back(head);
    for (std::size_t i = 0; i < head; ++i) {
      if (trace_[i].what == Do::kFence && is_release(trace_[i].order) && trace_[i].thread == trace_[head].thread)
        from.push_back(i);
    }
    if (is_acquire(trace_[reader].order)) to.push_back(reader);
    for (std::size_t i = reader + 1; i < trace_.size(); ++i) {
      if (trace_[i].what == Do::kFence && is_acquire(trace_[i].order) && trace_[i].thread == trace_[reader].thread)
        to.push_back(i);
    }
    for (const std::size_t a : from) {
      for (const std::size_t b : to) edge_[a][b] = true;
    }
  }

  void transitive_closure() {
    for (std::size_t k = 0; k < trace_.size(); ++k) {
      for (std::size_t i = 0; i < k; ++i) {
        if (!edge_[i][k]) continue;
        for (std::size_t j = k + 1; j < trace_.size(); ++j) {
          if (edge_[k][j]) edge_[i][j] = true;
        }
      }
    }
  }

  void races_of(std::uint32_t byte, Reports& reports) const {
    std::vector<std::size_t> accesses;  // since it was allocated
    std::optional<std::size_t> freed;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const Op& op = trace_[i];
      if (op.what == Do::kFence || (op.what >= Do::kAcquire && op.what <= Do::kJoin) || !within(op, byte)) continue;
      if (op.what == Do::kAllocate) {
        accesses.clear();
        freed.reset();
        continue;
      }
      if (!is_access(op)) continue;
      if (freed) {
        reports.uses_after_free.insert({i, *freed});
        continue;
      }
      for (const std::size_t earlier : accesses) {
        const Op& other = trace_[earlier];
        if ((writes(op) || writes(other)) && !(is_atomic(op) && is_atomic(other)) && !edge_[earlier][i])
          reports.races.insert({earlier, i});
      }
      accesses.push_back(i);
      if (op.what == Do::kFree) freed = i;
    }
  }

  const Trace& trace_;
  std::vector<std::vector<bool>> edge_;
};

}  // namespace

Reports all_races(const Trace& trace) { return Oracle(trace).races(); }

}  // namespace tarry::native::testing
