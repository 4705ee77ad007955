#include "failures.h"

namespace pipeline {

void Failures::note(const TextError& error) {
  std::lock_guard hold(lock_);
  lines_.insert(error.line());
}

void Failures::fail(std::exception_ptr failure) {
  std::lock_guard hold(lock_);
  if (failed_) return;
  failure_ = failure;
  failed_ = true;
}

std::vector<int> Failures::lines() const {
  std::lock_guard hold(lock_);
  return {lines_.begin(), lines_.end()};
}

void Failures::rethrow() const {
  std::lock_guard hold(lock_);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace pipeline
