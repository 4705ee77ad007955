// Packing of states: converts a plain struct to as few bits as its fields need, and back.
//
// The bytes of the struct are read as 64-bit words. Of each word, packing keeps only the bits that the fields can use, one after
// the other. The compiler computes these bits from the types of the fields (TARRY_FIELDS). At run time packing costs one PEXT or
// PDEP per word, if the processor has them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tarry/values.h>

namespace tarry::detail {

struct AnyVisitor {
  template <class Type>
  constexpr void operator()(std::string_view, const Type&) const {}
};

/// Visits each field with its name, taken from `names`: "first, second, third".
template <class Visit, class... Fields>
constexpr void visit_fields(Visit& visit, std::string_view names, const Fields&... fields) {
  const auto next = [&names] {
    const std::size_t start = names.find_first_not_of(" \t\n");
    const std::size_t end = names.find_first_of(", \t\n", start);
    const std::string_view name = names.substr(start, end - start);
    const std::size_t comma = names.find(',', start);
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
    return name;
  };
  (visit(next(), fields), ...);
}

template <class Type>
concept HasFields = requires(const Type& value) { value.tarry_fields(AnyVisitor{}); };

template <class Type>
concept CountedEnum = std::is_enum_v<Type> && requires { Type::count_; };

template <class Type>
concept Ranged = requires { { Type::kMax } -> std::convertible_to<std::uint32_t>; } && !HasFields<Type>;

constexpr std::size_t align_up(std::size_t offset, std::size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

/// The bits of Type's bytes that carry information: `used` by the possible values, `stored` by any field (no padding).
template <std::size_t Size>
struct BitMap {
  std::array<std::uint8_t, Size> used{};
  std::array<std::uint8_t, Size> stored{};
  // Fields whose bits have room for values beyond the range: `counted` has all their bits. `to_top`, added to such a field, sets its highest bit, which
  // is in `top`, if the value is out of range.
  std::array<std::uint8_t, Size> counted{};
  std::array<std::uint8_t, Size> to_top{};
  std::array<std::uint8_t, Size> top{};

  constexpr void mark(std::size_t offset, std::size_t bytes, std::uint64_t max) {
    for (std::size_t i = 0; i < bytes; ++i) {
      stored[offset + i] = 0xff;
      const auto part = i < 8 ? static_cast<std::uint8_t>(max >> (8 * i)) : std::uint8_t{0};
      const bool above = i + 1 < 8 && (max >> (8 * (i + 1))) != 0;
      used[offset + i] = above ? 0xff : static_cast<std::uint8_t>((1u << std::bit_width(part)) - 1u);
    }
  }

  /// Values are below `count`. Requires: `mark` has marked the field, and `count` is at most half of what its bytes can hold.
  constexpr void mark_count(std::size_t offset, std::size_t bytes, std::uint64_t count) {
    const std::uint64_t highest = std::uint64_t{1} << (8 * bytes - 1);
    if (std::has_single_bit(count) || count > highest) return;
    for (std::size_t i = 0; i < bytes; ++i) {
      counted[offset + i] = 0xff;
      to_top[offset + i] = static_cast<std::uint8_t>((highest - count) >> (8 * i));
      top[offset + i] = static_cast<std::uint8_t>(highest >> (8 * i));
    }
  }
};

/// Whether a type can be part of a state, and if not, why.
enum class Storable { kYes, kPointer, kNotConstant, kFields, kNo };

template <class Type>
constexpr Storable storable();

struct StorableFields {
  Storable all = Storable::kYes;
  std::size_t next = 0;

  template <class Type>
  constexpr void operator()(std::string_view, const Type&) {
    next = align_up(next, alignof(Type)) + sizeof(Type);
    if (all == Storable::kYes) all = storable<Type>();
  }
};

/// Checks that the fields are named in the order of their declaration. Not every compiler can compare addresses of fields at
/// compile time.
struct FieldsInOrder {
  const void* before = nullptr;
  bool all = true;

  template <class Type>
  constexpr void operator()(std::string_view, const Type& field) {
    const void* const here = &field;
    if (before != nullptr && !(before < here)) all = false;
    before = here;
  }
};
template <class Type>
constexpr bool fields_in_order() {
  constexpr Type sample{};
  FieldsInOrder order;
  sample.tarry_fields(order);
  return order.all;
}

template <class Type>
constexpr bool makes_constant() {
  [[maybe_unused]] const Type sample{};
  return true;
}

template <class Type>
constexpr Storable storable_fields() {
  if constexpr (!requires { typename std::bool_constant<makes_constant<Type>()>; }) {
    return Storable::kNotConstant;
  } else {
    constexpr Type sample{};
    StorableFields fields;
    sample.tarry_fields(fields);
    if (fields.all != Storable::kYes) return fields.all;
    if (align_up(fields.next, alignof(Type)) != sizeof(Type)) return Storable::kFields;
    if constexpr (requires { typename std::bool_constant<fields_in_order<Type>()>; }) return fields_in_order<Type>() ? Storable::kYes : Storable::kFields;
    else return Storable::kYes;
  }
}

template <class Type>
constexpr Storable storable() {
  if constexpr (std::is_array_v<Type>) return storable<std::remove_all_extents_t<Type>>();
  else if constexpr (HasFields<Type>) return storable_fields<Type>();
  else if constexpr (requires { std::tuple_size<Type>::value; typename Type::value_type; }) return storable<typename Type::value_type>();
  else if constexpr (std::is_pointer_v<Type> || std::is_member_pointer_v<Type> || std::is_null_pointer_v<Type>) return Storable::kPointer;
  else if constexpr (std::is_same_v<Type, bool> || Ranged<Type> || CountedEnum<Type>) return Storable::kYes;
  else return std::has_unique_object_representations_v<Type> ? Storable::kYes : Storable::kNo;
}

template <class Type, std::size_t Size>
constexpr void mark_bits(BitMap<Size>& map, std::size_t offset);

template <std::size_t Size>
struct MarkFields {
  BitMap<Size>& map;
  std::size_t base;
  std::size_t next = 0;

  template <class Type>
  constexpr void operator()(std::string_view, const Type&) {
    next = align_up(next, alignof(Type));
    mark_bits<Type>(map, base + next);
    next += sizeof(Type);
  }
};

template <class Type, std::size_t Size>
constexpr void mark_bits(BitMap<Size>& map, std::size_t offset) {
  if constexpr (std::is_array_v<Type>) {
    for (std::size_t i = 0; i < std::extent_v<Type>; ++i)
      mark_bits<std::remove_extent_t<Type>>(map, offset + i * sizeof(std::remove_extent_t<Type>));
  } else if constexpr (HasFields<Type>) {
    constexpr Type sample{};
    MarkFields<Size> fields{map, offset};
    sample.tarry_fields(fields);
  } else if constexpr (requires { std::tuple_size<Type>::value; typename Type::value_type; }) {
    for (std::size_t i = 0; i < std::tuple_size<Type>::value; ++i)
      mark_bits<typename Type::value_type>(map, offset + i * sizeof(typename Type::value_type));
  } else if constexpr (std::is_same_v<Type, bool>) {
    map.mark(offset, 1, 1);
  } else if constexpr (Ranged<Type>) {
    map.mark(offset, sizeof(Type), Type::kMax);
  } else if constexpr (CountedEnum<Type>) {
    static_assert(static_cast<std::uint64_t>(Type::count_) > 0);
    map.mark(offset, sizeof(Type), static_cast<std::uint64_t>(Type::count_) - 1);
    map.mark_count(offset, sizeof(Type), static_cast<std::uint64_t>(Type::count_));
  } else {
    for (std::size_t i = 0; i < sizeof(Type); ++i) {
      map.used[offset + i] = 0xff;
      map.stored[offset + i] = 0xff;
    }
  }
}

inline std::uint64_t extract_bits(std::uint64_t word, std::uint64_t mask) {
#if defined(__BMI2__)
  return __builtin_ia32_pext_di(word, mask);  // <immintrin.h> would be a quarter of the time to compile a model
#else
  if (mask == ~std::uint64_t{0}) return word;
  std::uint64_t out = 0;
  for (int at = 0; mask != 0;) {
    const int skip = std::countr_zero(mask);
    word >>= skip, mask >>= skip;
    const int run = std::countr_one(mask);
    out |= (word & ((std::uint64_t{1} << run) - 1)) << at;
    word >>= run, mask >>= run, at += run;
  }
  return out;
#endif
}

inline std::uint64_t deposit_bits(std::uint64_t bits, std::uint64_t mask) {
#if defined(__BMI2__)
  return __builtin_ia32_pdep_di(bits, mask);
#else
  if (mask == ~std::uint64_t{0}) return bits;
  std::uint64_t out = 0;
  for (int at = 0; mask != 0;) {
    const int skip = std::countr_zero(mask);
    mask >>= skip, at += skip;
    const int run = std::countr_one(mask);
    out |= (bits & ((std::uint64_t{1} << run) - 1)) << at;
    bits >>= run, mask >>= run, at += run;
  }
  return out;
#endif
}

template <std::size_t Size>
struct Bytes {
  std::byte all[Size];
};

/// Is not a constant if the byte is padding, or if the compiler cannot read the bytes of such a type.
template <class Type, std::size_t Byte>
constexpr bool read_byte() {
  constexpr Type sample{};
  const auto bytes = std::bit_cast<Bytes<sizeof(Type)>>(sample);
  return bytes.all[Byte] == std::byte{0} || true;
}
template <class Type, std::size_t Byte>
inline constexpr bool kHasByte = requires { typename std::bool_constant<read_byte<Type, Byte>()>; };

/// Finds bytes of a struct that lie between its named fields or after the last one: number `wanted` of them, and how many there are.
struct BytesBetween {
  std::size_t wanted = 0;
  std::size_t next = 0, count = 0, found = 0;

  constexpr void skip_to(std::size_t offset) {
    if (count <= wanted && wanted < count + offset - next) found = next + (wanted - count);
    count += offset - next;
    next = offset;
  }
  template <class Type>
  constexpr void operator()(std::string_view, const Type&) {
    skip_to(align_up(next, alignof(Type)));
    next += sizeof(Type);
  }
};
template <class Type>
constexpr BytesBetween bytes_between(std::size_t wanted) {
  constexpr Type sample{};
  BytesBetween bytes{wanted};
  sample.tarry_fields(bytes);
  bytes.skip_to(sizeof(Type));
  return bytes;
}

/// Calls f(i) for i below Count. Up to 128 calls are unrolled, with an std::integral_constant: more take the compiler too long.
template <std::size_t Count, class F>
[[gnu::always_inline]] constexpr void for_each_index(const F& f) {
  if constexpr (Count <= 128) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) __attribute__((always_inline)) { (f(std::integral_constant<std::size_t, Index>{}), ...); }(std::make_index_sequence<Count>{});
  } else {
    for (std::size_t i = 0; i < Count; ++i) f(i);
  }
}

