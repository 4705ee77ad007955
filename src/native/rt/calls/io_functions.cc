// Functions that read and write through descriptors and streams, and those that the kernel fills structures for: accesses to their buffers count as accesses of
// their callers (told_access.h).
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>

#include "native/rt/posix/stream.h"
#include "native/rt/threads/told_access.h"

using namespace tarry::native::rt;

#define TARRY_IO(result, name, ...) TARRY_TAKEN_OVER_AS(result, told_##name, #name, __VA_ARGS__)

namespace {

/// Buffers in pieces. Where an access is a point, the pieces are told one after the other ahead of the call, or behind it.
void reads_pieces(const iovec* pieces, int count, std::uintptr_t who) {
  if (who == 0 || count <= 0 || count > 1024) return;
  reads(pieces, static_cast<std::size_t>(count) * sizeof(iovec), who);
  for (int i = 0; i < count; ++i) reads(pieces[i].iov_base, pieces[i].iov_len, who);
}
void writes_pieces(const iovec* pieces, int count, ssize_t written, std::uintptr_t who) {
  if (who == 0 || written <= 0) return;
  auto left = static_cast<std::size_t>(written);
  for (int i = 0; i < count && left > 0; ++i) {
    const std::size_t size = std::min(left, pieces[i].iov_len);
    writes(pieces[i].iov_base, size, who);
    left -= size;
  }
}

template <class Call>
ssize_t read_into(void* to, std::size_t size, std::uintptr_t who, const Call& call) {
  Landing landing(to, size, who);
  const ssize_t got = call(landing.at());
  if (got > 0) landing.written(std::min(static_cast<std::size_t>(got), size));
  return got;
}
template <class Call>
ssize_t write_from(const void* from, std::size_t size, std::uintptr_t who, const Call& call) {
  const Taken taken(from, size, who);
  return call(taken.at());
}
/// A structure that is filled if all goes well.
template <class T, class Call>
int fill(T* to, std::uintptr_t who, const Call& call) {
  Landing landing(to, sizeof(T), who);
  const int result = call(static_cast<T*>(landing.at()));
  if (result == 0) landing.written(sizeof(T));
  return result;
}

}  // namespace

// ---------------------------------------------------------------- descriptors

TARRY_IO(ssize_t, read, int file, void* to, std::size_t size) {
  return read_into(to, size, accessor(TARRY_CALLER), [&](void* at) { return TARRY_REAL(read)(file, at, size); });
}
TARRY_IO(ssize_t, __read_chk, int file, void* to, std::size_t size, std::size_t room) {
  using Real = ssize_t(int, void*, std::size_t, std::size_t);
  return read_into(to, size, accessor(TARRY_CALLER), [&](void* at) { return TARRY_REAL_AS(__read_chk, Real)(file, at, size, room); });
}
TARRY_IO(ssize_t, write, int file, const void* from, std::size_t size) {
  writes_to(file, TARRY_CALLER);
  return write_from(from, size, accessor(TARRY_CALLER), [&](const void* at) { return TARRY_REAL(write)(file, at, size); });
}
#define TARRY_POSITIONED(pread, pwrite, preadv, pwritev)                                                                                        \
  TARRY_IO(ssize_t, pread, int file, void* to, std::size_t size, off64_t offset) {                                                              \
    return read_into(to, size, accessor(TARRY_CALLER), [&](void* at) { return TARRY_REAL(pread)(file, at, size, offset); });                    \
  }                                                                                                                                             \
  TARRY_IO(ssize_t, pwrite, int file, const void* from, std::size_t size, off64_t offset) {                                                     \
    return write_from(from, size, accessor(TARRY_CALLER), [&](const void* at) { return TARRY_REAL(pwrite)(file, at, size, offset); });          \
  }                                                                                                                                             \
  TARRY_IO(ssize_t, preadv, int file, const iovec* pieces, int count, off64_t offset) {                                                         \
    const ssize_t got = TARRY_REAL(preadv)(file, pieces, count, offset);                                                                        \
    writes_pieces(pieces, count, got, accessor(TARRY_CALLER));                                                                                  \
    return got;                                                                                                                                 \
  }                                                                                                                                             \
  TARRY_IO(ssize_t, pwritev, int file, const iovec* pieces, int count, off64_t offset) {                                                        \
    reads_pieces(pieces, count, accessor(TARRY_CALLER));                                                                                        \
    return TARRY_REAL(pwritev)(file, pieces, count, offset);                                                                                    \
  }
