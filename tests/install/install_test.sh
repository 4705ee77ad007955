#!/usr/bin/env bash
# An installed Tarry is complete: an outside project finds it, builds models with it, and checks them with the installed tool.
set -euo pipefail

fail() {
  echo "install_test: $*" >&2
  exit 1
}
expect_exit() {
  local expected=$1 actual=0
  shift
  "$@" >"$work/output" 2>&1 || actual=$?
  if [[ $actual != "$expected" ]]; then
    cat "$work/output" >&2
    fail "'$*' exited with $actual, expected $expected"
  fi
}

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
prefix=$work/prefix
cmake --install "$BUILD_DIR" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; fail "cmake --install failed"; }
libdir=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt")

for file in bin/tarry include/tarry/model.h include/tarry/model_abi.h "$libdir/cmake/tarry/tarryConfig.cmake" \
  "$libdir/cmake/tarry/tarryConfigVersion.cmake" share/man/man1/tarry.1 share/bash-completion/completions/tarry; do
  [[ -f $prefix/$file ]] || fail "'$file' was not installed"
done
(cd "$SOURCE_DIR/include" && find tarry -name '*.h' | sort) >"$work/headers"
(cd "$prefix/include" && find tarry -type f | sort) | diff "$work/headers" - || fail "other headers were installed than there are"

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt")
printed=$("$prefix/bin/tarry" --version)
[[ $printed == "tarry $version" ]] || fail "'tarry --version' printed '$printed', expected 'tarry $version'"
grep -q "\"tarry $version\"" "$prefix/share/man/man1/tarry.1" || fail "the man page is for another version"
# The man page and the completions have every option, because the tool itself lists them.
man_text=$(sed 's/\\-/-/g; s/\\f[BIR]//g' "$prefix/share/man/man1/tarry.1")
for command in check replay verify run schedules p list; do
  while IFS=$'\t' read -r name _; do
    grep -qE -- "(^|, )$name( |,|\$)" <<<"$man_text" || fail "the man page lacks '$name' of 'tarry $command'"
  done < <("$prefix/bin/tarry" "$command" --words)
done
grep -q '@' <<<"$man_text" && fail "a place in the man page was not filled in"
complete_words() {  # the words that bash offers at the end of a command line
  PATH=$prefix/bin:$PATH bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tarry tarry "${@: -1}" "${@: -2:1}"; echo "${COMPREPLY[*]}"' _ \
    "$prefix/share/bash-completion/completions/tarry" "$@" 2>/dev/null
}
offers() {  # WORDS COMMAND…: what is offered for the last word of the command
  local expected=$1
  shift
  [[ $(complete_words "$@") == "$expected" ]] || fail "bash completes '$*' by '$(complete_words "$@")', expected '$expected'"
}
offers "check" tarry che
offers "--max-steps --max-depth --max-delays --max-preemptions" tarry check --max-
offers "error note ignore" tarry check --samaritan ""
offers "iterative-ndfs iterative-random-walk" tarry check --search iter
offers "round-robin" tarry check --explorer rou
offers "--schedules" tarry run --sch
offers "searches" tarry list se

# A home of its own, so that nothing comes from this source tree by way of a cache.
export HOME=$work/home XDG_CACHE_HOME=$work/home/cache
mkdir -p "$HOME" "$work/outside"
cd "$work/outside"
cat >race.cpp <<'EOF'
#include <tarry/model.h>

#ifndef LOCKED
#define LOCKED 0
#endif

/// Two processes increment a counter, in one step (LOCKED) or by reading it and then writing it.
struct Race {
  struct State {
    tarry::Upto<2> pc[2];
    tarry::Upto<2> copy[2];
    tarry::Upto<2> total;
    TARRY_FIELDS(pc, copy, total)
  };
  static constexpr int processes = 2;

  State initial() { return {}; }

  void step(State& s, int p, tarry::Run& run) {
    if (s.pc[p] == 2) return run.ended();
    if (LOCKED) {
      s.pc[p] = 2;
      s.total = s.total + 1;
      return;
    }
    if (s.pc[p] == 0) {
      s.copy[p] = s.total;
      s.pc[p] = 1;
      return;
    }
    s.total = s.copy[p] + 1;
    s.pc[p] = 2;
  }
  void at_end(const State& s, tarry::Run& run) { run.expect(s.total == 2, "an update was lost: total is {}", s.total); }
};
TARRY_MODEL(Race)
EOF
cat >deposit.cpp <<'EOF'
#include <cassert>
#include <mutex>
#include <thread>
std::mutex mutex;
int balance;
int read() { std::lock_guard lock(mutex); return balance; }
void write(int value) { std::lock_guard lock(mutex); balance = value; }
int main(int words, char**) {
  const auto deposit = [&] { write(read() + 1); };
  std::thread other(deposit);
  if (words > 1) other.join();
  deposit();
  if (words == 1) other.join();
  assert(balance == 2);
}
EOF
# Two libraries and a GoogleTest program, which is checked test by test.
cat >lock.cpp <<'EOF'
#include <mutex>
static std::mutex mutex;
void lock() { mutex.lock(); }
void unlock() { mutex.unlock(); }
EOF
cat >counter.cpp <<'EOF'
void lock();
void unlock();
static int total;
int counted() { lock(); const int now = total; unlock(); return now; }
void count() { const int now = counted(); lock(); total = now + 1; unlock(); }
EOF
cat >counter_test.cpp <<'EOF'
#include <gtest/gtest.h>
#include <thread>
int counted();
void count();
TEST(Counter, CountsOne) { std::thread a(count); a.join(); EXPECT_EQ(counted(), 1); }
TEST(Counter, CountsTwo) { std::thread a(count); count(); a.join(); EXPECT_EQ(counted(), 2); }
EOF
# A copy of a constant size, which gcc writes in line unless it is told not to.
cat >copies.cpp <<'EOF'
#include <tarry/test.h>

