// Each example is included in a namespace of its own. Their TARRY_MODEL then makes a function there instead of a symbol.
#include "tests/explore/example_models.h"

#include <array>
#include <cstdint>
#include <string>

#include <tarry/model.h>

#undef TARRY_MODEL
#define TARRY_MODEL(Type)                                                                                   \
  inline const ::tarry::abi::Model& model() {                                                               \
    static constexpr ::tarry::abi::Model kTable = ::tarry::detail::Adapter<Type>::table(#Type, __FILE__);   \
    return kTable;                                                                                          \
  }

namespace spin_wait {
#define N 3
#include "examples/models/spin_wait.cpp"
#undef N
#undef BUG
}  // namespace spin_wait
namespace philosophers {
#define N 3
#include "examples/models/philosophers.cpp"
#undef N
#undef BUG
#undef TRYLOCK
}  // namespace philosophers
namespace philosophers_try {
#define N 3
#define TRYLOCK 1
#include "examples/models/philosophers.cpp"
#undef N
#undef BUG
#undef TRYLOCK
}  // namespace philosophers_try
namespace philosophers_bug {
#define N 3
#define BUG 1
#include "examples/models/philosophers.cpp"
#undef N
#undef BUG
#undef TRYLOCK
}  // namespace philosophers_bug
namespace lcr {
#include "examples/models/lcr.cpp"
#undef N
#undef BUG
}  // namespace lcr
namespace lcr_bug {
#define BUG 1
#include "examples/models/lcr.cpp"
#undef N
#undef BUG
}  // namespace lcr_bug
namespace lelann {
#define N 3
#include "examples/models/lelann.cpp"
#undef N
#undef BUG
}  // namespace lelann
namespace german {
#define N 2
#include "examples/models/german.cpp"
#undef N
#undef BUG
}  // namespace german
namespace german_bug {
#define N 2
#define BUG 1
#include "examples/models/german.cpp"
#undef N
#undef BUG
}  // namespace german_bug
namespace two_phase_commit {
#define N 1
#include "examples/models/two_phase_commit.cpp"
#undef N
#undef BUG
}  // namespace two_phase_commit
namespace bounded_buffer {
#include "examples/models/bounded_buffer.cpp"
#undef N
#undef K
#undef SIZE
#undef NOTIFY_ALL
#undef BUG
}  // namespace bounded_buffer
namespace bounded_buffer_bug {
#define BUG 2
#include "examples/models/bounded_buffer.cpp"
#undef N
#undef K
#undef SIZE
#undef NOTIFY_ALL
#undef BUG
}  // namespace bounded_buffer_bug
namespace readers_writers {
#include "examples/models/readers_writers.cpp"
#undef R
#undef W
#undef K
#undef BUG
}  // namespace readers_writers

namespace tarry::test {

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"spin_wait N=3", spin_wait::model(), 35},
      {"philosophers N=3", philosophers::model(), 124},
      {"philosophers N=3 TRYLOCK", philosophers_try::model(), 269},
      {"philosophers N=3 BUG=1", philosophers_bug::model(), 0},
      {"lcr", lcr::model(), 806},
      {"lcr BUG=1", lcr_bug::model(), 0},
      {"lelann N=3", lelann::model(), 644},
      {"german N=2", german::model(), 2799},
      {"german N=2 BUG=1", german_bug::model(), 0},
      {"two_phase_commit N=1", two_phase_commit::model(), 1404},
      {"bounded_buffer", bounded_buffer::model(), 2991},
      {"bounded_buffer BUG=2", bounded_buffer_bug::model(), 0},
      {"readers_writers", readers_writers::model(), 2813},
  };
  return all;
}

}  // namespace tarry::test
