// The files of a program, and places in them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::plang {

/// A file and a byte in it. It takes 8 bytes, so every node of the tree can have one.
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
    std::string name;  // as shown to the user
    std::string text;  // without a byte order mark
    bool included;     // from a project that was included: its tests are dropped
    std::vector<std::uint32_t> line_starts;
  };

  /// Adds a file. Returns its number. Requires: text.size() < 4 GiB. The text stays at its address for the life of this object.
  std::uint32_t add(std::string name, std::string text, bool included = false);
  const File& file(std::uint32_t number) const { return files_[number]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(files_.size()); }

  LineColumn line_column(Place place) const;
  /// "file.p:12:5"
  std::string text(Place place) const;
  /// Returns the line of the place, without its end.
  std::string_view line(Place place) const;

 private:
  std::deque<File> files_;
};

}  // namespace tarry::plang
