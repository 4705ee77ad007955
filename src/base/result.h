// Result<T>: a value, or a description of what is wrong with the input. It is for mistakes of the user. Our own mistakes are
// TARRY_ASSERT; found bugs are findings.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace tarry {

/// A mistake in the input or on the command line. `text` is the complete message for the user.
struct Diagnostic {
  std::string text;
};

template <class T>
class Result {
 public:
  Result(T value) : either_(std::move(value)) {}                    // NOLINT(google-explicit-constructor): that is its purpose
  Result(Diagnostic diagnostic) : either_(std::move(diagnostic)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return either_.index() == 0; }
  T& operator*() { return std::get<0>(either_); }
  const T& operator*() const { return std::get<0>(either_); }
  T* operator->() { return &std::get<0>(either_); }
  const T* operator->() const { return &std::get<0>(either_); }
  const Diagnostic& error() const { return std::get<1>(either_); }

 private:
  std::variant<T, Diagnostic> either_;
};

}  // namespace tarry
