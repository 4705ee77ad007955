// GoogleTest in a recorded execution: which steps and lines of output are its own, and which expectation failed.
//
// A program that fails by GoogleTest only has an exit code to show for it. What the user wants to know is in the output.
#pragma once

#include <optional>
#include <string>

#include "native/abi/messages.h"
#include "native/driver/symbols.h"

namespace tarry::native {

bool runs_google_test(const Answer& answer);

/// Locks and guards of GoogleTest itself: nothing that a test is about.
bool is_google_tests(const RecordedStep& step, Symbols& symbols);

/// Without the lines in which it says what it runs and how many failed.
std::string without_banner(const std::string& output);

struct FailedExpectation {
  std::string location;  // "queue_test.cpp:31"
  std::string text;      // in one line
};
/// The first one of the execution.
std::optional<FailedExpectation> failed_expectation(const Answer& answer);

}  // namespace tarry::native
