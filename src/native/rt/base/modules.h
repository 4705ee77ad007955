// What is loaded into the process: where the program's data lies, and where an address belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/abi/messages.h"
#include "native/rt/base/pages.h"

namespace tarry::native::rt {

/// Reads the list, before control is taken.
void find_modules();

/// Returns where to map the file of a library that the program loads while it runs (dlopen). Each has an address of its own, by its path, so that its
/// places have the same numbers whenever and in whatever order such libraries are loaded. 0: wherever there is room.
std::uintptr_t address_for_library(int file, std::size_t size);
/// Tells whether the address is kept for such a library.
bool is_of_late_library(std::uintptr_t address);

/// Whose module an address lies in.
enum class Home {
  kNone,         // in no module that was loaded before main
  kRuntime,      // Tarry's own
  kProgram,      // instrumented code
  kCxx,          // the standard library of C++
  kLibc,
  kMathematics,  // libm
  kSupport,      // what compilers bring with them, and the dynamic linker
  kOther,
};
Home home_of(std::uintptr_t address);
/// The same of an address of code; kNone of others.
Home home_of_code(std::uintptr_t address);
/// Data of a module that the program may write to.
bool is_writable_data(std::uintptr_t address);

bool in_runtime(std::uintptr_t pc);
bool is_in_linker(std::uintptr_t pc);  // the dynamic linker
/// Code that is instrumented, or of the standard library of C++: what it has other functions access, it accesses.
bool tells_accesses(std::uintptr_t pc);
/// State of the standard library of C++ itself: the standard streams, which all threads may use at the same time, and what it keeps in its own data.
bool is_of_cxx_library(std::uintptr_t address);
/// How a standard stream is set: format, error state, tie, buffer. Threads may change and use it at the same time, and the order matters.
bool is_state_of_stream(std::uintptr_t address);
/// The first frame in code that is the user's rather than a system library's; the first one if there is none.
std::uintptr_t first_of_program(const std::vector<std::uintptr_t>& stack);

Place place_of(std::uintptr_t address);
/// The file that is mapped there; readable in a signal handler.
const char* file_of(std::uintptr_t address);
/// A place as one number, the same in every process that runs this program; and back to an address of this process.
std::uint64_t number_of(std::uintptr_t address);
std::uintptr_t address_of(std::uint64_t number);
std::uintptr_t address_of(const Place& place);

std::vector<Module> modules();

/// Writable data of the runtime itself.
struct DataRange {
  char* from;
  char* to;
};
Stack stack_of_places(const std::vector<std::uintptr_t>& stack);
DataRange data_of_runtime();
/// Its code.
struct CodeRange {
  std::uintptr_t from;
  std::uintptr_t to;
};
CodeRange code_of_runtime();

/// Memory that was there at the baseline, private and writable: data of the program and its libraries, what the loader made for itself, what was mapped
/// before main. Without the two heaps, the runtime's own data, and what `excepted` has.
void add_memory_of_program(Pages& pages, const std::vector<DataRange>& excepted);

}  // namespace tarry::native::rt