TARRY_POSITIONED(pread, pwrite, preadv, pwritev)
TARRY_POSITIONED(pread64, pwrite64, preadv64, pwritev64)
#undef TARRY_POSITIONED
TARRY_IO(ssize_t, readv, int file, const iovec* pieces, int count) {
  const ssize_t got = TARRY_REAL(readv)(file, pieces, count);
  writes_pieces(pieces, count, got, accessor(TARRY_CALLER));
  return got;
}
TARRY_IO(ssize_t, writev, int file, const iovec* pieces, int count) {
  writes_to(file, TARRY_CALLER);
  reads_pieces(pieces, count, accessor(TARRY_CALLER));
  return TARRY_REAL(writev)(file, pieces, count);
}
TARRY_IO(ssize_t, recv, int socket, void* to, std::size_t size, int flags) {
  return read_into(to, size, accessor(TARRY_CALLER), [&](void* at) { return TARRY_REAL(recv)(socket, at, size, flags); });
}
TARRY_IO(ssize_t, __recv_chk, int socket, void* to, std::size_t size, std::size_t room, int flags) {
  using Real = ssize_t(int, void*, std::size_t, std::size_t, int);
  return read_into(to, size, accessor(TARRY_CALLER), [&](void* at) { return TARRY_REAL_AS(__recv_chk, Real)(socket, at, size, room, flags); });
}
TARRY_IO(ssize_t, recvfrom, int socket, void* to, std::size_t size, int flags, sockaddr* address, socklen_t* length) {
  using Real = ssize_t(int, void*, std::size_t, int, sockaddr*, socklen_t*);
  const std::uintptr_t who = accessor(TARRY_CALLER);
  const ssize_t got = read_into(to, size, who, [&](void* at) { return TARRY_REAL_AS(recvfrom, Real)(socket, at, size, flags, address, length); });
  if (got >= 0 && length != nullptr) writes(length, sizeof(*length), who), writes(address, *length, who);
  return got;
}
TARRY_IO(ssize_t, recvmsg, int socket, msghdr* message, int flags) {
  const std::uintptr_t who = accessor(TARRY_CALLER);
  reads(message, sizeof(*message), who);
  const ssize_t got = TARRY_REAL(recvmsg)(socket, message, flags);
  if (got >= 0) writes_pieces(message->msg_iov, static_cast<int>(message->msg_iovlen), got, who);
  return got;
}
TARRY_IO(ssize_t, send, int socket, const void* from, std::size_t size, int flags) {
  return write_from(from, size, accessor(TARRY_CALLER), [&](const void* at) { return TARRY_REAL(send)(socket, at, size, flags); });
}
TARRY_IO(ssize_t, sendto, int socket, const void* from, std::size_t size, int flags, const sockaddr* address, socklen_t length) {
  using Real = ssize_t(int, const void*, std::size_t, int, const sockaddr*, socklen_t);
  const std::uintptr_t who = accessor(TARRY_CALLER);
  reads(address, length, who);
  return write_from(from, size, who, [&](const void* at) { return TARRY_REAL_AS(sendto, Real)(socket, at, size, flags, address, length); });
}
TARRY_IO(ssize_t, sendmsg, int socket, const msghdr* message, int flags) {
  const std::uintptr_t who = accessor(TARRY_CALLER);
  reads(message, sizeof(*message), who);
  if (message != nullptr) reads_pieces(message->msg_iov, static_cast<int>(message->msg_iovlen), who);
  return TARRY_REAL(sendmsg)(socket, message, flags);
}
TARRY_IO(int, pipe, int* ends) {
  const int result = TARRY_REAL(pipe)(ends);
  if (result == 0) writes(ends, 2 * sizeof(int), accessor(TARRY_CALLER));
  return result;
}
TARRY_IO(int, pipe2, int* ends, int flags) {
  const int result = TARRY_REAL(pipe2)(ends, flags);
  if (result == 0) writes(ends, 2 * sizeof(int), accessor(TARRY_CALLER));
  return result;
}
TARRY_IO(int, socketpair, int domain, int type, int protocol, int* ends) {
  const int result = TARRY_REAL(socketpair)(domain, type, protocol, ends);
  if (result == 0) writes(ends, 2 * sizeof(int), accessor(TARRY_CALLER));
  return result;
}
TARRY_IO(ssize_t, readlink, const char* path, char* to, std::size_t size) {
  return read_into(to, size, accessor(TARRY_CALLER), [&](void* at) { return TARRY_REAL(readlink)(path, static_cast<char*>(at), size); });
}
TARRY_IO(char*, getcwd, char* to, std::size_t size) {
  const std::uintptr_t who = accessor(TARRY_CALLER);
  char* const result = TARRY_REAL(getcwd)(to, size);
  if (result != nullptr && result == to) writes(to, extent(to), who);
  return result;
}
TARRY_IO(int, uname, utsname* to) { return fill(to, accessor(TARRY_CALLER), [&](utsname* at) { return TARRY_REAL(uname)(at); }); }

