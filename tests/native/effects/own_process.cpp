// One thing done outside of the program's memory that cannot be undone, by name, in one of two threads.
// Each execution needs a process of its own.
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>

#include "cases.h"

// A page of the program's own data made read-only.
alignas(4096) char data[8192];
void protects_data() {
  assert(mprotect(data, 4096, PROT_READ) == 0);
  printf("p");
}

// A child that prints and ends, waited for.
void forks() {
  const int child = fork();
  if (child == 0) {
    printf("c");
    fflush(stdout);
    _exit(4);
  }
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WEXITSTATUS(status) == 4);
  printf("p");
}

// Commands run by the shell.
void runs_commands() {
  const int status = system("exit 3");
  assert(WEXITSTATUS(status) == 3);
  printf("s");
  fflush(stdout);
  system("echo hi");
}

// A command whose output is read.
void reads_from_command() {
  FILE* output = popen("echo a b", "r");
  char line[20] = {};
  assert(fgets(line, sizeof line, output) != nullptr);
  printf("%s", line);
  pclose(output);
}

// Another program in place of this one.
void becomes_shell() { execl("/bin/sh", "sh", "-c", "echo exec; exit 5", nullptr); }

// The signal of a timer of processor time, waited for without a call.
volatile int ticks;
void counts_tick(int) { ticks = ticks + 1; }
void waits_for_timer() {
  signal(SIGPROF, counts_tick);
  itimerval soon{};
  soon.it_value.tv_usec = 1000;
  setitimer(ITIMER_PROF, &soon, nullptr);
  while (ticks == 0) {
  }
  printf("t");
}

// A socket to the world.
void makes_socket() {
  assert(socket(AF_INET, SOCK_DGRAM, 0) >= 0);
  printf("k");
}

const Case kCases[] = {
    {"mprot", protects_data},
    {"fork", forks},
    {"system", runs_commands},
    {"popen", reads_from_command},
    {"exec", becomes_shell},
    {"timer", waits_for_timer},
    {"socket", makes_socket},
};

int main(int, char** arguments) {
  run_in_turns(nothing, find_case(kCases, arguments).run);
  puts("");
}
