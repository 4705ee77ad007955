#include "enforce/set_image.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/hash.h"
#include "enforce/region_footprint.h"
#include "enforce/kind.h"
#include "enforce/trace.h"

namespace tarry::enforce {
namespace {

bool within(std::uint64_t from, std::uint64_t count, std::uint64_t size) { return from <= size && count <= size - from; }

template <class T>
bool lies_in(const Part& part, std::uint64_t size) {
  return part.offset % 8 == 0 && part.offset <= size && part.count <= (size - part.offset) / sizeof(T);
}

bool parts_lie_in(const Header& header, std::uint64_t size) {
  return lies_in<char>(header.texts, size) && lies_in<TextRecord>(header.names, size) && lies_in<TextRecord>(header.arguments, size) && lies_in<TextRecord>(header.modules, size) &&
         lies_in<TextRecord>(header.assumed, size) && lies_in<PlaceRecord>(header.points, size) && lies_in<PlaceRecord>(header.sites, size) && lies_in<ObjectRecord>(header.object, size) && lies_in<LabelRecord>(header.label, size) &&
         lies_in<TouchRecord>(header.touch, size) && lies_in<EventRecord>(header.event, size) && lies_in<NeedRecord>(header.need, size) && lies_in<SegmentRecord>(header.segment, size) &&
         lies_in<LetterRecord>(header.letter, size) && lies_in<LaneRecord>(header.lane, size) && lies_in<std::uint32_t>(header.child, size) &&
         lies_in<FootprintRecord>(header.footprint, size) && lies_in<CellRecord>(header.cell, size) && lies_in<std::int64_t>(header.way, size);
}

/// Checks that all indices are valid, so that code that follows them need not check.
class Consistency {
 public:
  explicit Consistency(const ImageView& image) : image_(image), header_(image.header()) {}

  bool holds() const { return texts() && footprints() && objects() && labels() && events() && segments() && entries(); }

