// One way to end by asking for it, by a signal or by an exception, by name; with a second argument in main, else in a thread.
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

#include "cases.h"

// Not static: the compiler may not know that it stays null.
volatile int* null;

// abort().
void aborts() { abort(); }

// abort() with a handler that returns: the program ends all the same.
void writes_h(int) { write(1, "H", 1); }
void aborts_with_handler() {
  signal(SIGABRT, writes_h);
  abort();
}

// An exception that nobody catches; its text is told.
void throws() { throw std::runtime_error("the text"); }

// An exception of the library that nobody catches.
void throws_out_of_range() { std::vector<int>().at(3); }

// std::terminate without an exception.
void terminates() { std::terminate(); }

// exit() with a code other than 0 is an end like any other.
void exits() { exit(3); }

// _exit(), past all handlers.
void exits_at_once() { _exit(3); }

// quick_exit() with a handler of its own.
void exits_quickly() {
  at_quick_exit([] { write(1, "Q", 1); });
  quick_exit(3);
}

// A static object whose destructor locks, when exit has begun.
struct LocksWhenGone {
  ~LocksWhenGone() {
    std::lock_guard guard(turn);
    printf("static gone\n");
  }
};
void locks_at_exit() { static LocksWhenGone object; }

// A signal without a handler, raised.
void raises_term() { raise(SIGTERM); }

// The signal of abort(), raised without it.
void raises_abort() { raise(SIGABRT); }

// A signal without a handler, sent to the own process.
void kills_itself() { kill(getpid(), SIGUSR1); }

// A write to a pipe that nobody reads.
void writes_unread() {
  int ends[2];
  pipe(ends);
  close(ends[0]);
  write(ends[1], "x", 1);
}

// A handler that jumps out of each of three crashes: no end at all.
sigjmp_buf before_crash;
int hits;
void jumps_out(int) {
  hits++;
  siglongjmp(before_crash, 1);
}
void survives_by_jump() {
  signal(SIGSEGV, jumps_out);
  for (int i = 0; i < 3; i++)
    if (sigsetjmp(before_crash, 1) == 0) *null = 1;
  assert(hits == 3);
  printf("ok\n");
}

// A handler that allows the access that failed, which is then done again: no end at all.
char* page;
void allows_page(int, siginfo_t*, void*) {
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  hits++;
}
void survives_by_repair() {
  page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = allows_page;
  sigaction(SIGSEGV, &action, nullptr);
  page[5] = 1;
  assert(page[5] == 1 && hits == 1);
  printf("ok\n");
}

// A handler that crashes itself.
void writes_null_again(int) { *null = 2; }
void crashes_in_handler() {
  signal(SIGSEGV, writes_null_again);
  *null = 1;
}

const Case kCases[] = {
    // Given up.
    {"abort", aborts},
    {"abrthandler", aborts_with_handler},
    {"throw", throws},
    {"at", throws_out_of_range},
    {"terminate", terminates},
    // Asked for.
    {"exit", exits},
    {"_exit", exits_at_once},
    {"quick", exits_quickly},
    {"exitlock", locks_at_exit},
    // Signals.
    {"raise", raises_term},
    {"raiseabrt", raises_abort},
    {"kill", kills_itself},
    {"pipe", writes_unread},
    {"handler", survives_by_jump},
    {"fix", survives_by_repair},
    {"handlercrash", crashes_in_handler},
};

int main(int, char** arguments) { run_in_main_or_thread(find_case(kCases, arguments).run, arguments); }
