// Converts sets to bytes and back.
#include <algorithm>
#include <map>

#include "base/assert.h"
#include "enforce/schedule_set.h"
#include "enforce/set_image.h"
#include "enforce/word_graph.h"

namespace tarry::enforce {
namespace {

/// Writes arrays one after the other, each at a multiple of 8.
class Writer {
 public:
  Writer() : bytes_(sizeof(Header), '\0') {}
  template <class T>
  Part add(std::span<const T> items) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const Part part{bytes_.size(), items.size()};
    bytes_.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
    return part;
  }
  template <class T>
  Part add(const std::vector<T>& items) { return add(std::span<const T>(items)); }

  std::string finish(Header header) {
    std::copy(std::begin(kImageMagic), std::end(kImageMagic), header.magic);
    header.version = kImageVersion;
    header.size = bytes_.size();
    bytes_.replace(0, sizeof(header), reinterpret_cast<const char*>(&header), sizeof(header));
    header.checksum = checksum_of(bytes_);
    bytes_.replace(0, sizeof(header), reinterpret_cast<const char*>(&header), sizeof(header));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class Texts {
 public:
  TextRecord add(std::string_view text) {
    const TextRecord at{static_cast<std::uint32_t>(all_.size()), static_cast<std::uint32_t>(text.size())};
    all_ += text;
    return at;
  }
  std::vector<TextRecord> add(const std::vector<std::string>& texts) {
    std::vector<TextRecord> out;
    for (const std::string& text : texts) out.push_back(add(text));
    return out;
  }
  const std::string& all() const { return all_; }

 private:
  std::string all_;
};

/// The tables that words refer to; only entries that words use are numbered.
struct Tables {
  std::vector<ObjectRecord> objects;
  std::vector<LabelRecord> labels;
  std::vector<TouchRecord> touches;
  std::vector<EventRecord> events;
  std::vector<NeedRecord> needs;
  std::map<Object, std::uint32_t> object_numbers;
  std::map<std::uint32_t, std::uint32_t> label_numbers;
  std::uint32_t threads = 0;

  std::uint32_t object(const Object& object) {
    if (object.space == Space::kNone) return kNoObject;
    const auto [at, is_new] = object_numbers.emplace(object, static_cast<std::uint32_t>(objects.size()));
    if (is_new) objects.push_back({static_cast<std::uint32_t>(object.space), object.module, object.value});
    return at->second;
  }
  std::uint32_t label(std::uint32_t number, const Label& label) {
    const auto [at, is_new] = label_numbers.emplace(number, static_cast<std::uint32_t>(labels.size()));
    if (!is_new) return at->second;
    labels.push_back({label.thread, static_cast<std::uint32_t>(label.kind), label.size, object(label.object), object(label.also), static_cast<std::uint32_t>(touches.size()),
                      static_cast<std::uint32_t>(label.touches.size()), label.module, label.offset});
    for (const Touch& touch : label.touches) touches.push_back({object(touch.object), touch.writes ? 1u : 0u});
    threads = std::max(threads, label.thread + 1);
    return at->second;
  }
  void event(std::uint32_t label, const Event& event) {
    events.push_back({label, static_cast<std::uint32_t>(needs.size()), event.barrier, event.total});
    for (const Need& need : event.needs) needs.push_back({need.writes, need.reads});
  }
};

/// The graph of the words, with lanes.
struct Graph {
  std::vector<SegmentRecord> segments;
  std::vector<LetterRecord> letters;
  std::vector<LaneRecord> lanes;
  std::vector<std::uint32_t> children;

  void add(const Segment& segment, const Tables& tables) {
    const auto first = static_cast<std::uint32_t>(letters.size());
    std::map<std::uint32_t, LaneRecord> of_threads;
    std::map<std::uint32_t, std::uint32_t> last;  // letter of each thread
    for (std::uint32_t i = 0; i < segment.letters.size(); ++i) {
      const std::uint32_t thread = tables.labels[tables.events[segment.letters[i]].label].thread;
      letters.push_back({segment.letters[i], 0});
      LaneRecord& lane = of_threads.try_emplace(thread, LaneRecord{thread, i, 0}).first->second;
      if (lane.count++ > 0) letters[first + last[thread]].next = i - last[thread];
      last[thread] = i;
    }
    segments.push_back({first, static_cast<std::uint32_t>(segment.letters.size()), static_cast<std::uint32_t>(lanes.size()), static_cast<std::uint32_t>(of_threads.size()),
                        static_cast<std::uint32_t>(children.size()), static_cast<std::uint32_t>(segment.children.size())});
    for (const auto& [thread, lane] : of_threads) lanes.push_back(lane);
    children.insert(children.end(), segment.children.begin(), segment.children.end());
  }
};

/// The footprints that labels of entries name.
struct Footprints {
  std::vector<FootprintRecord> records;
  std::vector<CellRecord> cells;
  std::vector<std::int64_t> ways;

  void add(const Footprint& footprint, Texts& texts) {
    records.push_back({texts.add(footprint.region), footprint.module, 0, footprint.offset, footprint.depth, static_cast<std::uint32_t>(cells.size()), static_cast<std::uint32_t>(footprint.values.size()), 0,
                       footprint.unnamed_module, 0, footprint.unnamed_offset});
    for (const auto& [cell, value] : footprint.values) {
      cells.push_back({static_cast<std::uint32_t>(cell.space), cell.module, cell.offset, cell.size, static_cast<std::uint32_t>(value.kind), value.module, static_cast<std::uint32_t>(ways.size()),
                       static_cast<std::uint32_t>(cell.way.size()), 0, value.value});
      ways.insert(ways.end(), cell.way.begin(), cell.way.end());
    }
  }
};

Footprint footprint_of(const ImageView& image, const FootprintRecord& record) {
  Footprint out{.region = std::string(image.text(record.region)), .module = record.module, .offset = record.offset, .depth = record.depth, .unnamed_module = record.unnamed_module, .unnamed_offset = record.unnamed_offset};
  const auto way_of = [&](const CellRecord& cell) {
    const auto way = image.ways().subspan(cell.way, cell.way_size);
    return std::vector<std::int64_t>(way.begin(), way.end());
  };
  for (const CellRecord& cell : image.cells().subspan(record.cells, record.cell_count))
    out.values.emplace(FootprintCell{static_cast<FootprintCell::Space>(cell.space), cell.module, cell.offset, cell.size, way_of(cell)}, CellValue{static_cast<CellValue::Kind>(cell.kind), cell.value_module, cell.value});
  return out;
}

Object object_of(const ImageView& image, std::uint32_t number) {
  if (number == kNoObject) return {};
  const ObjectRecord& record = image.objects()[number];
  return {static_cast<Space>(record.space), record.module, record.value};
}

Label label_of(const ImageView& image, const LabelRecord& record) {
  Label label{.thread = record.thread, .kind = static_cast<Kind>(record.kind), .size = record.size, .object = object_of(image, record.object), .also = object_of(image, record.also), .module = record.module, .offset = record.offset};
  for (const TouchRecord& touch : image.touches().subspan(record.touches, record.touch_count)) label.touches.push_back({object_of(image, touch.object), touch.writes != 0});
  return label;
}

}  // namespace

std::string ScheduleSet::image() const {
  TARRY_ASSERT(!words_.empty());
  Tables tables;
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<std::uint32_t> number(events_.size(), ~std::uint32_t{0});
  std::size_t longest = 0;
  for (const auto& word : words_) {
    auto& out = words.emplace_back();
    for (const std::uint32_t event : word) {
      if (number[event] == ~std::uint32_t{0}) {
        number[event] = static_cast<std::uint32_t>(tables.events.size());
        tables.event(tables.label(events_[event].label, labels_[events_[event].label]), events_[event]);
      }
      out.push_back(number[event]);
    }
    longest = std::max(longest, word.size());
  }
  std::sort(words.begin(), words.end());
  Graph graph;
  for (const Segment& segment : graph_of(words)) graph.add(segment, tables);

  Texts texts;
  const auto records = [](const std::vector<CodePlace>& places) {
    std::vector<PlaceRecord> out;
    for (const CodePlace& place : places) out.push_back({place.module, 0, place.offset});
    return out;
  };
  Footprints footprints;
  for (const Footprint& one : footprints_) footprints.add(one, texts);
  if (!footprints_.empty())
    for (const auto& word : words_) ++footprints.records[labels_[events_[word.front()].label].object.value].traces;
  Writer writer;
  Header header;
  header.complete = complete ? 1 : 0;
  header.several_regions = several_regions ? 1 : 0;
  header.identity = identity;
  header.traces = words_.size();
  header.threads = tables.threads;
  header.objects = static_cast<std::uint32_t>(tables.objects.size());
  header.longest = static_cast<std::uint32_t>(longest);
  header.names = writer.add(texts.add(std::vector{program}));
  header.arguments = writer.add(texts.add(arguments));
  header.modules = writer.add(texts.add(modules));
  header.assumed = writer.add(texts.add(assumes));
  header.texts = writer.add(std::span<const char>(texts.all()));
  header.points = writer.add(records(points));
  header.sites = writer.add(records(sites));
  header.object = writer.add(tables.objects);
  header.label = writer.add(tables.labels);
  header.touch = writer.add(tables.touches);
  header.event = writer.add(tables.events);
  header.need = writer.add(tables.needs);
  header.segment = writer.add(graph.segments);
  header.letter = writer.add(graph.letters);
  header.lane = writer.add(graph.lanes);
  header.child = writer.add(graph.children);
  header.footprint = writer.add(footprints.records);
  header.cell = writer.add(footprints.cells);
  header.way = writer.add(footprints.ways);
  return writer.finish(header);
}

ScheduleSet ScheduleSet::of_image(std::string_view bytes) {
  const ImageView image(bytes.data());
  ScheduleSet set;
  const auto texts = [&](std::span<const TextRecord> records) {
    std::vector<std::string> out;
    for (const TextRecord& record : records) out.emplace_back(image.text(record));
    return out;
  };
  set.identity = image.header().identity;
  set.complete = image.header().complete != 0;
  set.several_regions = image.header().several_regions != 0;
  set.program = texts(image.names()).front();
  set.arguments = texts(image.arguments());
  set.modules = texts(image.modules());
  set.assumes = texts(image.assumed());
  for (const PlaceRecord& place : image.points()) set.points.push_back({place.module, place.offset});
  for (const PlaceRecord& place : image.sites()) set.sites.push_back({place.module, place.offset});
  for (const FootprintRecord& record : image.footprints()) set.footprints_.push_back(footprint_of(image, record));
  std::vector<std::uint32_t> labels, events;
  for (const LabelRecord& record : image.labels()) labels.push_back(set.intern(label_of(image, record)));
  for (const EventRecord& record : image.events()) {
    Event event{.label = labels[record.label], .barrier = record.barrier, .total = record.total};
    for (const NeedRecord& need : image.needs().subspan(record.needs, image.labels()[record.label].touch_count)) event.needs.push_back({need.writes, need.reads});
    events.push_back(set.intern(event));
  }
  std::vector<Segment> graph;
  for (const SegmentRecord& record : image.segments()) {
    Segment& segment = graph.emplace_back();
    for (const LetterRecord& letter : image.letters().subspan(record.letters, record.letter_count)) segment.letters.push_back(events[letter.event]);
    const auto children = image.children().subspan(record.children, record.child_count);
    segment.children.assign(children.begin(), children.end());
  }
  for (auto& word : words_of(graph)) set.words_.insert(std::move(word));
  return set;
}

}  // namespace tarry::enforce
