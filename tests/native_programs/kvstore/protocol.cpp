#include "protocol.h"

#include <array>
#include <charconv>
#include <sstream>

namespace kv {
namespace {

struct Syntax {
  const char* word;
  Command::Kind kind;
  std::size_t arguments;
};

constexpr std::array<Syntax, 7> kSyntax{{
    {"GET", Command::Kind::kGet, 1},
    {"PUT", Command::Kind::kPut, 2},
    {"DEL", Command::Kind::kErase, 1},
    {"INC", Command::Kind::kIncrement, 2},
    {"CAS", Command::Kind::kCompareAndSet, 3},
    {"SIZE", Command::Kind::kSize, 0},
    {"QUIT", Command::Kind::kQuit, 0},
}};

std::string increment(Store& store, const std::vector<std::string>& arguments) {
  std::int64_t by = 0;
  const std::string& text = arguments[1];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), by);
  if (error != std::errc() || end != text.data() + text.size()) return "ERROR expected a number, found '" + text + "'";
  const auto value = store.increment(arguments[0], by);
  return value ? "VALUE " + std::to_string(*value) : "ERROR '" + arguments[0] + "' is not a number";
}

}  // namespace

std::variant<Command, ParseError> parse_command(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  if (!(words >> word)) return ParseError{"expected a command"};
  for (const Syntax& syntax : kSyntax) {
    if (word != syntax.word) continue;
    Command command{syntax.kind, {}};
    while (words >> word) command.arguments.push_back(word);
    if (command.arguments.size() == syntax.arguments) return command;
    return ParseError{std::string(syntax.word) + " takes " + std::to_string(syntax.arguments) + " arguments, found " +
                      std::to_string(command.arguments.size())};
  }
  return ParseError{"unknown command '" + word + "'"};
}

std::string answer(Store& store, const std::string& line, bool& quit) {
  const auto parsed = parse_command(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return "ERROR " + error->text;
  const auto& [kind, arguments] = std::get<Command>(parsed);
  switch (kind) {
    case Command::Kind::kGet: {
      const auto value = store.get(arguments[0]);
      return value ? "VALUE " + *value : "NONE";
    }
    case Command::Kind::kPut: store.put(arguments[0], arguments[1]); return "OK";
    case Command::Kind::kErase: return store.erase(arguments[0]) ? "OK" : "NONE";
    case Command::Kind::kIncrement: return increment(store, arguments);
    case Command::Kind::kCompareAndSet: return store.compare_and_set(arguments[0], arguments[1], arguments[2]) ? "OK" : "NO";
    case Command::Kind::kSize: return "VALUE " + std::to_string(store.size());
    case Command::Kind::kQuit: quit = true; return "BYE";
  }
  return "ERROR";
}

}  // namespace kv
