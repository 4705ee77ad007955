#include "trace/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/write_all.h"

namespace tarry {
namespace {

std::string why(int error) { return std::system_category().message(error); }

Diagnostic cannot(const std::filesystem::path& file, std::string_view what, int error) {
  return {fmt::format("{}: error: cannot be {}: {}", file.string(), what, why(error))};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// 0, or the error.
int write_through(int fd, std::string_view bytes) {
  if (const int error = write_all(fd, bytes); error != 0) return error;
  return ::fsync(fd) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;  // some file systems have no fsync
}

/// Gives the scratch file its name; 0, or the error. Afterwards the scratch name may or may not be there.
int put_in_place(const char* scratch, const char* file, Existing existing) {
  if (existing == Existing::kReplace) return ::rename(scratch, file) == 0 ? 0 : errno;
  if (::link(scratch, file) == 0) return 0;
  if (errno == EEXIST) return EEXIST;
  // Not every file system has links.
  return ::renameat2(AT_FDCWD, scratch, AT_FDCWD, file, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

/// The file that a symbolic link names, so that the link stays. It need not exist.
std::filesystem::path behind_links(std::filesystem::path file) {
  constexpr int kMostLinks = 40;  // as in the kernel
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(std::filesystem::symlink_status(file, error)); ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(file, error);
    if (error) return file;
    file = file.parent_path() / target;
  }
  return file;
}

/// A device, a pipe or a socket: it is written to. A file in its place would remove it from the machine.
bool is_device(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status);
}

std::optional<Diagnostic> write_to_device(const std::filesystem::path& file, std::string_view bytes) {
  // Without O_NONBLOCK, opening a named pipe would wait for ever for a reader.
  const Descriptor out(::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!out.open()) return cannot(file, "written", errno);
  ::fcntl(out.get(), F_SETFL, 0);
  const int failed = write_through(out.get(), bytes);
  if (failed != 0) return cannot(file, "written", failed);
  return std::nullopt;
}

}  // namespace

Result<std::string> read_whole(const std::filesystem::path& file, std::uint64_t limit) {
  // Without O_NONBLOCK, opening a named pipe would wait for ever for a writer.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat info {};
  if (!in.open() || ::fstat(in.get(), &info) != 0) return cannot(file, "read", errno);
  if (S_ISDIR(info.st_mode)) return cannot(file, "read", EISDIR);
  if (!S_ISREG(info.st_mode))
    return Diagnostic{fmt::format("{}: error: cannot be read: it is not a regular file", file.string())};
  if (static_cast<std::uint64_t>(info.st_size) > limit)
    return Diagnostic{fmt::format("{}: error: is too long: {} bytes, expected at most {}", file.string(), info.st_size, limit)};
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t n = ::read(in.get(), bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot(file, "read", errno);
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

std::filesystem::path scratch_name(const std::filesystem::path& folder, std::string_view suffix) {
  static std::atomic<std::uint64_t> count{0};
  return folder / fmt::format(".tarry-{}-{}{}", ::getpid(), count.fetch_add(1), suffix);
}

std::optional<Diagnostic> write_whole(const std::filesystem::path& named, std::string_view bytes, Existing existing) {
  const std::filesystem::path file = existing == Existing::kReplace ? behind_links(named) : named;
  if (existing == Existing::kReplace && is_device(file)) return write_to_device(file, bytes);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error && !std::filesystem::is_directory(folder)) return cannot(folder, "made", error.value());

  std::filesystem::path scratch;
  int fd = -1;
  do {  // a name may be left over from a process that had our number and was killed
    scratch = scratch_name(folder, ".tmp");
    fd = ::open(scratch.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EEXIST);
  if (fd < 0) return cannot(file, "written", errno);
  int failed = 0;
  {
    const Descriptor out(fd);
    failed = write_through(out.get(), bytes);
  }
  if (failed == 0) failed = put_in_place(scratch.c_str(), file.c_str(), existing);
  ::unlink(scratch.c_str());
  if (failed == EEXIST && existing == Existing::kKeep)
    return Diagnostic{fmt::format("{}: error: exists already, and is not overwritten; name another file", file.string())};
  if (failed != 0) return cannot(file, "written", failed);
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.open()) ::fsync(parent.get());
  return std::nullopt;
}

}  // namespace tarry
