// Places in the program put into words: source lines, functions, variables. From the debug information, with elfutils.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "native/abi/messages.h"

namespace tarry::native {

/// A place in source code. A place in machine code can be several of these: the innermost inlined function first.
struct SourceFrame {
  std::string function;   // without its parameters
  std::string file;       // as the user would name it: relative to where tarry runs, if it is below; may be empty
  std::uint32_t line = 0;
  bool is_users = false;  // neither of Tarry nor of the system's libraries and headers

  /// "queue.cpp:31", or empty.
  std::string location() const;
  /// "Queue::push at queue.cpp:31".
  std::string text() const;
};

class Symbols {
 public:
  /// Files below the folder go by their names from there; a trace has the same names wherever it is replayed.
  explicit Symbols(std::vector<Module> modules, const std::filesystem::path& folder = std::filesystem::current_path());
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// Requires: a place in code, as abi/messages.h has it. Never empty: what is not known is the module and an offset.
  const std::vector<SourceFrame>& frames(const Place& place);

  /// The innermost frame of the user's own; if there is none, one without a source line, or nothing.
  SourceFrame shown(const Stack& stack);

  /// All frames from the innermost of the user's on, as lines.
  std::vector<std::string> lines(const Stack& stack);

  /// "queue.head", "counts[3]", "table+24"; empty if it is not in a variable that has a name.
  std::string variable(const Place& place);
  /// The same of a variable on a stack.
  std::string local(const RecordedObject& object);

  /// What {0}, {1}, … of a text stand for: a variable, or a source line. That is the user's, if the stack that leads there is known.
  std::string filled_in(const std::string& text, const std::vector<Place>& places, const std::vector<Stack>& stacks = {});

 private:
  std::string words_for(const Stack& stack);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tarry::native