#define TARRY_STAT(stat, lstat, fstat, fstatat)                                                                                                                     \
  TARRY_IO(int, stat, const char* path, struct stat* to) {                                                                                                          \
    using Real = int(const char*, struct ::stat*);                                                                                                                  \
    return fill(to, accessor(TARRY_CALLER), [&](struct ::stat* at) { return TARRY_REAL_AS(stat, Real)(path, at); });                                                \
  }                                                                                                                                                                 \
  TARRY_IO(int, lstat, const char* path, struct ::stat* to) {                                                                                                       \
    using Real = int(const char*, struct ::stat*);                                                                                                                  \
    return fill(to, accessor(TARRY_CALLER), [&](struct ::stat* at) { return TARRY_REAL_AS(lstat, Real)(path, at); });                                               \
  }                                                                                                                                                                 \
  TARRY_IO(int, fstat, int file, struct ::stat* to) {                                                                                                               \
    using Real = int(int, struct ::stat*);                                                                                                                          \
    return fill(to, accessor(TARRY_CALLER), [&](struct ::stat* at) { return TARRY_REAL_AS(fstat, Real)(file, at); });                                               \
  }                                                                                                                                                                 \
  TARRY_IO(int, fstatat, int folder, const char* path, struct ::stat* to, int flags) {                                                                              \
    using Real = int(int, const char*, struct ::stat*, int);                                                                                                        \
    return fill(to, accessor(TARRY_CALLER), [&](struct ::stat* at) { return TARRY_REAL_AS(fstatat, Real)(folder, path, at, flags); });                              \
  }
TARRY_STAT(stat, lstat, fstat, fstatat)
TARRY_STAT(stat64, lstat64, fstat64, fstatat64)
#undef TARRY_STAT

// ---------------------------------------------------------------- streams

TARRY_IO(std::size_t, fread, void* to, std::size_t size, std::size_t count, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  Landing landing(to, size * count, accessor(TARRY_CALLER));
  const std::size_t got = TARRY_REAL(fread)(landing.at(), size, count, stream);
  landing.written(got * size);
  return got;
}
TARRY_IO(std::size_t, fwrite, const void* from, std::size_t size, std::size_t count, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  const Taken taken(from, size * count, accessor(TARRY_CALLER));
  return TARRY_REAL(fwrite)(taken.at(), size, count, stream);
}
TARRY_IO(char*, fgets, char* to, int room, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  Landing landing(to, room > 0 ? static_cast<std::size_t>(room) : 0, accessor(TARRY_CALLER));
  auto* const at = static_cast<char*>(landing.at());
  if (TARRY_REAL(fgets)(at, room, stream) == nullptr) return nullptr;
  landing.written(extent(at));
  return to;
}
TARRY_IO(int, fputs, const char* text, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  reads_text(text, accessor(TARRY_CALLER));
  return TARRY_REAL(fputs)(text, stream);
}
TARRY_IO(int, puts, const char* text) {
  uses_stream(stdout, TARRY_CALLER);
  reads_text(text, accessor(TARRY_CALLER));
  return TARRY_REAL(puts)(text);
}

