// System calls by as many threads: what each returns. With 'all' the threads run; with an order such as 102 the calls are made one after the other in it.
// Without arguments: their names.
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

int file, pipe_ends[2], sockets[2], counter, watcher, semaphores, messages;
mqd_t queue;
constexpr int kCopy = 90;  // a descriptor that nobody has

struct Message {
  long type;
  char text[4];
};

/// -1 is the error.
long told(long result) { return result < 0 ? -errno : result; }

void prepare() {
  ::signal(SIGPIPE, SIG_IGN);
  ::unlink("pairs.tmp");
  file = ::open("pairs.tmp", O_RDWR | O_CREAT, 0600);
  (void)!::write(file, "abcdef", 6);
  ::lseek(file, 0, SEEK_SET);
  (void)!::pipe2(pipe_ends, O_NONBLOCK);
  ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets);
  counter = ::eventfd(0, EFD_NONBLOCK);
  watcher = ::epoll_create1(0);
  semaphores = ::semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
  ::semctl(semaphores, 0, SETVAL, 1);
  messages = ::msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
  mq_attr limits{};
  limits.mq_maxmsg = 1;
  limits.mq_msgsize = 8;
  ::mq_unlink("/tarry-pairs");
  queue = ::mq_open("/tarry-pairs", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &limits);
}

void clean_up() {
  ::semctl(semaphores, 0, IPC_RMID);
  ::msgctl(messages, IPC_RMID, nullptr);
  ::mq_unlink("/tarry-pairs");
  ::unlink("pairs.tmp");
  ::unlink("pairs.new");
}

