// Data that the phases of the checker share: the program, its names, and facts about every function.
//
// The phases, in order (check_program.cc): enter_names.cc enters names; written_types.cc, fill_declarations.cc and states.cc fill in declarations;
// body.h checks functions; effects.cc follows calls; modules.h and tests.cc build tests. After an error each phase continues with
// the poison type, so all errors are reported in one run, each once.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "plang/sema/checked_program.h"
#include "plang/sema/names.h"

namespace tarry::plang {

enum class FunctionEffect : std::uint8_t { kRaise, kChangeState, kSend, kAnnounce, kCreate, kReceive, kChoose };
inline constexpr std::size_t kEffects = 7;

/// What one function does itself, collected while its body is checked; by Function::index.
struct FunctionFacts {
  struct Call {
    Function* callee;
    Place place;
  };
  std::vector<Call> calls;
  std::vector<const Interface*> creates;
  /// Where an effect comes from: the place and the called function; null: the function itself.
  struct Cause {
    bool is_known = false;
    Place place;
    const Function* through = nullptr;
  };
  std::array<Cause, kEffects> causes;

  void add(FunctionEffect effect, Place place, const Function* through = nullptr) {
    Cause& cause = causes[static_cast<std::size_t>(effect)];
    if (!cause.is_known) cause = {true, place, through};
  }
  bool has(FunctionEffect effect) const { return causes[static_cast<std::size_t>(effect)].is_known; }
};

struct SemaContext {
  CheckedProgram& program;
  Diagnostics& diagnostics;
  GlobalNames global{};
  std::vector<MachineNames> machine_names{};  // by Machine::index
  std::vector<Function*> functions{};         // by Function::index
  std::vector<FunctionFacts> facts{};
  std::unordered_set<const State*> broken_entries{};  // states with an unknown entry function
  bool sets_broken = false;     // a list of events had an error; comparing event sets would report it again
  bool creates_broken = false;  // a `new` or a call had an error; the same for what machines create

  TypeTable& types() const { return program.types; }
  const Type* basic(TypeKind kind) const { return program.types.basic(kind); }
  const Type* poison() const { return basic(TypeKind::kError); }
  const Type* no_value() const { return basic(TypeKind::kNull); }

  void error(std::string_view id, Place place, std::string text, std::vector<Note> notes = {}) const {
    diagnostics.error(id, place, std::move(text), std::move(notes));
  }
  /// Returns whether the message list is full, so that no further messages need to be computed.
  bool is_full() const;

  const MachineNames* names_of(const Machine* machine) const {
    return machine == nullptr ? nullptr : &machine_names[machine->index];
  }

  /// Reports E07: "no <what> is named 'x'", or what else has that name, with the nearest name of `tables`.
  template <class... Tables>
  void not_found(const Name& name, std::string_view what, const Machine* machine, const Tables&... tables) const {
    if (is_full()) return error("E07", name.place, "");
    Suggestions suggestions(name.text);
    (suggestions.from(tables), ...);
    report_not_found(name, what, machine, suggestions);
  }
  void report_not_found(const Name& name, std::string_view what, const Machine* machine, const Suggestions& suggestions) const;

  /// Returns the event of that name, or null after reporting E07. "null" and "halt" are events too.
  const Event* find_event(const Name& name) const;
  /// Returns the written type, or the poison type after an error.
  const Type* resolve(const TypeExpr& written) const;
};

/// Returns the note "'Pong' is declared here", unless the name is built in.
std::vector<Note> declared_here(const Name& name);

}  // namespace tarry::plang
