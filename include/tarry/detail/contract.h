// The required shape of a model. It is checked first, so a mistake gives one error, at TARRY_MODEL, that shows what is expected
// (<tarry/detail/macros.h> has the messages). A check function that cannot be called is an error; it is never ignored silently.
//
// A member is found by its name alone, whatever its kind and access: together with a member of the same name in another base, the
// name is ambiguous.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include <tarry/detail/pack.h>

namespace tarry {
class Run;
class Labels;
class Liveness;
}  // namespace tarry

namespace tarry::detail {

// NOLINTBEGIN(cppcoreguidelines-macro-usage, bugprone-macro-parentheses): these differ only in a name
#define TARRY_FINDS_MEMBER(name)                                                         \
  struct Has_##name {                                                                    \
    struct Other {                                                                       \
      int name;                                                                          \
    };                                                                                   \
    template <class Model>                                                               \
    struct Both : Model, Other {};                                                       \
    template <class Model>                                                               \
    static constexpr bool in() {                                                         \
      if constexpr (requires { typename Model::name; }) return false;                    \
      else if constexpr (std::is_final_v<Model>) return requires { &Model::name; };           \
      else return !requires { &Both<Model>::name; };                                     \
    }                                                                                    \
  };
#define TARRY_FINDS_LIKE(Type, name) TARRY_FINDS_MEMBER(name)
TARRY_FINDS_MEMBER(max_processes)
TARRY_FINDS_MEMBER(invariant)
TARRY_FINDS_MEMBER(at_end)
TARRY_FINDS_MEMBER(liveness)
TARRY_FINDS_MEMBER(process_name)
TARRY_FINDS_MEMBER(uses_seals)

// Misspelled names. A model that has one of these names instead of the right one is refused.
#define TARRY_LIKE_INVARIANT(apply, Type) \
  apply(Type, invariants) apply(Type, Invariant) apply(Type, Invariants) apply(Type, invariant_) apply(Type, invarient) apply(Type, invarients) apply(Type, invairant) apply(Type, invaraint) apply(Type, invaiant) \
  apply(Type, inveriant) apply(Type, invariante) apply(Type, invarants) apply(Type, invarant) apply(Type, ivariant) apply(Type, invarinat) apply(Type, invriant) apply(Type, invaritant) apply(Type, invariance)
#define TARRY_LIKE_AT_END(apply, Type) \
  apply(Type, atEnd) apply(Type, AtEnd) apply(Type, at_End) apply(Type, At_end) apply(Type, At_End) apply(Type, atend) apply(Type, at_ends) apply(Type, at_end_) apply(Type, at_the_end) apply(Type, at_edn) apply(Type, at_ned) apply(Type, on_end) apply(Type, onEnd)
#define TARRY_LIKE_LIVENESS(apply, Type) \
  apply(Type, livenes) apply(Type, livness) apply(Type, Liveness) apply(Type, liveness_) apply(Type, lifeness) apply(Type, liveliness) apply(Type, livelyness) apply(Type, liveness_properties) apply(Type, livenessProperties)
#define TARRY_LIKE_PROCESS_NAME(apply, Type) \
  apply(Type, processName) apply(Type, ProcessName) apply(Type, process_names) apply(Type, proces_name) apply(Type, proccess_name) apply(Type, process_Name) apply(Type, process_name_) apply(Type, processname)
#define TARRY_LIKE_USES_SEALS(apply, Type) \
  apply(Type, usesSeals) apply(Type, uses_seal) apply(Type, use_seals) apply(Type, use_seal) apply(Type, useSeals) apply(Type, uses_Seals) apply(Type, uses_seals_) apply(Type, with_seals)
TARRY_LIKE_INVARIANT(TARRY_FINDS_LIKE, )
TARRY_LIKE_AT_END(TARRY_FINDS_LIKE, )
TARRY_LIKE_LIVENESS(TARRY_FINDS_LIKE, )
TARRY_LIKE_PROCESS_NAME(TARRY_FINDS_LIKE, )
TARRY_LIKE_USES_SEALS(TARRY_FINDS_LIKE, )

