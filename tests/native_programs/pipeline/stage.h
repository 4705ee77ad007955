// A stage takes items from one ring, works on them, and puts what comes of it into the next one. It runs in a thread of its own.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "failures.h"
#include "spsc_ring.h"

namespace pipeline {

inline constexpr std::size_t kRing = 4;

template <class T>
using Ring = SpscRing<T, kRing>;

/// Runs `body`, and then, whatever happened, `at_end`. What it throws is a failure of the whole run.
template <class Body, class AtEnd>
std::jthread run_stage(Failures& failures, Body body, AtEnd at_end) {
  return std::jthread([&failures, body = std::move(body), at_end = std::move(at_end)]() mutable {
    try {
      body();
    } catch (...) {
      failures.fail(std::current_exception());
    }
    at_end();
  });
}

/// `work(In) -> std::optional<Out>`; nothing: the item is left out.
template <class In, class Out, class Work>
std::jthread transform_stage(Failures& failures, Ring<In>& in, Ring<Out>& out, Work work) {
  return run_stage(
      failures,
      [&failures, &in, &out, work = std::move(work)]() mutable {
        while (std::optional<In> item = in.pop()) {
          if (failures.failed()) return;
          try {
            if (std::optional<Out> result = work(std::move(*item)))
              if (!out.push(std::move(*result))) return;
          } catch (const TextError& error) {
            failures.note(error);
          }
        }
      },
      [&in, &out] {
        in.abandon();
        out.close();
      });
}

}  // namespace pipeline
