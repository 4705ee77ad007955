// The files of a program, and places in them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::plang {

/// A place: a file and a byte in it. 8 bytes, so that every node of the tree has one.
struct Place {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Lines and columns count from 1; columns count bytes.
struct LineColumn {
  std::uint32_t line;
  std::uint32_t column;
};

class Sources {
 public:
  struct File {
    std::string name;  // as the user will read it
    std::string text;  // without a byte order mark
    bool included;     // from a project that was included: its tests are dropped
    std::vector<std::uint32_t> line_starts;
  };

  /// Requires: text.size() < 4 GiB. The text stays where it is for the life of this object.
  std::uint32_t add(std::string name, std::string text, bool included = false);
  const File& file(std::uint32_t number) const { return files_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(files_.size()); }

  LineColumn line_column(Place place) const;
  /// "file.p:12:5"
  std::string text(Place place) const;
  /// The line that the place is in, without its end.
  std::string_view line(Place place) const;

 private:
  std::deque<File> files_;
};

}  // namespace tarry::plang
