// The border between Tarry and the foreign functions of a P program: plain data and plain functions, so that an object built by another
// compiler, or against an older header, is recognised and refused instead of crashing.
//
// An object exports one function, `tarry_foreign_v1`, which fills in a `ForeignTable`. Everything here comes from the TARRY_FOREIGN
// macro of <tarry/foreign.h>; nobody writes it by hand.
//
// Values cross the border as bytes, because then neither side needs to know how the other keeps them. Numbers are written with the most
// significant byte first. A value is its kind and then
//   null           nothing
//   bool           1 byte
//   int, float     8 bytes; a float is its IEEE bits
//   string, event  32-bit size, bytes; an event is its name
//   machine        what it may be sent (32 bits), number of ancestors (32 bits), of each, the first one first, two 32-bit numbers:
//                  which child of the one before it is, and through which interface. The same in every execution.
//   seq, set, map  32-bit size, elements (of a map: key, value, key, value, …)
//   tuple          32-bit size, items
//   named tuple    32-bit size, names and items by turns; a name is a size and bytes
//   foreign        size and name of the type, size and bytes of the value
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::abi {

inline constexpr std::uint32_t kForeignMagic = 0x46525254;  // "TRRF"
inline constexpr std::uint32_t kForeignVersion = 1;
inline constexpr std::uint32_t kAnyArity = ~std::uint32_t{0};

enum class ForeignKind : std::uint8_t { kNull, kBool, kInt, kFloat, kString, kEvent, kMachine, kSeq, kSet, kMap, kTuple, kNamedTuple, kForeign };
inline constexpr std::uint8_t kForeignKinds = 13;

/// One call. The function calls exactly one of `result` and `problem`, once; what they are given is copied.
struct ForeignCall {
  const char* arguments;  // one value after the other
  std::size_t size;
  void* self;
  void (*result)(void* self, const char* data, std::size_t size);
  void (*problem)(void* self, const char* text, std::size_t size);
};

/// Nothing is thrown across the border.
struct ForeignFunction {
  const char* name;     // "AddToQueue", or "Server.Pick" for a method
  std::uint32_t arity;  // kAnyArity: whatever the program says
  void (*call)(ForeignCall* call);
  const ForeignFunction* next;
};

/// How values of a foreign type are shown: `text` gets one value and gives a string.
struct ForeignType {
  const char* name;
  void (*text)(ForeignCall* call);
  const ForeignType* next;
};

struct ForeignTable {
  std::uint32_t magic;
  std::uint32_t version;
  const ForeignFunction* functions;
  const ForeignType* types;
};

}  // namespace tarry::abi
