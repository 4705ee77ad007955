// An exception that has memory of its own, and code of its own that destroys it.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

struct Failed : std::runtime_error {
  std::string more = "a text that is longer than any that a string has room for in itself";
  mutable int seen = 0;
  Failed() : std::runtime_error("failed") {}
  const char* what() const noexcept override { return more.c_str(); }
};

inline std::exception_ptr caught() {
  try {
    throw Failed();
  } catch (...) {
    return std::current_exception();
  }
}
