// Hands new sets of schedules to a program with regions while it runs (enforce/rt/regions.cc).
//
// The file of schedules is watched. A new set that is whole and for this program is written after the enforced set, in memory that the program has
// mapped, and takes effect when the program enters its next region. A set that cannot be used is reported, and the one before stays.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "cli/enforced_process.h"
#include "enforce/set_image.h"

namespace tarry::cli {

class ReplacedSets {
 public:
  /// Says why the program cannot run on a set; nothing: it can.
  using WhyNot = std::function<std::optional<Diagnostic>(const enforce::ImageView&)>;

  /// `memory` has the bytes of the first set. Requires: both live longer than this, and the program is not yet started.
  ReplacedSets(const std::filesystem::path& file, std::string first, const SharedFile& memory, enforce::RunBlock& block, WhyNot why_not);
  ~ReplacedSets();
  ReplacedSets(const ReplacedSets&) = delete;
  ReplacedSets& operator=(const ReplacedSets&) = delete;

  Meanwhile meanwhile() { return {watch_, [this] { return work(); }}; }
  /// Returns the bytes of the set that the program took last.
  const std::string& taken() const { return sets_[block_.taken.load() % 2]; }

 private:
  int work();
  void look();
  void publish();
  void free_old();

  std::filesystem::path file_;
  const SharedFile& memory_;
  enforce::RunBlock& block_;
  WhyNot why_not_;
  int watch_;
  bool begins_ = true;
  bool is_freed_ = true;                  // the memory of the set before the published one
  std::array<std::string, 2> sets_;       // by number: the enforced set and the published set
  std::optional<std::string> newer_;      // to be published
  std::uint64_t checksum_;                // of the last set that was read
};

}  // namespace tarry::cli
