// Serves connections, a thread for each.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "connection.h"
#include "store.h"

namespace kv {

class Server {
 public:
  Server(Store& store, Transport transport) : store_(store), transport_(transport) {}

  /// Waits until all clients have gone.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The client's end of a new connection.
  std::unique_ptr<Connection> connect();

  std::uint64_t served() const { return served_; }

 private:
  void serve(Connection& connection);

  Store& store_;
  const Transport transport_;
  std::atomic<std::uint64_t> served_{0};  // lines
  std::mutex lock_;                       // guards threads_
  std::vector<std::thread> threads_;
};

}  // namespace kv