struct Call {
  const char* name;
  long (*make)();
};
const Call kCalls[] = {
    {"read a file", [] { char c = 0; return told(::read(file, &c, 1)) * 1000 + c; }},
    {"write to a file", [] { return told(::write(file, "xy", 2)); }},
    {"lseek", [] { return told(::lseek(file, 3, SEEK_SET)); }},
    {"ftruncate", [] { return told(::ftruncate(file, 1)); }},
    {"fstat", [] { struct stat status {}; ::fstat(file, &status); return long{status.st_size}; }},
    {"close a file", [] { return told(::close(file)); }},
    {"open with O_CREAT", [] { const int f = ::open("pairs.new", O_WRONLY | O_CREAT, 0666); struct stat status {}; ::fstat(f, &status); return long{status.st_mode & 0777} * 100 + f; }},
    {"umask", [] { return told(::umask(077)); }},
    {"unlink", [] { return told(::unlink("pairs.new")); }},
    {"dup2 over a pipe", [] { return told(::dup2(file, pipe_ends[1])); }},
    {"F_GETFD", [] { return told(::fcntl(pipe_ends[1], F_GETFD)); }},
    {"F_SETFD", [] { return told(::fcntl(pipe_ends[1], F_SETFD, FD_CLOEXEC)); }},
    {"F_GETFL", [] { return told(::fcntl(pipe_ends[1], F_GETFL)); }},
    {"F_SETFL", [] { return told(::fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK | O_APPEND)); }},
    {"F_GETPIPE_SZ", [] { return told(::fcntl(pipe_ends[1], F_GETPIPE_SZ)); }},
    {"F_SETPIPE_SZ", [] { return told(::fcntl(pipe_ends[1], F_SETPIPE_SZ, 1 << 18)); }},
    {"F_DUPFD", [] { return told(::fcntl(file, F_DUPFD, kCopy)); }},
    {"setrlimit", [] { const rlimit few{80, 80}; return told(::setrlimit(RLIMIT_NOFILE, &few)); }},
    {"write to a pipe", [] { return told(::write(pipe_ends[1], "p", 1)); }},
    {"read a pipe", [] { char c[4]; return told(::read(pipe_ends[0], c, sizeof(c))); }},
    {"close the end that is read", [] { return told(::close(pipe_ends[0])); }},
    {"FIONREAD", [] { int n = 0; ::ioctl(pipe_ends[0], FIONREAD, &n); return long{n}; }},
    {"send", [] { return told(::send(sockets[0], "s", 1, MSG_NOSIGNAL)); }},
    {"recv", [] { char c[4]; return told(::recv(sockets[1], c, sizeof(c), 0)); }},
    {"shutdown", [] { return told(::shutdown(sockets[1], SHUT_RDWR)); }},
    {"getsockopt", [] { int n = 0; socklen_t size = sizeof(n); ::getsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &n, &size); return long{n}; }},
    {"setsockopt", [] { const int on = 1; return told(::setsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on))); }},
    {"write to an eventfd", [] { const std::uint64_t n = 3; return told(::write(counter, &n, sizeof(n))); }},
    {"read an eventfd", [] { std::uint64_t n = 0; return told(::read(counter, &n, sizeof(n))) * 100 + static_cast<long>(n); }},
    {"epoll add", [] { epoll_event event{}; event.events = EPOLLIN; return told(::epoll_ctl(watcher, EPOLL_CTL_ADD, counter, &event)); }},
    {"epoll modify", [] { epoll_event event{}; event.events = EPOLLOUT; return told(::epoll_ctl(watcher, EPOLL_CTL_MOD, counter, &event)); }},
    {"epoll wait", [] { epoll_event event{}; return told(::epoll_wait(watcher, &event, 1, 0)); }},
    {"poll", [] { pollfd one{counter, POLLIN, 0}; return told(::poll(&one, 1, 0)); }},
    {"semctl GETVAL", [] { return told(::semctl(semaphores, 0, GETVAL)); }},
    {"semctl SETVAL", [] { return told(::semctl(semaphores, 0, SETVAL, 5)); }},
    {"semop", [] { sembuf down{0, -1, IPC_NOWAIT}; return told(::semop(semaphores, &down, 1)); }},
    {"msgsnd", [] { const Message one{1, "m"}; return told(::msgsnd(messages, &one, sizeof(one.text), IPC_NOWAIT)); }},
    {"msgrcv", [] { Message one{}; return told(::msgrcv(messages, &one, sizeof(one.text), 0, IPC_NOWAIT)); }},
    {"msgctl", [] { msqid_ds status{}; ::msgctl(messages, IPC_STAT, &status); return static_cast<long>(status.msg_qnum); }},
    {"mq_send", [] { return told(::mq_send(queue, "q", 1, 1)); }},
    {"mq_receive", [] { char c[8]; return told(::mq_receive(queue, c, sizeof(c), nullptr)); }},
    {"mq_getattr", [] { mq_attr now{}; ::mq_getattr(queue, &now); return now.mq_curmsgs; }},
    {"chmod", [] { return told(::chmod("pairs.tmp", 0640)); }},
    {"stat by name", [] { struct stat status {}; const long found = told(::stat("pairs.tmp", &status)); return found != 0 ? found : long{status.st_mode & 0777}; }},
    {"rename", [] { return told(::rename("pairs.tmp", "pairs.new")); }},
};
constexpr int kCount = sizeof(kCalls) / sizeof(kCalls[0]);

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const Call& call : kCalls) std::printf("%s\n", call.name);
    return 0;
  }
  const int count = argc - 2;
  long results[4] = {};
  const auto make = [&](int i) { results[i] = kCalls[std::atoi(argv[2 + i]) % kCount].make(); };
  prepare();
  if (std::strcmp(argv[1], "all") == 0) {
    std::thread threads[4];
    for (int i = 0; i < count; ++i) threads[i] = std::thread(make, i);
    for (int i = 0; i < count; ++i) threads[i].join();
  } else {
    for (const char* c = argv[1]; *c != '\0'; ++c) make(*c - '0');
  }
  clean_up();
  for (int i = 0; i < count; ++i) std::printf("%ld ", results[i]);
  std::printf("\n");
}