/// The first rule that a model breaks.
enum class Fault {
  kNone, kNoClass, kNoState, kStateNotCopyable, kStateNotConstant, kStateEmpty, kStateHasPointers, kStateNotStorable, kFields,
  kInitial, kStep, kStepCopiesState, kProcesses, kProcessesFunction, kProcessCount, kInvariant, kAtEnd, kLiveness, kProcessName, kUsesSeals,
#define TARRY_FAULT(Type, name) kLike_##name,
  TARRY_LIKE_INVARIANT(TARRY_FAULT, ) TARRY_LIKE_AT_END(TARRY_FAULT, ) TARRY_LIKE_LIVENESS(TARRY_FAULT, ) TARRY_LIKE_PROCESS_NAME(TARRY_FAULT, ) TARRY_LIKE_USES_SEALS(TARRY_FAULT, )
#undef TARRY_FAULT
};

/// Returns whether the step takes a copy of the state. Detected only if there is one such function and it is not a template.
template <class State, class Function>
inline constexpr bool kTakesACopy = false;
template <class State, class Model, class... Rest>
inline constexpr bool kTakesACopy<State, void (Model::*)(State, Rest...)> = true;
template <class State, class Model, class... Rest>
inline constexpr bool kTakesACopy<State, void (Model::*)(State, Rest...) const> = true;
template <class State, class Model, class... Rest>
inline constexpr bool kTakesACopy<State, void (Model::*)(const State&, Rest...)> = true;
template <class State, class Model, class... Rest>
inline constexpr bool kTakesACopy<State, void (Model::*)(const State&, Rest...) const> = true;

template <class Model, class State>
concept HasInitial = requires(Model& m) { { m.initial() } -> std::convertible_to<State>; };
template <class Model, class State>
concept HasStep = requires(Model& m, State& s, Run& run) { { m.step(s, 0, run) } -> std::same_as<void>; };
// A non-static member is not a constant. If it is used as one, gcc reports an error instead of an unsatisfied requirement.
template <class Model>
concept HasFixedProcesses = !requires { requires std::is_member_pointer_v<decltype(&Model::processes)>; } && requires { typename std::integral_constant<int, Model::processes>; };
template <class Model>
concept HasMaxProcesses = !requires { requires std::is_member_pointer_v<decltype(&Model::max_processes)>; } && requires { typename std::integral_constant<int, Model::max_processes>; };
template <class Model, class State>
concept CountsProcesses = requires(Model& m, const State& s) { { m.processes(s) } -> std::integral; };
template <class Model, class State>
concept HasInvariant = requires(Model& m, const State& s, Run& run) { { m.invariant(s, run) } -> std::same_as<void>; };
template <class Model, class State>
concept HasAtEnd = requires(Model& m, const State& s, Run& run) { { m.at_end(s, run) } -> std::same_as<void>; };
template <class Model, class State>
concept HasLiveness = requires(Model& m, const State& s, Liveness& live) { { m.liveness(s, live) } -> std::same_as<void>; };
template <class Model, class State>
concept HasLabels = requires(Model& m, const State& s, Labels& labels) { { m.labels(s, labels) } -> std::same_as<void>; };
template <class Model>
concept HasProcessName = requires(Model& m) { { m.process_name(0) } -> std::convertible_to<std::string>; };
template <class Model>
concept SaysWhetherItSeals = !requires { requires std::is_member_pointer_v<decltype(&Model::uses_seals)>; } && requires { typename std::bool_constant<Model::uses_seals>; };

template <class State>
constexpr Fault fault_of_state() {
  if constexpr (!std::is_trivially_copyable_v<State> || !std::is_default_constructible_v<State>) return Fault::kStateNotCopyable;
  else if constexpr (std::is_empty_v<State>) return Fault::kStateEmpty;
  else if constexpr (storable<State>() == Storable::kPointer) return Fault::kStateHasPointers;
  else if constexpr (storable<State>() == Storable::kNotConstant) return Fault::kStateNotConstant;
  else if constexpr (storable<State>() == Storable::kFields) return Fault::kFields;
  else if constexpr (storable<State>() != Storable::kYes) return Fault::kStateNotStorable;
  else if constexpr (!names_every_field<ByBytes, State>()) return Fault::kFields;
  else return Fault::kNone;
}