/// Does not compile for bit-fields.
template <class... Fields>
constexpr void are_no_bit_fields(Fields&... /*fields*/) {}

/// Looks whether TARRY_FIELDS of each struct in a type names every field, struct by struct: those of an array once.
///   ByBytes: no byte between named fields belongs to a field. Tells more readably, but does not see bit-fields in padding, nor anything beside a union.
///   ByCount: compiles only if there are as many names as fields, because the names are those of a structured binding.
struct ByBytes {
  template <class Type>
  static constexpr bool look() {
    return []<std::size_t... Number>(std::index_sequence<Number...>) {
      const bool is_padding[] = {true, !kHasByte<Type, bytes_between<Type>(Number).found>...};
      return std::all_of(std::begin(is_padding), std::end(is_padding), [](bool each) { return each; });
    }(std::make_index_sequence<bytes_between<Type>(0).count>{});
  }
};
struct ByCount {
  template <class Type>
  static constexpr bool look() {
    if constexpr (requires(Type& value) { Type::tarry_names_every_field(value); }) return std::is_same_v<decltype(Type::tarry_names_every_field(std::declval<Type&>())), bool>;
    else return true;
  }
};

template <class Way, class Type>
constexpr bool names_every_field();
template <class Way>
struct NamesInFields {
  bool all = true;
  template <class Type>
  constexpr void operator()(std::string_view, const Type&) {
    all = names_every_field<Way, Type>() && all;
  }
};
template <class Way, class Type>
constexpr bool names_every_field() {
  if constexpr (std::is_array_v<Type>) {
    return names_every_field<Way, std::remove_all_extents_t<Type>>();
  } else if constexpr (HasFields<Type>) {
    constexpr Type sample{};
    NamesInFields<Way> fields;
    sample.tarry_fields(fields);
    return fields.all && Way::template look<Type>();
  } else if constexpr (requires { std::tuple_size<Type>::value; typename Type::value_type; }) {
    return names_every_field<Way, typename Type::value_type>();
  } else {
    return true;
  }
}

