// One of a fixed list of words: the kinds of findings, the bounds of searches. A literal that is not in the list does not compile. Text from
// files and other processes goes through `find`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tarry {

/// `kWords` is an array of C strings, at most 254 of them.
template <const auto& kWords>
class OneOf {
 public:
  /// No word.
  constexpr OneOf() = default;

  /// A literal stands for its word, as in `kind == "deadlock"`.
  template <std::size_t N>
  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval OneOf(const char (&word)[N]) {
    const auto found = find(std::string_view(word, N - 1));
    if (!found) throw "this word is not in the list";
    *this = *found;
  }

  /// Returns the word, nothing if it is not in the list. The empty text is no word.
  static constexpr std::optional<OneOf> find(std::string_view word) {
    OneOf out;
    if (word.empty()) return out;
    for (const char* const known : kWords) {
      ++out.number_;
      if (word == known) return out;
    }
    return std::nullopt;
  }

  constexpr bool empty() const { return number_ == 0; }
  constexpr const char* name() const { return number_ == 0 ? "" : kWords[number_ - 1]; }

  friend constexpr bool operator==(const OneOf&, const OneOf&) = default;
  friend constexpr auto operator<=>(const OneOf&, const OneOf&) = default;

 private:
  std::uint8_t number_ = 0;  // in the list, from 1
};

}  // namespace tarry
