// One way to crash by an access, an instruction or a call that is not allowed, by name; with a second argument in main, else in a
// thread.
#include <fenv.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "cases.h"

// Neither static nor const: the compiler may not know their values.
volatile int zero;
volatile int* null;

// A write through a null pointer.
void writes_null() { *null = 1; }

// A call of a null pointer.
void calls_null() { reinterpret_cast<Function>(null)(); }

// A call of an address where nothing is mapped.
void calls_unmapped() { reinterpret_cast<Function>(0x123456789)(); }

// A write to an address beyond the lower half of the address space.
void writes_beyond_lower_half() { *reinterpret_cast<volatile int*>(0xdead0000dead) = 1; }

// A write to an address that the processor cannot form.
void writes_noncanonical() { *reinterpret_cast<volatile int*>(0xdead0000deadbeef) = 1; }

// A floating-point division by zero, made to trap.
void divides_trapping() {
  feenableexcept(FE_DIVBYZERO);
  volatile double number = 0;
  number = 1 / number;
}

// An illegal instruction.
void traps() { __builtin_trap(); }

// A breakpoint without a debugger.
void breakpoint() { asm volatile("int3"); }

// A read of a mapped file beyond its end.
void reads_beyond_file() {
  FILE* empty = tmpfile();
  char* page = static_cast<char*>(mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fileno(empty), 0));
  zero = page[0];
}

// A recursion without end.
__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[1000];
  frame[depth % 1000] = 1;
  return depth == 0 ? 0 : recurse(depth + 1) + frame[3];
}
void overflows_stack() { recurse(1); }

// Not a crash: a frame of 6 MiB fits the stack.
void deep_frame() {
  volatile char frame[6 << 20];
  frame[0] = 1;
  zero = frame[0];
}

// A write beyond an array, over the return address.
__attribute__((noinline)) void smashes_frame() {
  volatile char small[8];
  volatile char* place = small;
  for (int i = 0; i < 64; i++) place[i] = 1;
}

// A write to the program's own code.
void writes_code() { *reinterpret_cast<volatile char*>(&writes_code) = 1; }

// A crash with neither a stack nor a frame to tell it from.
void ruins_stack() { asm volatile("mov $0x10,%%rbp; mov $0x1000,%%rsp; movl $1,0" ::: "memory"); }

// A call of a pure virtual method, from the constructor of the base.
struct Base {
  Base() { call(); }
  virtual ~Base() {}
  void call() { method(); }
  virtual void method() = 0;
};
struct Derived : Base {
  void method() override {}
};
void calls_pure_virtual() { Derived derived; }

// free() of an address inside of a block.
void frees_inside() { free(static_cast<char*>(malloc(10)) + 16); }

// A lock of a mutex that is a null pointer.
void locks_null() { pthread_mutex_lock(nullptr); }

const Case kCases[] = {
    {"segv", writes_null},
    {"call", calls_null},
    {"wildcall", calls_unmapped},
    {"noncanon", writes_noncanonical},
    {"ffpe", divides_trapping},
    {"ill", traps},
    {"int3", breakpoint},
    {"bus", reads_beyond_file},
    {"overflow", overflows_stack},
    {"deepok", deep_frame},
    {"code", writes_code},
    {"ruin", ruins_stack},
    {"pure", calls_pure_virtual},
    {"freebad", frees_inside},
    {"null lock", locks_null},
    {"wild", writes_beyond_lower_half},
    {"smash", smashes_frame},
};

int main(int, char** arguments) { run_in_main_or_thread(find_case(kCases, arguments).run, arguments); }
