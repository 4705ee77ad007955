// The tool stops an execution in the middle of a step: the time is up, or the step waits in the kernel for something that will not happen.
#pragma once

#include <cstdint>

#include "native/rt/base/raw.h"

namespace tarry::native::rt {

/// From now on a signal of the tool's is understood (abi/protocol.h, Ask).
void listen_to_tool();

/// For a scope: the kernel performs a system call for the program, which may block there.
class InKernel {
 public:
  explicit InKernel(long number);
  ~InKernel();
  InKernel(const InKernel&) = delete;
  InKernel& operator=(const InKernel&) = delete;
};

/// The system call, as the program made it.
inline long pass_to_kernel(long number, const long (&a)[6]) {
  const InKernel call(number);
  return raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

}  // namespace tarry::native::rt