/// Packs Type into Packing<Type>::kWords words of 32 bits.
template <class Type>
class Packing {
  static_assert(std::is_trivially_copyable_v<Type> && storable<Type>() == Storable::kYes, "<tarry/detail/contract.h> says why not");
  static constexpr std::size_t kChunks = (sizeof(Type) + 7) / 8;

  static constexpr auto bit_map() {
    BitMap<kChunks * 8> map{};
    mark_bits<Type>(map, 0);
    return map;
  }
  using Map = BitMap<kChunks * 8>;
  static constexpr auto masks(std::array<std::uint8_t, kChunks * 8> Map::*part) {
    const Map map = bit_map();
    std::array<std::uint64_t, kChunks> out{};
    for (std::size_t i = 0; i < sizeof(Type); ++i) out[i / 8] |= static_cast<std::uint64_t>((map.*part)[i]) << (8 * (i % 8));
    return out;
  }
  static constexpr auto kUsed = masks(&Map::used);
  static constexpr auto kStored = masks(&Map::stored);
  static constexpr auto kCounted = masks(&Map::counted);
  static constexpr auto kToTop = masks(&Map::to_top);
  static constexpr auto kTop = masks(&Map::top);
  static constexpr auto offsets() {
    std::array<unsigned, kChunks + 1> out{};
    for (std::size_t i = 0; i < kChunks; ++i) out[i + 1] = out[i] + static_cast<unsigned>(std::popcount(kUsed[i]));
    return out;
  }
  static constexpr auto kOffset = offsets();
  static constexpr std::size_t kLongs = (kOffset[kChunks] + 63) / 64 == 0 ? 1 : (kOffset[kChunks] + 63) / 64;

