#include "native/rt/base/context.h"

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

static_assert(ARCH_SET_FS == 0x1002 && SYS_arch_prctl == 158 && SYS_futex == 202);

namespace {
constexpr unsigned long kFsgsbaseBit = 1 << 1;  // of AT_HWCAP2: the kernel lets user code write the thread pointer
}  // namespace

bool tarry_rt_no_fsgsbase = (::getauxval(AT_HWCAP2) & kFsgsbaseBit) == 0;
