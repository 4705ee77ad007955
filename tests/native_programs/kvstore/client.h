// The other end of a connection, as functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "connection.h"

namespace kv {

class ClientError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Client {
 public:
  explicit Client(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

  std::optional<std::string> get(const std::string& key);
  void put(const std::string& key, const std::string& value);
  bool erase(const std::string& key);
  std::int64_t increment(const std::string& key, std::int64_t by);
  bool compare_and_set(const std::string& key, const std::string& expected, const std::string& value);
  void quit();

  /// The answer as it is.
  std::string ask(const std::string& line);

 private:
  std::unique_ptr<Connection> connection_;
};

}  // namespace kv
