// Files and folders, with errors as exceptions.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that is written at its end.
class AppendFile {
 public:
  explicit AppendFile(std::string path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void append(std::string_view bytes);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int fd_;
};

/// A new folder that goes away with its files.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Empty if there is no such file.
std::string read_file(const std::string& path);

/// Whole or not at all: a file beside it is renamed.
void replace_file(const std::string& path, std::string_view bytes);

/// Names, sorted.
std::vector<std::string> list_folder(const std::string& path);
void remove_file(const std::string& path);
void truncate_file(const std::string& path, std::size_t size);

}  // namespace kv
