// A set of admissible traces as it is in a file, and in the memory of the program it is enforced on: plain arrays, used without
// conversion.
//
// The file is the Header, followed by the arrays, each at the offset that the header gives. All numbers are little-endian.
// `wrong_with_image` checks that bytes are such a file, complete and unchanged; after that, enforcement uses the file without
// further checks.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tarry::enforce {

inline constexpr char kImageMagic[8] = {'T', 'A', 'R', 'R', 'Y', 'S', 'C', 'H'};
inline constexpr std::uint32_t kImageVersion = 6;

/// The position of an array.
struct Part {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

struct Header {
  char magic[8] = {};
  std::uint32_t version = 0;
  std::uint32_t complete = 0;    // the set has all traces of the program
  std::uint64_t checksum = 0;    // of the whole file, with zero in place of the checksum
  std::uint64_t size = 0;        // of the whole file
  std::uint64_t identity = 0;    // of the executable: its build id
  std::uint64_t traces = 0;
  std::uint32_t threads = 0;     // thread numbers are below this
  std::uint32_t objects = 0;     // object numbers are below this
  std::uint32_t longest = 0;     // events in the longest trace
  std::uint32_t several_regions = 0;  // some execution entered more than one region
  Part texts, names, arguments, modules, assumed, points, sites, object, label, touch, event, need, segment, letter, lane, child, footprint, cell, way;
};

struct TextRecord {  // in `texts`
  std::uint32_t from, size;
};
struct PlaceRecord {
  std::uint32_t module, unused;
  std::uint64_t offset;
};
struct ObjectRecord {
  std::uint32_t space, module;
  std::uint64_t value;
};
inline constexpr std::uint32_t kNoObject = ~std::uint32_t{0};
struct LabelRecord {
  std::uint32_t thread;
  std::uint32_t kind;
  std::uint32_t size;
  std::uint32_t object, also;      // kNoObject: none
  std::uint32_t touches, touch_count;
  std::uint32_t module;
  std::uint64_t offset;
};
struct TouchRecord {
  std::uint32_t object, writes;
};
struct EventRecord {
  std::uint32_t label, needs, barrier, total;
};
struct NeedRecord {
  std::uint32_t writes, reads;
};
struct SegmentRecord {
  std::uint32_t letters, letter_count;
  std::uint32_t lanes, lane_count;
  std::uint32_t children, child_count;
};
struct LetterRecord {
  std::uint32_t event;
  std::uint32_t next;              // distance in letters to the next one of the same thread in the segment; 0: there is none
};
/// The letters of a thread in a segment.
struct LaneRecord {
  std::uint32_t thread, first, count;
};

/// The values with which a region is entered (region_footprint.h). Objects of the space kEntry are numbers of these.
struct FootprintRecord {
  TextRecord region;
  std::uint32_t module, unused;
  std::uint64_t offset, depth;
  std::uint32_t cells, cell_count;
  std::uint64_t traces;            // that begin with it
  std::uint32_t unnamed_module, unused_too;
  std::uint64_t unnamed_offset;
};
struct CellRecord {
  std::uint32_t space, module;
  std::uint64_t offset;
  std::uint32_t size, kind;
  std::uint32_t value_module, way, way_size, unused;
  std::uint64_t value;
};

class ImageView {
 public:
  ImageView() = default;
  explicit ImageView(const void* bytes) : bytes_(static_cast<const char*>(bytes)) {}

  const Header& header() const { return *reinterpret_cast<const Header*>(bytes_); }
  template <class T>
  std::span<const T> part(const Part& part) const { return {reinterpret_cast<const T*>(bytes_ + part.offset), part.count}; }

  std::span<const TextRecord> arguments() const { return part<TextRecord>(header().arguments); }
  std::span<const TextRecord> modules() const { return part<TextRecord>(header().modules); }
  std::span<const TextRecord> assumed() const { return part<TextRecord>(header().assumed); }
  std::span<const TextRecord> names() const { return part<TextRecord>(header().names); }
  std::span<const PlaceRecord> points() const { return part<PlaceRecord>(header().points); }
  std::span<const PlaceRecord> sites() const { return part<PlaceRecord>(header().sites); }
  std::span<const ObjectRecord> objects() const { return part<ObjectRecord>(header().object); }
  std::span<const LabelRecord> labels() const { return part<LabelRecord>(header().label); }
  std::span<const TouchRecord> touches() const { return part<TouchRecord>(header().touch); }
  std::span<const EventRecord> events() const { return part<EventRecord>(header().event); }
  std::span<const NeedRecord> needs() const { return part<NeedRecord>(header().need); }
  std::span<const SegmentRecord> segments() const { return part<SegmentRecord>(header().segment); }
  std::span<const LetterRecord> letters() const { return part<LetterRecord>(header().letter); }
  std::span<const LaneRecord> lanes() const { return part<LaneRecord>(header().lane); }
  std::span<const FootprintRecord> footprints() const { return part<FootprintRecord>(header().footprint); }
  std::span<const CellRecord> cells() const { return part<CellRecord>(header().cell); }
  std::span<const std::int64_t> ways() const { return part<std::int64_t>(header().way); }
  /// Returns whether the traces are those of regions, and not of the whole program.
  bool has_regions() const { return header().footprint.count > 0; }
  std::span<const std::uint32_t> children() const { return part<std::uint32_t>(header().child); }
  std::string_view text(const TextRecord& text) const { return {bytes_ + header().texts.offset + text.from, text.size}; }

 private:
  const char* bytes_ = nullptr;
};

/// The name of a trace is a hash of the children that its path through the graph takes: the child's place among its siblings, from
/// 1, and its segment. The name belongs to one file.
inline constexpr std::uint64_t kTraceNameSeed = 14695981039346656037u;
constexpr std::uint64_t trace_name_after(std::uint64_t name, std::uint32_t chosen, std::uint32_t segment) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  return (((name ^ chosen) * kPrime) ^ segment) * kPrime;
}

/// Returns the checksum of the bytes of a file, with zero in place of the checksum.
std::uint64_t checksum_of(std::string_view bytes);

/// Returns what is wrong with the bytes, as text after "file: error: "; empty if they can be enforced. Requires: `bytes` begins
/// at a multiple of 8.
std::string wrong_with_image(std::string_view bytes);

}  // namespace tarry::enforce
