// The numbers of the process, of its threads and of the process above it are the same in every execution (posix/identity.h), so the
// kernel does not know them. They become the kernel's on the way in and the program's on the way out: in arguments, in names of files
// below /proc, and in what locks and sockets tell about their owners.
#pragma once

#include <sys/types.h>

namespace tarry::native::rt {

/// A system call of the program as the kernel understands it. The arguments that the program gave stay as they are.
class KernelCall {
 public:
  KernelCall(long number, const long (&seen)[6]);
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;

  const long (&arguments() const)[6] { return arguments_; }
  /// The result as the program sees it; what the kernel wrote into memory is put right as well.
  long told(long result) const;

 private:
  void name_file(int argument);

  static constexpr int kLongest = 128;  // of the names below /proc
  long number_;
  long arguments_[6];
  char path_[kLongest];
};

/// The program has asked for a number by which others could know it.
void number_is_known();
bool knows_number();

/// In a child that the program made by fork, once: its numbers are real ones, and only that of its parent is not.
void forked_from(pid_t process);
/// A number that a child has or was told by its parent, or that a constructor has before main: as the kernel knows it.
pid_t number_in_child(pid_t seen);
/// The number of a child's parent, as the child sees it.
pid_t parent_in_child(pid_t real);

}  // namespace tarry::native::rt
