// Computes what functions may do, calls included. Checks what follows from it: purity of monitors, of exit and of transition
// functions, and the interfaces that each machine creates.
//
// An effect spreads from callees to callers, breadth first, one effect after the other. So every function has a shortest path to
// each effect, which the messages show.
#include <fmt/format.h>

#include <algorithm>

#include "plang/sema/phases.h"

namespace tarry::plang {
namespace {

constexpr std::array<FunctionEffect, 5> kImpure = {FunctionEffect::kSend, FunctionEffect::kAnnounce, FunctionEffect::kCreate,
                                                   FunctionEffect::kReceive, FunctionEffect::kChoose};

std::string_view verb_of(FunctionEffect effect) {
  switch (effect) {
    case FunctionEffect::kRaise: return "raise";
    case FunctionEffect::kChangeState: return "go to a state";
    case FunctionEffect::kSend: return "send";
    case FunctionEffect::kAnnounce: return "announce";
    case FunctionEffect::kCreate: return "create machines";
    case FunctionEffect::kReceive: return "receive";
    case FunctionEffect::kChoose: return "choose";
  }
  return "";
}

class Follower {
 public:
  explicit Follower(SemaContext& context) : context_(context) {}

  void run() {
    find_callers();
    for (std::size_t effect = 0; effect < kEffects; ++effect) spread(static_cast<FunctionEffect>(effect));
    for (Function* function : context_.functions) {
      fill(*function);
      if (function->owner != nullptr && function->owner->is_monitor()) check_monitor(*function);
    }
    visited_.assign(context_.functions.size(), nullptr);
    for (const auto& machine : context_.program.tree.machines) {
      for (const auto& state : machine->states) check_state(*state);
      if (!machine->is_monitor()) find_creates(*machine);
    }
  }

 private:
  const FunctionFacts& facts(const Function* function) const { return context_.facts[function->index]; }

  void find_callers() {
    callers_.resize(context_.functions.size());
    for (Function* function : context_.functions) {
      for (const FunctionFacts::Call& call : facts(function).calls)
        callers_[call.callee->index].push_back({function, call.place});
    }
  }

  void spread(FunctionEffect effect) {
    std::vector<const Function*> queue;
    for (const Function* function : context_.functions) {
      if (facts(function).has(effect)) queue.push_back(function);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const Function* callee = queue[next];
      for (const FunctionFacts::Call& caller : callers_[callee->index]) {
        FunctionFacts& of_caller = context_.facts[caller.callee->index];
        if (of_caller.has(effect)) continue;
        of_caller.add(effect, caller.place, callee);
        queue.push_back(caller.callee);
      }
    }
  }

  void fill(Function& function) const {
    const FunctionFacts& of = facts(&function);
    function.effects = {.raises = of.has(FunctionEffect::kRaise),
                        .changes_state = of.has(FunctionEffect::kChangeState),
                        .sends = of.has(FunctionEffect::kSend),
                        .announces = of.has(FunctionEffect::kAnnounce),
                        .creates = of.has(FunctionEffect::kCreate),
                        .receives = of.has(FunctionEffect::kReceive),
                        .chooses = of.has(FunctionEffect::kChoose)};
  }

  /// Returns where the effect happens in the end, if not in the function itself.
  Place end_of(const Function* function, FunctionEffect effect) const {
    const FunctionFacts::Cause* cause = &facts(function).causes[static_cast<std::size_t>(effect)];
    while (cause->through != nullptr) cause = &facts(cause->through).causes[static_cast<std::size_t>(effect)];
    return cause->place;
  }

  // ---- Purity.

  /// Checks what the function calls. What it does itself was reported when its body was checked.
  void check_monitor(const Function& function) const {
    if (!function.creates.empty())
      context_.error("E36", function.creates[0].place,
                     fmt::format("'{}' belongs to the monitor '{}', which must not create machines", function.name.text,
                                 function.owner->name.text));
    for (const FunctionFacts::Call& call : facts(&function).calls) {
      if (call.callee->owner != nullptr) continue;
      const auto effect = std::find_if(kImpure.begin(), kImpure.end(), [&](FunctionEffect one) { return facts(call.callee).has(one); });
      if (effect == kImpure.end()) continue;
      context_.error("E36", call.place,
                     fmt::format("'{}' can {}, so the monitor '{}' cannot call it: monitors only watch", call.callee->name.text,
                                 verb_of(*effect), function.owner->name.text),
                     {{end_of(call.callee, *effect), fmt::format("here it can {}", verb_of(*effect))}});
    }
  }

  void check_state(const State& state) const {
    for (const State::Body& exit : state.exits) {
      const Function* function = exit.inline_function          ? exit.inline_function.get()
                                 : &exit == state.exits.data() ? state.exit
                                                               : nullptr;
      if (function != nullptr) check_leaving(*function, exit.function_name, "an exit function");
    }
    for (const Handler& handler : state.handlers) {
      if (handler.kind == Handler::Kind::kGoto && handler.function != nullptr)
        check_leaving(*handler.function, handler.function_name, "the function of a transition");
    }
  }

  void check_leaving(const Function& function, const Name& used_as, std::string_view role) const {
    for (const FunctionEffect effect : {FunctionEffect::kRaise, FunctionEffect::kChangeState}) {
      const FunctionFacts::Cause& cause = facts(&function).causes[static_cast<std::size_t>(effect)];
      if (!cause.is_known) continue;
      std::vector<Note> notes;
      if (!function.is_anonymous() || cause.through != nullptr)
        notes.push_back({end_of(&function, effect), fmt::format("here it can {}", verb_of(effect))});
      const std::string subject =
          !function.is_anonymous()   ? fmt::format("'{}' can {}, but it is {}", function.name.text, verb_of(effect), role)
          : cause.through != nullptr ? fmt::format("'{}' can {}, but this is {}", cause.through->name.text, verb_of(effect), role)
                                     : fmt::format("{} cannot {}", role, verb_of(effect));
      context_.error("E39", function.is_anonymous() ? cause.place : used_as.place,
                     fmt::format("{}: the machine is about to change its state already", subject), std::move(notes));
    }
  }

  // ---- Creates.

  void find_creates(Machine& machine) {
    std::vector<const Function*> open;
    const auto visit = [&](const Function* function) {
      if (visited_[function->index] == &machine) return;
      visited_[function->index] = &machine;
      open.push_back(function);
    };
    for_each_function(machine, visit);
    std::vector<const Interface*>& all = machine.creates;
    while (!open.empty()) {
      const FunctionFacts& of = facts(open.back());
      open.pop_back();
      all.insert(all.end(), of.creates.begin(), of.creates.end());
      for (const FunctionFacts::Call& call : of.calls) visit(call.callee);
    }
    std::sort(all.begin(), all.end(), [](const Interface* a, const Interface* b) { return a->index < b->index; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  template <class Visit>
  static void for_each_function(const Machine& machine, const Visit& visit) {
    for (const auto& function : machine.functions) visit(function.get());
    for (const auto& state : machine.states) {
      for (const auto* bodies : {&state->entries, &state->exits}) {
        for (const State::Body& body : *bodies) {
          if (body.inline_function) visit(body.inline_function.get());
        }
      }
      for (const Handler& handler : state->handlers) {
        if (handler.inline_function) visit(handler.inline_function.get());
      }
    }
  }

  SemaContext& context_;
  std::vector<std::vector<FunctionFacts::Call>> callers_;  // `callee` is the caller here
  std::vector<const Machine*> visited_;
};

}  // namespace

void follow_effects(SemaContext& context) { Follower(context).run(); }

}  // namespace tarry::plang
