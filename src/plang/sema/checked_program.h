// A checked P program: the complete, numbered tree and its tests.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plang/sema/types.h"
#include "plang/syntax/ast.h"
#include "plang/syntax/diagnostics.h"

namespace tarry::plang {

/// A monitor of a test, and the interfaces whose machines it observes.
struct AttachedMonitor {
  const Machine* monitor;
  std::vector<const Interface*> interfaces;
};

/// One test that can be run: a closed module with its main machine and the values of the global params.
struct TestCase {
  std::string name;                 // with ___p_v… for an instance of a parameterised test
  Place place;
  const Interface* main = nullptr;  // the interface that the main machine is created through
  /// The machine that is created, by index of the interface; null if not bound.
  std::vector<const Machine*> bindings;
  /// links[creator interface][interface named in new] is the interface that is created; null: none. By index.
  std::vector<std::vector<const Interface*>> links;
  std::vector<AttachedMonitor> monitors;  // in order of attachment, scenarios last
  /// By index of CheckedProgram::params; nothing: the default of its type.
  std::vector<std::optional<std::int64_t>> params;
  bool is_implementation = false;
};

struct CheckedProgram {
  Sources sources;
  SyntaxTree tree;
  TypeTable types;

  // All declarations by number.
  std::vector<const Event*> events;          // [0] is null, [1] is halt (both made here), then as declared
  std::vector<const Interface*> interfaces;  // declared interfaces, then one per machine (not monitors)
  std::vector<const Machine*> machines;      // machines and monitors, as declared
  std::vector<const Function*> functions;    // global ones, methods, and anonymous handlers
  std::vector<const Variable*> params;
  const EventSet* all_events = nullptr;      // every declared event and halt
  std::vector<TestCase> tests;               // tests in the order of their declaration, then implementations

  // Objects that the checker made and the tree does not own.
  std::vector<std::unique_ptr<Event>> made_events;
  std::vector<std::unique_ptr<Interface>> made_interfaces;
};

struct Compiled {
  std::unique_ptr<CheckedProgram> program;  // null if there were errors
  std::string messages;              // errors, warnings and notes, rendered
  std::vector<Problem> problems;     // the same problems as data, sorted
};

/// Parses and checks a program. Never throws, on any input.
Compiled compile(Sources sources, Diagnostics::Mode mode = Diagnostics::Mode::kAll);

}  // namespace tarry::plang