 private:
  bool texts() const {
    for (const auto list : {image_.names(), image_.arguments(), image_.modules(), image_.assumed()})
      for (const TextRecord& text : list)
        if (!within(text.from, text.size, header_.texts.count)) return false;
    return header_.names.count >= 1;
  }
  bool is_module(std::uint32_t module) const { return module < header_.modules.count; }
  bool footprints() const {
    return std::all_of(image_.cells().begin(), image_.cells().end(), [&](const CellRecord& cell) {
             return cell.space <= static_cast<std::uint32_t>(FootprintCell::Space::kStack) && is_module(cell.module) && is_module(cell.value_module) && cell.kind <= static_cast<std::uint32_t>(CellValue::Kind::kToMemory) &&
                    within(cell.way, cell.way_size, header_.way.count) && (cell.size == 1 || cell.size == 2 || cell.size == 4 || cell.size == 8);
           }) &&
           std::all_of(image_.footprints().begin(), image_.footprints().end(), [&](const FootprintRecord& one) {
             return within(one.region.from, one.region.size, header_.texts.count) && is_module(one.module) && is_module(one.unnamed_module) && within(one.cells, one.cell_count, header_.cell.count);
           });
  }
  bool is_entry(const LabelRecord& label) const { return label.kind == static_cast<std::uint32_t>(Kind::kEnterRegion) && label.object != kNoObject && image_.objects()[label.object].space == static_cast<std::uint32_t>(Space::kEntry); }
  /// Returns whether each trace begins with an entry if there are regions.
  bool entries() const {
    if (!image_.has_regions()) return true;
    const auto begins = [&](const SegmentRecord& segment) { return segment.letter_count > 0 && is_entry(image_.labels()[image_.events()[image_.letters()[segment.letters].event].label]); };
    const SegmentRecord& root = image_.segments()[0];
    if (root.letter_count > 0) return begins(root);
    const auto children = image_.children().subspan(root.children, root.child_count);
    return !children.empty() && std::all_of(children.begin(), children.end(), [&](std::uint32_t child) { return begins(image_.segments()[child]); });
  }
  bool is_object(std::uint32_t object) const { return object == kNoObject || object < header_.object.count; }
  bool objects() const {
    if (header_.objects != header_.object.count) return false;
    const auto in_modules = [&](std::span<const PlaceRecord> places) { return std::all_of(places.begin(), places.end(), [&](const PlaceRecord& place) { return is_module(place.module); }); };
    return in_modules(image_.points()) && in_modules(image_.sites()) &&
           std::all_of(image_.objects().begin(), image_.objects().end(), [&](const ObjectRecord& object) {
             return object.space <= static_cast<std::uint32_t>(Space::kEntry) && (object.space != static_cast<std::uint32_t>(Space::kData) || is_module(object.module)) &&
                    (object.space != static_cast<std::uint32_t>(Space::kEntry) || object.value < header_.footprint.count);
           });
  }
  bool labels() const {
    return std::all_of(image_.touches().begin(), image_.touches().end(), [&](const TouchRecord& touch) { return touch.object < header_.object.count; }) &&
           std::all_of(image_.labels().begin(), image_.labels().end(), [&](const LabelRecord& label) {
             return label.thread < header_.threads && label.kind < static_cast<std::uint32_t>(Kind::kCount) && is_object(label.object) && is_object(label.also) && is_module(label.module) &&
                    within(label.touches, label.touch_count, header_.touch.count);
           });
  }
  bool events() const {
    return std::all_of(image_.events().begin(), image_.events().end(), [&](const EventRecord& event) {
      return event.label < header_.label.count && within(event.needs, image_.labels()[event.label].touch_count, header_.need.count);
    });
  }
  bool segments() const {
    if (header_.segment.count == 0) return false;
    for (const LetterRecord& letter : image_.letters())
      if (letter.event >= header_.event.count) return false;
    for (std::uint32_t i = 0; i < header_.segment.count; ++i)
      if (!segment(image_.segments()[i])) return false;
    return is_acyclic();
  }
  bool segment(const SegmentRecord& segment) const {
    if (!within(segment.letters, segment.letter_count, header_.letter.count) || !within(segment.lanes, segment.lane_count, header_.lane.count) || !within(segment.children, segment.child_count, header_.child.count)) return false;
    for (const std::uint32_t child : image_.children().subspan(segment.children, segment.child_count))
      if (child == 0 || child >= header_.segment.count || (segment.child_count > 1 && image_.segments()[child].letter_count == 0)) return false;
    for (const LaneRecord& lane : image_.lanes().subspan(segment.lanes, segment.lane_count)) {
      std::uint64_t at = lane.first;
      for (std::uint32_t i = 0; i < lane.count; ++i) {
        if (at >= segment.letter_count) return false;
        const LetterRecord& letter = image_.letters()[segment.letters + at];
        if (image_.labels()[image_.events()[letter.event].label].thread != lane.thread || (letter.next == 0) != (i + 1 == lane.count)) return false;
        at += letter.next;
      }
    }
    return true;
  }
  /// Returns whether the graph is acyclic: every segment can be removed once nothing leads to it.
  bool is_acyclic() const {
    std::vector<std::uint32_t> ways_in(header_.segment.count), free;
    for (const SegmentRecord& segment : image_.segments())
      for (const std::uint32_t child : image_.children().subspan(segment.children, segment.child_count)) ++ways_in[child];
    for (std::uint32_t i = 0; i < ways_in.size(); ++i)
      if (ways_in[i] == 0) free.push_back(i);
    std::size_t taken = 0;
    for (; taken < free.size(); ++taken) {
      const SegmentRecord& segment = image_.segments()[free[taken]];
      for (const std::uint32_t child : image_.children().subspan(segment.children, segment.child_count))
        if (--ways_in[child] == 0) free.push_back(child);
    }
    return taken == ways_in.size();
  }

  const ImageView& image_;
  const Header& header_;
};

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) {
  constexpr std::size_t kAt = offsetof(Header, checksum);
  constexpr std::size_t kBehind = kAt + sizeof(Header::checksum);
  return hash_of(bytes.substr(kBehind), hash_of(bytes.substr(0, kAt)));
}

std::string wrong_with_image(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(kImageMagic) || std::memcmp(bytes.data(), kImageMagic, sizeof(kImageMagic)) != 0) return "is no file of schedules: 'tarry verify' makes them";
  if (bytes.size() < sizeof(header)) return "is cut off: it ends within its header; make it again with 'tarry verify'";
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.version != kImageVersion) return "is of version " + std::to_string(header.version) + ", and this is for version " + std::to_string(kImageVersion) + "; make it again with 'tarry verify'";
  if (header.size != bytes.size())
    return (bytes.size() < header.size ? "is cut off: it has " : "has more bytes than it says: it has ") + std::to_string(bytes.size()) + " of " + std::to_string(header.size) + " bytes; make it again with 'tarry verify'";
  if (header.checksum != checksum_of(bytes)) return "is damaged: its checksum is wrong; make it again with 'tarry verify'";
  if (!parts_lie_in(header, bytes.size()) || !Consistency(ImageView(bytes.data())).holds()) return "is damaged: its parts do not fit together; make it again with 'tarry verify'";
  return "";
}

}  // namespace tarry::enforce
