#include "client.h"

namespace kv {
namespace {

constexpr const char* kValue = "VALUE ";

std::string value_of(const std::string& reply) {
  if (reply.rfind(kValue, 0) != 0) throw ClientError("expected a value, found '" + reply + "'");
  return reply.substr(6);
}

}  // namespace

std::string Client::ask(const std::string& line) {
  if (!connection_->send(line)) throw ClientError("the server is gone");
  const auto reply = connection_->receive();
  if (!reply) throw ClientError("no answer to '" + line + "'");
  return *reply;
}

std::optional<std::string> Client::get(const std::string& key) {
  const std::string reply = ask("GET " + key);
  return reply == "NONE" ? std::nullopt : std::optional<std::string>(value_of(reply));
}

void Client::put(const std::string& key, const std::string& value) {
  if (const std::string reply = ask("PUT " + key + " " + value); reply != "OK") throw ClientError(reply);
}

bool Client::erase(const std::string& key) { return ask("DEL " + key) == "OK"; }

std::int64_t Client::increment(const std::string& key, std::int64_t by) {
  return std::stoll(value_of(ask("INC " + key + " " + std::to_string(by))));
}

bool Client::compare_and_set(const std::string& key, const std::string& expected, const std::string& value) {
  return ask("CAS " + key + " " + expected + " " + value) == "OK";
}

void Client::quit() {
  if (const std::string reply = ask("QUIT"); reply != "BYE") throw ClientError(reply);
  connection_->close();
}

}  // namespace kv
