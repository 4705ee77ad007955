// Values for the states of models: small integers with a known range, and queues.
//
// A state is a plain struct. A type with a known range takes only the bits that the range needs: `Upto<5>` takes three bits of a
// stored state, and an `int` takes 32. Plain integers, bools, enums and arrays of them also work.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tarry {

namespace detail {

template <std::uint64_t Max>
using Smallest = std::conditional_t<(Max < 256), std::uint8_t, std::conditional_t<(Max < 65536), std::uint16_t, std::uint32_t>>;

[[noreturn]] inline void out_of_range(std::uint64_t value, std::uint64_t max) {
  throw std::out_of_range("value " + std::to_string(static_cast<std::int64_t>(value)) + " does not fit in tarry::Upto<" +
                          std::to_string(max) + ">");
}

}  // namespace detail

/// An integer from 0 to Max. A value out of range throws, and Tarry reports it as a finding with its schedule.
template <std::uint32_t Max>
class Upto {
 public:
  static constexpr std::uint32_t kMax = Max;

  constexpr Upto() = default;
  template <class Type>
    requires(std::is_integral_v<Type> || std::is_enum_v<Type>)
  constexpr Upto(Type value) : value_(checked(static_cast<std::uint64_t>(value))) {}

  constexpr operator std::uint32_t() const { return value_; }

  constexpr Upto& operator++() { return *this = value_ + 1u; }
  constexpr Upto& operator--() { return *this = value_ - 1u; }
  constexpr Upto operator++(int) { Upto old = *this; ++*this; return old; }
  constexpr Upto operator--(int) { Upto old = *this; --*this; return old; }
  constexpr Upto& operator+=(std::uint32_t by) { return *this = value_ + by; }
  constexpr Upto& operator-=(std::uint32_t by) { return *this = value_ - by; }

 private:
  using Stored = detail::Smallest<Max>;

  static constexpr Stored checked(std::uint64_t value) {
    if (value > Max) detail::out_of_range(value, Max);
    return static_cast<Stored>(value);
  }

  Stored value_ = 0;
};

/// A first-in first-out queue of at most Capacity values. Unused places are zero, so equal queues give equal states. Pushing to a
/// full queue, or taking from an empty one, throws.
template <class Type, std::uint32_t Capacity>
class Queue {
 public:
  constexpr std::uint32_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return size_ == Capacity; }
  constexpr const Type& operator[](std::uint32_t i) const { return items_[i]; }
  constexpr const Type& front() const { return items_[0]; }

  constexpr void push(const Type& value) {
    if (full()) throw std::length_error("push to a full tarry::Queue of " + std::to_string(Capacity));
    items_[size_] = value;
    ++size_;
  }

  constexpr Type pop() { return take(0); }

  /// Removes and returns the i-th value, as a selective receive does. Throws if i >= size().
  constexpr Type take(std::uint32_t i) {
    if (i >= size_) throw std::out_of_range("take from a tarry::Queue past its end");
    Type value = items_[i];
    for (std::uint32_t j = i + 1; j < size_; ++j) items_[j - 1] = items_[j];
    --size_;
    items_[size_] = Type{};
    return value;
  }

  constexpr void clear() { *this = Queue{}; }

  template <class Visit>
  constexpr void tarry_fields(Visit&& visit) const {
    visit("size", size_);
    visit("items", items_);
  }

 private:
  Upto<Capacity> size_{};
  Type items_[Capacity]{};
};

}  // namespace tarry
