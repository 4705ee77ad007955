// Limits that Tarry inherits from the shell or the job that started it (setrlimit), in words: a limit of the environment is no fault of Tarry.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace tarry::process {

/// Returns what a call that failed with this error number ran into, and what lifts it: "the address space of a process is limited to 1.0 GiB (RLIMIT_AS);
/// lift the limit with 'ulimit -v unlimited'". Returns nothing if no limit of that kind is set.
std::optional<std::string> limit_behind(int error);

/// The same for an exception that says that memory, a process or a file could not be had, with what it says in front.
std::optional<std::string> limit_behind(const std::exception& exception);

/// The same for a process that a signal ended (`status` as waitpid gives it) after it had used the processor for `seconds`: by the limit of processor
/// time, or of the size of a file.
std::optional<std::string> limit_behind_death(int status, double seconds);

/// Returns the time of the processor that a process used.
double processor_seconds(const rusage& usage);

/// Returns why a process cannot have this much address space, memory or files of this size; nothing if it can.
std::optional<std::string> too_small_limit(std::uint64_t address_space, std::uint64_t data, std::uint64_t file);

/// Makes writes past the limit of the size of a file fail with EFBIG, instead of ending the tool. Programs that the tool starts have the disposition of
/// SIGXFSZ that the tool inherited.
void fail_at_limit_of_files();
/// The same for a child that does not become another program.
void end_at_limit_of_files();

}  // namespace tarry::process
