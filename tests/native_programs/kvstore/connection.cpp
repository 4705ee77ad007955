#include "connection.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "files.h"

namespace kv {

bool MemoryStream::write(std::string_view bytes) {
  std::unique_lock hold(lock_);
  while (!bytes.empty()) {
    writable_.wait(hold, [&] { return closed_ || bytes_.size() < capacity_; });
    if (closed_) return false;
    const std::size_t some = std::min(bytes.size(), capacity_ - bytes_.size());
    bytes_.append(bytes.substr(0, some));
    bytes.remove_prefix(some);
    readable_.notify_one();
  }
  return true;
}

std::string MemoryStream::read() {
  std::unique_lock hold(lock_);
  readable_.wait(hold, [&] { return closed_ || !bytes_.empty(); });
  std::string all;
  all.swap(bytes_);
  writable_.notify_one();
  return all;
}

void MemoryStream::close() {
  std::lock_guard hold(lock_);
  closed_ = true;
  readable_.notify_all();
  writable_.notify_all();
}

PipeStream::PipeStream() {
  int fds[2];
  if (::pipe(fds) != 0) throw FileError("cannot make a pipe");
  read_fd_ = fds[0];
  write_fd_ = fds[1];
}

PipeStream::~PipeStream() {
  close();
  ::close(read_fd_);
}

bool PipeStream::write(std::string_view bytes) {
  std::lock_guard hold(lock_);
  while (!bytes.empty()) {
    if (write_fd_ < 0) return false;
    const ssize_t written = ::write(write_fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string PipeStream::read() {
  char buffer[256];
  for (;;) {
    const ssize_t got = ::read(read_fd_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    return got <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(got));
  }
}

void PipeStream::close() {
  std::lock_guard hold(lock_);
  if (write_fd_ >= 0) ::close(write_fd_);
  write_fd_ = -1;
}

std::optional<std::string> Connection::receive() {
  for (;;) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    const std::string more = in_->read();
    if (more.empty()) return std::nullopt;
    buffer_ += more;
  }
}

std::pair<std::unique_ptr<Connection>, std::unique_ptr<Connection>> connect(Transport transport) {
  const auto make = [&]() -> std::shared_ptr<Stream> {
    if (transport == Transport::kPipe) return std::make_shared<PipeStream>();
    return std::make_shared<MemoryStream>(64);
  };
  const auto there = make(), back = make();
  return {std::make_unique<Connection>(back, there), std::make_unique<Connection>(there, back)};
}

}  // namespace kv