namespace {

template <class Call>
ssize_t read_line(char** line, std::size_t* size, std::uintptr_t who, const Call& call) {
  reads(line, sizeof(*line), who), reads(size, sizeof(*size), who);
  const char* const before = *line;
  const ssize_t got = call();
  if (*line != before) writes(line, sizeof(*line), who), writes(size, sizeof(*size), who);
  if (got >= 0) writes(*line, static_cast<std::size_t>(got) + 1, who);
  return got;
}

}  // namespace

TARRY_IO(ssize_t, getline, char** line, std::size_t* size, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  using Real = ssize_t(char**, std::size_t*, FILE*);
  return read_line(line, size, accessor(TARRY_CALLER), [&] { return TARRY_REAL_AS(getline, Real)(line, size, stream); });
}
TARRY_IO(ssize_t, getdelim, char** line, std::size_t* size, int last, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  using Real = ssize_t(char**, std::size_t*, int, FILE*);
  return read_line(line, size, accessor(TARRY_CALLER), [&] { return TARRY_REAL_AS(getdelim, Real)(line, size, last, stream); });
}
TARRY_IO(ssize_t, __getdelim, char** line, std::size_t* size, int last, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  using Real = ssize_t(char**, std::size_t*, int, FILE*);
  return read_line(line, size, accessor(TARRY_CALLER), [&] { return TARRY_REAL_AS(__getdelim, Real)(line, size, last, stream); });
}

#define TARRY_PUTS_ONE(name)                       \
  TARRY_IO(int, name, int letter, FILE* stream) {  \
    uses_stream(stream, TARRY_CALLER);             \
    return TARRY_REAL(fputc)(letter, stream);      \
  }
TARRY_PUTS_ONE(fputc)
TARRY_PUTS_ONE(putc)
TARRY_PUTS_ONE(_IO_putc)
#undef TARRY_PUTS_ONE
TARRY_IO(int, putchar, int letter) {
  uses_stream(stdout, TARRY_CALLER);
  return TARRY_REAL(fputc)(letter, stdout);
}
#define TARRY_GETS_ONE(name)          \
  TARRY_IO(int, name, FILE* stream) { \
    uses_stream(stream, TARRY_CALLER);  \
    return TARRY_REAL(fgetc)(stream); \
  }
TARRY_GETS_ONE(fgetc)
TARRY_GETS_ONE(getc)
TARRY_GETS_ONE(_IO_getc)
#undef TARRY_GETS_ONE
TARRY_IO(int, getchar) {
  uses_stream(stdin, TARRY_CALLER);
  return TARRY_REAL(fgetc)(stdin);
}
TARRY_IO(int, ungetc, int letter, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  return TARRY_REAL(ungetc)(letter, stream);
}
TARRY_IO(int, fflush, FILE* stream) {
  uses_stream(stream == nullptr ? stdout : stream, TARRY_CALLER);  // of all streams, that of the output is what others can see
  return TARRY_REAL(fflush)(stream);
}
TARRY_IO(void, rewind, FILE* stream) {
  uses_stream(stream, TARRY_CALLER);
  TARRY_REAL(rewind)(stream);
}
#define TARRY_SEEKS(fseek, ftell, Offset)                           \
  TARRY_IO(int, fseek, FILE* stream, Offset offset, int whence) {   \
    uses_stream(stream, TARRY_CALLER);                              \
    return TARRY_REAL(fseek)(stream, offset, whence);               \
  }                                                                 \
  TARRY_IO(Offset, ftell, FILE* stream) {                           \
    uses_stream(stream, TARRY_CALLER);                              \
    return TARRY_REAL(ftell)(stream);                               \
  }
TARRY_SEEKS(fseek, ftell, long)
TARRY_SEEKS(fseeko, ftello, off_t)
TARRY_SEEKS(fseeko64, ftello64, off64_t)
#undef TARRY_SEEKS
