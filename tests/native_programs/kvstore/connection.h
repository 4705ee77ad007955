// Bytes from one thread to another, and connections made of two such streams: in memory, or through pipes of the system.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kv {

/// One direction.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Waits while there is no room. False: the other side is closed.
  virtual bool write(std::string_view bytes) = 0;

  /// Some bytes, at least one; none: the other side is closed, and all is read.
  virtual std::string read() = 0;

  /// No more will be written.
  virtual void close() = 0;
};

/// A ring of bytes with a lock.
class MemoryStream final : public Stream {
 public:
  explicit MemoryStream(std::size_t capacity) : capacity_(capacity) {}
  bool write(std::string_view bytes) override;
  std::string read() override;
  void close() override;

 private:
  const std::size_t capacity_;
  std::mutex lock_;  // guards all that follows
  std::condition_variable readable_, writable_;
  std::string bytes_;
  bool closed_ = false;
};

class PipeStream final : public Stream {
 public:
  PipeStream();
  ~PipeStream() override;
  PipeStream(const PipeStream&) = delete;
  PipeStream& operator=(const PipeStream&) = delete;
  bool write(std::string_view bytes) override;
  std::string read() override;
  void close() override;

 private:
  int read_fd_ = -1;
  std::mutex lock_;  // guards write_fd_
  int write_fd_ = -1;
};

/// One end: lines go out, lines come in. Used by one thread.
class Connection {
 public:
  Connection(std::shared_ptr<Stream> in, std::shared_ptr<Stream> out) : in_(std::move(in)), out_(std::move(out)) {}
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool send(const std::string& line) { return out_->write(line + "\n"); }

  /// Without its end; nothing: the other side is closed.
  std::optional<std::string> receive();
  void close() { out_->close(); }

 private:
  std::shared_ptr<Stream> in_, out_;
  std::string buffer_;
};

enum class Transport { kMemory, kPipe };

std::pair<std::unique_ptr<Connection>, std::unique_ptr<Connection>> connect(Transport transport);

}  // namespace kv