 public:
  static constexpr unsigned kBits = kOffset[kChunks];
  static constexpr unsigned kWords = kBits <= 32 ? 1 : (kBits + 31) / 32;

  static void pack(const Type& value, std::uint32_t* words) {
    std::uint64_t in[kChunks] = {};
    std::memcpy(in, &value, sizeof(Type));
    std::uint64_t out[kLongs + 1] = {};
    for_each_index<kChunks>([&](auto index) { put(index, in[index], out); });
    std::memcpy(words, out, kWords * sizeof(std::uint32_t));
  }

  static void unpack(const std::uint32_t* words, Type& value) {
    std::uint64_t in[kLongs + 1] = {};
    std::memcpy(in, words, kWords * sizeof(std::uint32_t));
    std::uint64_t out[kChunks];
    for_each_index<kChunks>([&](auto index) { out[index] = get(index, in); });
    std::memcpy(&value, out, sizeof(Type));
  }

 private:
  [[gnu::always_inline]] static void put(std::size_t index, std::uint64_t chunk, std::uint64_t* out) {
    const std::uint64_t mask = kUsed[index];
    bool outside = (chunk & kStored[index] & ~mask) != 0;
    if (kTop[index] != 0) outside |= (((chunk & kCounted[index]) + kToTop[index]) & kTop[index]) != 0;
    if (outside) throw std::out_of_range("a field of the state holds a value outside of its declared range");
    if (mask == 0) return;
    const unsigned at = kOffset[index] % 64;
    const std::size_t number = kOffset[index] / 64;
    const std::uint64_t bits = extract_bits(chunk, mask);
    out[number] |= bits << at;
    if (at + static_cast<unsigned>(std::popcount(mask)) > 64) out[number + 1] |= bits >> (64 - at);
  }

  [[gnu::always_inline]] static std::uint64_t get(std::size_t index, const std::uint64_t* in) {
    const std::uint64_t mask = kUsed[index];
    if (mask == 0) return 0;
    const unsigned at = kOffset[index] % 64;
    const std::size_t number = kOffset[index] / 64;
    std::uint64_t bits = in[number] >> at;
    if (at + static_cast<unsigned>(std::popcount(mask)) > 64) bits |= in[number + 1] << (64 - at);
    return deposit_bits(bits, mask);
  }
};

}  // namespace tarry::detail
