// Programs with marks: /*E22*/ stands right before the token that the error E22 has to be told at. A program without marks has to
// compile without a word.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/p_source.h"

namespace tarry::plang::testing_support {

/// "E22 3:14", in the order of the text.
std::vector<std::string> told(const Compiled& compiled);

/// Is exactly what is marked told, warnings included?
testing::AssertionResult as_marked(const std::string& program);

/// The same for statements: they become the entry of a machine, after some declarations (marked.cc).
testing::AssertionResult body_as_marked(const std::string& body);
/// The same for what is put into the machine.
testing::AssertionResult member_as_marked(const std::string& member);
/// The same for what is put beside the machine.
testing::AssertionResult global_as_marked(const std::string& declarations);

}  // namespace tarry::plang::testing_support
