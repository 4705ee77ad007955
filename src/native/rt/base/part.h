// For the file that defines a part of the runtime (runtime.h): `template struct RoomOf<P>;` there makes the room of the part P, and does not compile unless P says
// what becomes of it between two executions. It has `void reset()`, or it is `Kept`.
#pragma once

#include <concepts>
#include <type_traits>

#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

template <class P>
concept Resettable = requires(P part) {
  { part.reset() } -> std::same_as<void>;
};

template <class P>
constinit P RoomOf<P>::part{};  // there before any constructor runs: functions that the runtime takes over are called then

template <class P>
void RoomOf<P>::reset() {
  static_assert(std::is_base_of_v<Kept, P> == KeptParts::kHas<P>, "a part of the runtime is 'Kept' if it is listed so");
  static_assert(Resettable<P> != KeptParts::kHas<P>, "a part of the runtime has a function 'void reset()', or is 'Kept'");
  static_assert(std::is_trivially_destructible_v<P>, "a part of the runtime lives as long as the process: what has a destructor is 'Lasting'");
  if constexpr (Resettable<P>) part.reset();
}

}  // namespace tarry::native::rt
