// The language of clients, one line each way:
//
//   GET key            VALUE value | NONE
//   PUT key value      OK
//   DEL key            OK | NONE
//   INC key number     VALUE number | ERROR text
//   CAS key old new    OK | NO
//   SIZE               VALUE number
//   QUIT               BYE
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "store.h"

namespace kv {

struct Command {
  enum class Kind { kGet, kPut, kErase, kIncrement, kCompareAndSet, kSize, kQuit };
  Kind kind = Kind::kGet;
  std::vector<std::string> arguments;
};

struct ParseError {
  std::string text;
};

std::variant<Command, ParseError> parse_command(const std::string& line);

/// The answer to a line.
std::string answer(Store& store, const std::string& line, bool& quit);

}  // namespace kv