template <class Model>
constexpr Fault fault_of_processes() {
  using State = typename Model::State;
  if constexpr (!Has_max_processes::in<Model>()) {
    if constexpr (!HasFixedProcesses<Model>) return Fault::kProcesses;
    else return Model::processes >= 1 && Model::processes <= static_cast<int>(abi::kMaxProcesses) ? Fault::kNone : Fault::kProcessCount;
  } else if constexpr (!HasMaxProcesses<Model> || !CountsProcesses<Model, State>) {
    return Fault::kProcessesFunction;
  } else {
    return Model::max_processes >= 1 && Model::max_processes <= static_cast<int>(abi::kMaxProcesses) ? Fault::kNone : Fault::kProcessCount;
  }
}

template <class Model>
constexpr Fault fault_of_step() {
  using State = typename Model::State;
  if constexpr (requires { &Model::step; }) {
    if constexpr (kTakesACopy<State, decltype(&Model::step)>) return Fault::kStepCopiesState;
  }
  return HasStep<Model, State> ? Fault::kNone : Fault::kStep;
}

/// Returns the misspelled name that the model has.
template <class Model>
constexpr Fault misspelled() {
#define TARRY_LIKE(Type, name) \
  if (Has_##name::template in<Model>()) return Fault::kLike_##name;
  if constexpr (!Has_invariant::in<Model>()) { TARRY_LIKE_INVARIANT(TARRY_LIKE, ) }
  if constexpr (!Has_at_end::in<Model>()) { TARRY_LIKE_AT_END(TARRY_LIKE, ) }
  if constexpr (!Has_liveness::in<Model>()) { TARRY_LIKE_LIVENESS(TARRY_LIKE, ) }
  if constexpr (!Has_process_name::in<Model>()) { TARRY_LIKE_PROCESS_NAME(TARRY_LIKE, ) }
  if constexpr (!Has_uses_seals::in<Model>()) { TARRY_LIKE_USES_SEALS(TARRY_LIKE, ) }
#undef TARRY_LIKE
  return Fault::kNone;
}
#undef TARRY_FINDS_LIKE
#undef TARRY_FINDS_MEMBER
// NOLINTEND(cppcoreguidelines-macro-usage, bugprone-macro-parentheses)

template <class Model>
constexpr Fault fault_of() {
  if constexpr (!std::is_class_v<Model> || !std::is_default_constructible_v<Model>) return Fault::kNoClass;
  else if constexpr (!requires { typename Model::State; }) return Fault::kNoState;
  else if constexpr (fault_of_state<typename Model::State>() != Fault::kNone) return fault_of_state<typename Model::State>();
  else {
    using State = typename Model::State;
    if constexpr (!HasInitial<Model, State>) return Fault::kInitial;
    else if constexpr (fault_of_step<Model>() != Fault::kNone) return fault_of_step<Model>();
    else if constexpr (fault_of_processes<Model>() != Fault::kNone) return fault_of_processes<Model>();
    else if constexpr (Has_invariant::in<Model>() && !HasInvariant<Model, State>) return Fault::kInvariant;
    else if constexpr (Has_at_end::in<Model>() && !HasAtEnd<Model, State>) return Fault::kAtEnd;
    else if constexpr (Has_liveness::in<Model>() && !HasLiveness<Model, State>) return Fault::kLiveness;
    else if constexpr (Has_process_name::in<Model>() && !HasProcessName<Model>) return Fault::kProcessName;
    else if constexpr (Has_uses_seals::in<Model>() && !SaysWhetherItSeals<Model>) return Fault::kUsesSeals;
    else return misspelled<Model>();
  }
}

template <class Model>
inline constexpr Fault kFault = fault_of<Model>();

}  // namespace tarry::detail
