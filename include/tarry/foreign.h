// Foreign functions and types of P programs, in C++.
//
//   // P:  type tQueue;
//   //     fun Add(q: tQueue, job: (id: int, urgency: int)): tQueue;
//   //     machine Server { fun Pick(names: seq[string]): string; … }
//   #include <tarry/foreign.h>
//
//   struct Job {
//     std::int64_t id, urgency;
//     TARRY_NAMED_TUPLE(id, urgency)
//   };
//   struct Queue {                                                    // a foreign type
//     std::vector<Job> jobs;
//     static constexpr const char* p_type = "tQueue";
//     std::string save() const { return tarry::p::pack(jobs); }
//     static Queue load(std::string_view bytes) { Queue q; tarry::p::unpack(bytes, q.jobs); return q; }
//     std::string text() const { … }                                  // optional: the text in traces
//   };
//   Queue add(const std::optional<Queue>& q, const Job& job) { … }    // a variable of a foreign type starts as null
//   std::string pick(const std::vector<std::string>& names) { return names.at(0); }
//
//   TARRY_FOREIGN("Add", add)                // a global function
//   TARRY_FOREIGN("Server.Pick", pick)       // a method of machine Server
//
// P and C++:
//   bool, int, float, string     bool, std::int64_t (or another integer type, checked), double, std::string
//   enum                         an enum with these numbers, or an integer type
//   seq, set, map                std::vector, std::set, std::map
//   (int, bool)                  std::tuple, std::pair
//   (id: int, urgency: int)      a struct with TARRY_NAMED_TUPLE; std::tuple by position
//   event, machine               tarry::p::Event, tarry::p::Machine; std::optional of them if they may be null
//   foreign type                 a struct with p_type, save() and load(); std::optional of it if it may be null
//   any, data, anything          tarry::p::Value; a function with the parameter (tarry::p::Call&) gets all its arguments this way
// A function without a result is void. An exception ends the step with the runtime error R23. So does a result that does not have
// the declared type.
//
// Duties. Program states are values, and foreign values are part of them. Two values are equal if and only if they save to the
// same bytes. So save() writes everything that matters, and equivalent values give the same bytes (a std::set, not the order of
// insertion; no addresses). A function depends on its arguments alone and has no side effects: no memory of its own, no clock, no
// random numbers. Several threads call functions at once. Tarry may reuse the result of an earlier call instead of calling again.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tarry/detail/foreign_convert.h>
#include <tarry/foreign_abi.h>

namespace tarry::p {

/// The arguments of a call, as values.
class Call {
 public:
  explicit Call(std::string_view bytes) {
    detail::Reader in(bytes);
    while (!in.at_end()) arguments_.push_back(Value::read(in));
  }
  std::size_t size() const { return arguments_.size(); }
  std::span<const Value> arguments() const { return arguments_; }
  const Value& operator[](std::size_t n) const {
    if (n >= size()) throw Mismatch("argument " + std::to_string(n + 1) + " is asked for, but the call has " + std::to_string(size()));
    return arguments_[n];
  }

 private:
  std::vector<Value> arguments_;
};

namespace detail {

/// Runs the work of a call. Turns an exception into a problem of the call, so no exception leaves the object.
template <class Work>
void answer(abi::ForeignCall* call, const Work& work) noexcept {
  const auto problem = [&](std::string_view text) { call->problem(call->self, text.data(), text.size()); };
  try {
    Writer out;
    work(Call({call->arguments, call->size})).write(out);
    call->result(call->self, out.bytes().data(), out.bytes().size());
  } catch (const std::exception& e) {
    problem(e.what());
  } catch (...) {
    problem("threw something that is no std::exception");
  }
}

template <class T>
std::remove_cvref_t<T> argument(const Call& call, std::size_t n) {
  const Value& given = call[n];
  static_assert(!std::is_pointer_v<T> && (!std::is_lvalue_reference_v<T> || std::is_const_v<std::remove_reference_t<T>>),
                "a parameter of a foreign function is a value: T or const T&");
  try {
    return Convert<std::remove_cvref_t<T>>::from(given);
  } catch (const Mismatch& e) {
    throw Mismatch("argument " + std::to_string(n + 1) + ": " + e.what());
  }
}

template <class... A>
inline constexpr bool kTakesCall = false;
template <>
inline constexpr bool kTakesCall<Call&> = true;

/// Wraps a plain C++ function so that Tarry can call it.
template <auto function, class Signature = decltype(function)>
struct Adapter;

template <auto function, class R, class... A>
struct Adapter<function, R (*)(A...)> {
  static constexpr std::uint32_t kArity = kTakesCall<A...> ? abi::kAnyArity : static_cast<std::uint32_t>(sizeof...(A));

