// store/growth_gate.h: who is alone is alone, also when two want it, and nobody waits for ever. The tables are a plain variable here: whoever gets
// at it while another one changes it is a data race.
//
// Scene 0: one grows it, one passes. Scene 1: two grow it. Scene 2: two grow it, one passes.
#include <tarry/test.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "store/growth_gate.h"

using tarry::Gate;
using tarry::Inside;

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  Gate gate;
  int table = 0;

  const auto passes = [&] {
    const Inside inside(gate);
    const int before = table;
    TARRY_EXPECT(before >= 0 && before <= 2);
    gate.pass();
    TARRY_EXPECT(table >= before);
  };
  const auto grows = [&] {
    const Inside inside(gate);
    const int before = table;
    gate.alone([&] {
      TARRY_EXPECT(table >= before);
      ++table;
    });
  };

  {
    std::vector<std::jthread> others;
    others.emplace_back(grows);
    if (scene == 2) others.emplace_back(grows);
    if (scene == 1) grows();
    else passes();
  }
  TARRY_EXPECT(table == (scene == 0 ? 1 : 2));
}
