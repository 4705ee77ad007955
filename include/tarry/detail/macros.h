// The macros for writing a model. Included by <tarry/model.h> only.
//
// gcc shows an error in a macro only at the place of use if the macro comes from a system header; hence the pragma. All errors
// about the shape of a model are here, one sentence each. Only the first error is shown (see <tarry/detail/contract.h>).
#pragma once
#pragma GCC system_header

// NOLINTBEGIN(cppcoreguidelines-macro-usage): names of fields and an exported symbol cannot be had without
/// Names all fields of a state, in the order of declaration. Put it at the end of the struct.
#define TARRY_FIELDS(...)                                                                           \
  template <class TarryVisit>                                                                       \
  constexpr void tarry_fields([[maybe_unused]] TarryVisit&& visit) const {                          \
    __VA_OPT__(::tarry::detail::visit_fields(visit, #__VA_ARGS__, __VA_ARGS__);)                    \
  }                                                                                                 \
  template <class TarrySelf>                                                                        \
  static constexpr auto tarry_names_every_field(TarrySelf& self) {                                  \
    __VA_OPT__(auto& [__VA_ARGS__] = self; ::tarry::detail::are_no_bit_fields(__VA_ARGS__);)        \
    return true;                                                                                    \
  }

#define TARRY_RULE(Type, fault, words) \
  static_assert(::tarry::detail::kFault<Type> != ::tarry::detail::Fault::fault, words);
#define TARRY_MISSPELLED(Type, wrong, right, form) \
  TARRY_RULE(Type, kLike_##wrong, "the model has a member '" #wrong "', but no '" #right "': did you mean '" form "'?")
#define TARRY_NO_INVARIANT(Type, wrong) TARRY_MISSPELLED(Type, wrong, invariant, "void invariant(const State& s, tarry::Run& run)")
#define TARRY_NO_AT_END(Type, wrong) TARRY_MISSPELLED(Type, wrong, at_end, "void at_end(const State& s, tarry::Run& run)")
#define TARRY_NO_LIVENESS(Type, wrong) TARRY_MISSPELLED(Type, wrong, liveness, "void liveness(const State& s, tarry::Liveness& live)")
#define TARRY_NO_PROCESS_NAME(Type, wrong) TARRY_MISSPELLED(Type, wrong, process_name, "std::string process_name(int p)")
#define TARRY_NO_USES_SEALS(Type, wrong) TARRY_MISSPELLED(Type, wrong, uses_seals, "static constexpr bool uses_seals = true;")

#define TARRY_STATE_RULES(Type)                                                                                                              \
  TARRY_RULE(Type, kNoClass, "TARRY_MODEL names a struct that can be made without arguments, and " #Type " is none")                          \
  TARRY_RULE(Type, kNoState, "the model has no public 'struct State'")                                                                        \
  TARRY_RULE(Type, kStateNotCopyable, "State must be plain data that can be copied byte by byte: no std::string, no std::vector, no destructor") \
  TARRY_RULE(Type, kStateNotConstant, "State, or a struct in it, has a constructor that is not constexpr; leave it out, or make it constexpr")  \
  TARRY_RULE(Type, kStateEmpty, "State has no fields; give it at least one, and name it: TARRY_FIELDS(field)")                                \
  TARRY_RULE(Type, kStateHasPointers, "State has a pointer or a reference: addresses differ from run to run; use an index instead")            \
  TARRY_RULE(Type, kFields, "TARRY_FIELDS of State, or of a struct in it, must name every field of the struct, once, in the order of their declaration; fields with alignas or [[no_unique_address]] and bit-fields cannot be named") \
  TARRY_RULE(Type, kStateNotStorable, "State has a type with padding or with several bit patterns for one value; give that type TARRY_FIELDS, or use integers, bools, enums, tarry::Upto, tarry::Queue and arrays of them")
#define TARRY_MEMBER_RULES(Type)                                                                                                             \
  TARRY_RULE(Type, kInitial, "the model needs a public 'State initial()'")                                                                    \
  TARRY_RULE(Type, kStep, "the model needs a public 'void step(State& s, int p, tarry::Run& run)' with these arguments and no result")         \
  TARRY_RULE(Type, kStepCopiesState, "'step' changes a copy of the state; expected: void step(State& s, int p, tarry::Run& run)")              \
  TARRY_RULE(Type, kProcesses, "the model needs a public 'static constexpr int processes = N;', or 'static constexpr int max_processes = N;' and 'int processes(const State& s)'") \
  TARRY_RULE(Type, kProcessesFunction, "a model with 'max_processes' needs a public 'static constexpr int max_processes = N;' and 'int processes(const State& s)'") \
  TARRY_RULE(Type, kProcessCount, "a model has 1 to 4096 processes")                                                                          \
  TARRY_RULE(Type, kInvariant, "'invariant' cannot be called as it is; expected, and public: void invariant(const State& s, tarry::Run& run), which says run.expect(...)") \
  TARRY_RULE(Type, kAtEnd, "'at_end' cannot be called as it is; expected, and public: void at_end(const State& s, tarry::Run& run), which says run.expect(...)") \
  TARRY_RULE(Type, kLiveness, "'liveness' cannot be called as it is; expected, and public: void liveness(const State& s, tarry::Liveness& live), which says live.eventually(...), live.leads_to(...) or live.infinitely_often(...)") \
  TARRY_RULE(Type, kProcessName, "'process_name' cannot be called as it is; expected, and public: std::string process_name(int p)")             \
  TARRY_RULE(Type, kUsesSeals, "'uses_seals' cannot be read as it is; expected, and public: static constexpr bool uses_seals = true;")
#define TARRY_NAME_RULES(Type)                      \
  TARRY_LIKE_INVARIANT(TARRY_NO_INVARIANT, Type)    \
  TARRY_LIKE_AT_END(TARRY_NO_AT_END, Type)          \
  TARRY_LIKE_LIVENESS(TARRY_NO_LIVENESS, Type)      \
  TARRY_LIKE_PROCESS_NAME(TARRY_NO_PROCESS_NAME, Type) \
  TARRY_LIKE_USES_SEALS(TARRY_NO_USES_SEALS, Type)

/// Makes the struct the model of this file. Use it once per file, at namespace scope.
#define TARRY_MODEL(Type)                                                                            \
  TARRY_STATE_RULES(Type) TARRY_MEMBER_RULES(Type) TARRY_NAME_RULES(Type)                            \
  extern "C" {                                                                                       \
  extern __attribute__((visibility("default"))) const ::tarry::abi::Model tarry_model_v1;            \
  const ::tarry::abi::Model tarry_model_v1 = ::tarry::detail::table_of<Type>(#Type, __FILE__);       \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