#include <cstring>
#include <thread>
char from[24], to[24];
int main() { std::thread other([] { std::memcpy(to, from, sizeof(to)); }); const int seen = to[3]; other.join(); return seen; }
EOF
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
find_package(tarry ${VERSION} REQUIRED)
tarry_add_model(race race.cpp)
tarry_add_model(no_race race.cpp DEFINITIONS LOCKED=1)
if(COMMAND tarry_add_test)
  find_package(Threads REQUIRED)
  enable_testing()
  add_executable(deposit deposit.cpp)
  set_target_properties(deposit PROPERTIES CXX_STANDARD 17)
  target_link_libraries(deposit Threads::Threads)
  tarry_add_test(one_after_the_other deposit OPTIONS --time 30s --fail-unless-verified ARGS serial)
  tarry_add_test(both_at_once deposit OPTIONS --time 30s)
  add_executable(copies copies.cpp)
  target_compile_options(copies PRIVATE -O2 -Wall -Wextra -Werror)
  target_link_libraries(copies Threads::Threads)
  tarry_add_test(copies_are_seen copies OPTIONS --time 30s)
  find_package(GTest REQUIRED)  # another package, after ours
  add_library(lock SHARED lock.cpp)
  add_library(counter STATIC counter.cpp)
  target_link_libraries(counter PUBLIC lock Threads::Threads)
  add_executable(counter_test counter_test.cpp)
  set_target_properties(counter_test PROPERTIES CXX_STANDARD 17)
  target_link_libraries(counter_test counter GTest::gtest_main)
  tarry_instrument(lock counter)
  tarry_add_test(counts_one counter_test OPTIONS --time 30s --fail-unless-verified --testcase Counter.CountsOne)
  tarry_add_test(counts counter_test OPTIONS --time 30s)
endif()
if(NOT EXISTS "${TARRY_EXECUTABLE}")
  message(FATAL_ERROR "TARRY_EXECUTABLE is '${TARRY_EXECUTABLE}'")
endif()
EOF
{ cmake -G Ninja -S . -B build -DVERSION="$version" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$CXX" && cmake --build build -j2; } >build.log 2>&1 ||
  { cat build.log; fail "an outside project could not be built"; }
grep -q -- "-I.*$SOURCE_DIR\|-isystem $SOURCE_DIR" build/build.ninja && fail "the outside project sees the source tree"

expect_exit 1 "$prefix/bin/tarry" check build/race.so --time 30s
grep -q "an update was lost" "$work/output" || { cat "$work/output"; fail "the bug's message was not shown"; }
expect_exit 0 "$prefix/bin/tarry" check build/no_race.so --time 30s --fail-unless-verified
# The same from source: the installed tool finds the installed headers.
expect_exit 1 "$prefix/bin/tarry" check race.cpp --time 30s
expect_exit 0 "$prefix/bin/tarry" check race.cpp -D LOCKED=1 --time 30s --fail-unless-verified

# Programs with threads: the installed compiler, the installed runtime, tests of CTest.
[[ -e $prefix/$libdir/tarry/libtarry_rt.so ]] || exit 0  # a build without it (sanitizers)
for library in "$BUILD_DIR"/lib/libtarry_completion_*.so; do
  [[ ! -e $library || -e $prefix/$libdir/tarry/${library##*/} ]] || fail "${library##*/} is not installed"
done
for file in bin/tarry-cc bin/tarry-c++ "$libdir/tarry/link/libtsan.so" "$libdir/tarry/gdb.py"; do
  [[ -e $prefix/$file ]] || fail "'$file' was not installed"
done
expect_exit 0 "$prefix/bin/tarry-c++" -std=c++17 -pthread deposit.cpp -o by_hand
readelf -d by_hand | grep -q libtsan && fail "a program of tarry-c++ needs libtsan"
expect_exit 0 ./by_hand
expect_exit 1 "$prefix/bin/tarry" check ./by_hand --time 30s
expect_exit 0 ctest --test-dir build -R one_after_the_other
expect_exit 8 ctest --test-dir build -R both_at_once
expect_exit 8 ctest --test-dir build --output-on-failure -R copies_are_seen
grep -q "data race on to" "$work/output" || { cat "$work/output"; fail "a copy of constant size was not seen"; }
for file in counter_test liblock.so; do
  readelf -d "build/$file" | grep -q 'libtsan\.so\.' && fail "'$file' of an outside project needs libtsan"
done
expect_exit 0 ctest --test-dir build -R counts_one
expect_exit 8 ctest --test-dir build --output-on-failure -R 'counts$'
grep -q "test Counter.CountsOne" "$work/output" && grep -q "test Counter.CountsTwo" "$work/output" || { cat "$work/output"; fail "a GoogleTest program was not checked test by test"; }
grep -q "/lock.cpp:" "$work/output" || { cat "$work/output"; fail "the trace has no line of an instrumented library"; }
