// Inside of the generator of P programs: what a program consists of, and the writer of one function body.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"

namespace tarry::plang::reference::gen {

enum class Ty : std::uint8_t {
  kNone,
  kInt,
  kBool,
  kFloat,
  kString,
  kEnum,
  kEvent,
  kMachine,
  kAny,
  kSeqInt,
  kSetInt,
  kMapInt,  // map[int, int]
  kSeqAny,
  kSetAny,
  kMapAny,  // map[int, any]
  kMapSeq,  // map[int, seq[int]]
  kPair,    // (int, bool)
  kRecord,  // (a: int, b: machine)
};
std::string_view text_of(Ty type);

struct Variable {
  std::string name;
  Ty type;
};

struct EventPlan {
  std::string name;
  Ty payload;
};

struct FunctionPlan {
  std::string name;
  std::vector<Ty> params;
  Ty result;
  bool unwinds;  // may raise or goto
  bool impure;   // monitors must not call it
};

struct StatePlan {
  std::string name;
  Ty entry;  // parameter of its entry function
};

struct MachinePlan {
  std::string name;
  std::size_t number = 0;
  bool is_monitor = false;
  std::vector<Variable> fields;
  std::vector<StatePlan> states;        // the first one is the start state
  std::vector<FunctionPlan> functions;  // as far as they are written: whoever is written next may call them
  std::vector<std::size_t> events;      // that it may get; monitors: those observed
};

/// What can be created: a machine, or an interface that one is bound to.
struct Creatable {
  std::string name;
  std::size_t machine;
  Ty payload;
};

struct Plan {
  explicit Plan(std::uint64_t seed) : rng(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng.below(n)); }
  bool chance(unsigned percent) { return rng.below(100) < percent; }
  /// Leave the guard out?
  bool risk() { return rng.below(1000) < risk_permille; }
  /// With this chance, if the program takes risks at all: for what is dangerous only at times.
  bool dares(unsigned percent) { return risk_permille > 0 && chance(percent); }
  /// The number of a weight, each as likely as it is heavy.
  std::size_t pick(std::initializer_list<unsigned> weights);
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }

  Rng rng;
  unsigned risk_permille = 0;
  std::vector<EventPlan> events;
  std::vector<MachinePlan> machines;
  std::vector<Creatable> creatables;
  std::vector<FunctionPlan> functions;  // global
  bool has_param = false;               // the global param `gp`
  bool choosing = false;                // Flavour::kChoosing
};

/// The parts, one behind the other. They are made from left to right, as those of `+` need not be: programs depend on nothing but
/// the seed.
inline std::string cat(std::initializer_list<std::string> parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

/// What the code of a body may do.
struct Rights {
  bool unwind = false;       // raise and goto
  bool block = false;        // receive
  bool send_freely = false;  // without burning fuel
};

/// Writes one body: of a function, handler, entry, exit. A machine without states writes global functions.
class BodyWriter {
 public:
  BodyWriter(Plan& plan, const MachinePlan& machine, Rights rights, std::vector<Variable> params);

  /// "{ var …; … }", with `first` in front of the statements, and a return at the end if there is a result.
  std::string body(std::size_t statements, Ty result = Ty::kNone, const std::string& first = "");
  bool unwinds() const { return unwinds_; }
  bool impure() const { return impure_; }

  std::string expr(Ty type, unsigned depth);
  /// " new M(args)" of something that this machine may create; empty if there is nothing.
  std::string creation();
  /// A message to itself or to somebody whom a variable holds.
  std::string send();

 private:
  // generator_statements.cc
  std::string statements(std::size_t count, unsigned depth);
  std::string block(unsigned depth) { return "{ " + statements(1 + plan_.below(2), depth + 1) + "}"; }
  std::string statement(unsigned depth);
  std::string assignment();
  std::string update();
  std::string update_seq(const std::string& seq, Ty element);
  std::string update_map(const Variable& map);
  std::string conditional(unsigned depth);
  std::string loop(unsigned depth);
  std::string assertion();
  std::string send_to(const std::string& target);
  std::string announcement();
  std::string unwinding();
  std::string receive(unsigned depth);
  std::string receive_case(const std::vector<std::size_t>& events, unsigned depth);
  std::string call_statement();
  std::string leave_loop();
  std::string small_steps();
  std::string choosing(unsigned depth);

  // generator_expressions.cc
  std::string integer(unsigned depth);
  std::string risky_integer(unsigned depth);
  std::string boolean(unsigned depth);
  std::string machine_reference(unsigned depth);
  std::string anything(unsigned depth);
  std::string collection(Ty type, unsigned depth);
  std::string scalar(Ty type, unsigned depth);
  std::string call(const FunctionPlan& function, unsigned depth);
  std::string variable_or(Ty type, const std::string& otherwise);

  std::vector<Variable> of_type(std::initializer_list<Ty> types) const;
  std::vector<FunctionPlan> callable(Ty result) const;
  std::string payload_args(Ty payload);
  bool is_global() const { return machine_.states.empty(); }
  std::string burning(const std::string& statement, unsigned fuel) const;

  Plan& plan_;
  const MachinePlan& machine_;
  Rights rights_;
  std::vector<Variable> scope_;   // may be read and written
  std::vector<Variable> locals_;  // declared by this body
  unsigned counters_ = 0;
  unsigned loops_ = 0;  // that are open
  bool unwinds_ = false;
  bool impure_ = false;
};

inline constexpr unsigned kMostDepth = 2;

/// May a parameter of this type be given such a payload?
inline bool takes(Ty param, Ty payload) { return param == Ty::kNone || param == Ty::kAny || param == payload; }

}  // namespace tarry::plang::reference::gen
