#include "native/driver/host_machine.h"

#include <gtest/gtest.h>

#include "native/abi/protocol.h"

namespace tarry::native {
namespace {

TEST(HostMachine, OnlyX86WithGlibcIsNotRefused) {
  EXPECT_EQ(refusal({"x86-64", "glibc"}), std::nullopt);
  for (const HostMachine& other : {HostMachine{"AArch64", "glibc"}, HostMachine{"x86-64", "another C library"}}) {
    const auto why = refusal(other);
    ASSERT_TRUE(why);
    EXPECT_EQ(*why, "programs with threads can be checked on x86-64 with glibc only, and this is " + other.architecture + " with " + other.libc +
                        "; C++ models and P programs can be checked here");
  }
}

TEST(HostMachine, WhatIsNamedIsDoneWithout) {
  const std::uint32_t here = machine_lacks("");
  EXPECT_EQ(machine_lacks("fsgsbase"), here | kNoFsgsbase);
  EXPECT_EQ(machine_lacks("dispatch,personality"), here | kNoDispatch | kNoFixedAddresses);
  EXPECT_EQ(machine_lacks("fsgsbasement,"), here);
  EXPECT_EQ(words_for_lacks(kNoFsgsbase | kNoFixedAddresses).size(), 2u);
  EXPECT_TRUE(words_for_lacks(0).empty());
}

}  // namespace
}  // namespace tarry::native