  static void call(abi::ForeignCall* c) {
    answer(c, [](Call arguments) {
      if constexpr (kTakesCall<A...>) return result([&]() -> R { return function(arguments); });
      else return with_arguments(arguments, std::index_sequence_for<A...>{});
    });
  }

 private:
  template <std::size_t... I>
  static Value with_arguments([[maybe_unused]] const Call& arguments, std::index_sequence<I...>) {
    return result([&]() -> R { return function(argument<A>(arguments, I)...); });
  }
  template <class Work>
  static Value result(const Work& work) {
    if constexpr (std::is_void_v<R>) return work(), Value();
    else return Convert<std::remove_cvref_t<R>>::to(work());
  }
};
template <auto function, class R, class... A>
struct Adapter<function, R (*)(A...) noexcept> : Adapter<function, R (*)(A...)> {};

// The functions and types of this object. Hidden, so that every object has its own lists.
__attribute__((visibility("hidden"))) inline const abi::ForeignFunction* first_function = nullptr;
__attribute__((visibility("hidden"))) inline const abi::ForeignType* first_type = nullptr;

struct __attribute__((visibility("hidden"))) FunctionEntry {
  FunctionEntry(const char* name, std::uint32_t arity, void (*call)(abi::ForeignCall*)) : function{name, arity, call, first_function} {
    first_function = &function;
  }
  abi::ForeignFunction function;
};

template <class T>
struct __attribute__((visibility("hidden"))) TypeEntry {
  TypeEntry() : type{T::p_type, nullptr, first_type} {
    if constexpr (ShowsItself<T>)
      type.text = [](abi::ForeignCall* c) { answer(c, [](const Call& call) { return value(std::string(call[0].template as<T>().text())); }); };
    first_type = &type;
  }
  abi::ForeignType type;
  static const TypeEntry entry;  // constructed when the object is loaded, if code here converts a T
};
template <class T>
const TypeEntry<T> TypeEntry<T>::entry{};

template <class T>
void remember_type() {
  static_cast<void>(&TypeEntry<T>::entry);
}

}  // namespace detail
}  // namespace tarry::p

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define TARRY_FOREIGN_JOIN_2(a, b) a##b
#define TARRY_FOREIGN_JOIN(a, b) TARRY_FOREIGN_JOIN_2(a, b)

/// Defines the implementation of a foreign function of the program: "Name", or "Machine.Name" for a method. Use it at namespace
/// scope.
#define TARRY_FOREIGN(name, function)                                                                      \
  static const ::tarry::p::detail::FunctionEntry TARRY_FOREIGN_JOIN(tarry_foreign_function_, __COUNTER__){ \
      name, ::tarry::p::detail::Adapter<&function>::kArity, &::tarry::p::detail::Adapter<&function>::call};

/// Makes a struct a named tuple of P. Lists the fields of the struct, which have the names of the tuple's fields.
#define TARRY_NAMED_TUPLE(...)                                             \
  static constexpr const char* tarry_field_names() { return #__VA_ARGS__; } \
  auto tarry_fields_tied() { return std::tie(__VA_ARGS__); }               \
  auto tarry_fields_tied() const { return std::tie(__VA_ARGS__); }
// NOLINTEND(cppcoreguidelines-macro-usage)

/// Fills in the table of the object. Tarry calls it after loading the object.
extern "C" __attribute__((visibility("default"), used)) inline void tarry_foreign_v1(tarry::abi::ForeignTable* out) {
  *out = {tarry::abi::kForeignMagic, tarry::abi::kForeignVersion, tarry::p::detail::first_function, tarry::p::detail::first_type};
}
