// In the engine, who waits for a few instructions of another worker tells the processor so (`pause`). Under Tarry it tells the scheduler:
// a thread that spins without yielding is a finding of its own (good-samaritan). Included before everything else.
#pragma once

#include <sched.h>
#include <xmmintrin.h>

#undef _mm_pause
#define _mm_pause() static_cast<void>(::sched_yield())
