#include "server.h"

#include "protocol.h"

namespace kv {

Server::~Server() {
  std::vector<std::thread> threads;
  {
    std::lock_guard hold(lock_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

std::unique_ptr<Connection> Server::connect() {
  auto [client, server] = kv::connect(transport_);
  std::lock_guard hold(lock_);
  threads_.emplace_back([this, connection = std::move(server)] { serve(*connection); });
  return std::move(client);
}

void Server::serve(Connection& connection) {
  bool quit = false;
  while (!quit) {
    const auto line = connection.receive();
    if (!line) break;
    const std::string reply = answer(store_, *line, quit);
    ++served_;
    if (!connection.send(reply)) break;
  }
  connection.close();
}

}  // namespace kv
