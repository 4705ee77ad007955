// One way for threads to wait for each other through descriptors, by name: what one writes, the other reads or waits for.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include "cases.h"

struct Channel {
  int read_end;
  int write_end;
};

Channel make_pipe() {
  int ends[2];
  pipe(ends);
  return {ends[0], ends[1]};
}

Channel make_socket_pair() {
  int ends[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  return {ends[0], ends[1]};
}

Channel make_event() {
  const int event = eventfd(0, 0);
  return {event, event};
}

// A read waits for the write of another thread, and is ordered after all that thread did before.
int order;
void reads_what_is_written(Channel channel) {
  std::thread reader([&] {
    std::uint64_t value = 0;
    read(channel.read_end, &value, sizeof value);
    order = order * 10 + 1;
    printf("r%d", static_cast<int>(value));
  });
  std::thread writer([&] {
    order = order * 10 + 2;
    const std::uint64_t value = 7;
    write(channel.write_end, &value, sizeof value);
  });
  reader.join();
  writer.join();
  printf(" %d", order);
  assert(order == 21);
}
void reads_pipe() { reads_what_is_written(make_pipe()); }
void reads_socket_pair() { reads_what_is_written(make_socket_pair()); }
void reads_event() { reads_what_is_written(make_event()); }

// Ways to wait until there is something to read; each returns how many descriptors are ready.
int wait_by_poll(int descriptor) {
  pollfd wanted{descriptor, POLLIN, 0};
  return poll(&wanted, 1, -1);
}
int wait_by_timed_poll(int descriptor) {
  pollfd wanted{descriptor, POLLIN, 0};
  return poll(&wanted, 1, 10);
}
int wait_by_select(int descriptor) {
  fd_set wanted;
  FD_ZERO(&wanted);
  FD_SET(descriptor, &wanted);
  return select(descriptor + 1, &wanted, nullptr, nullptr, nullptr);
}
int wait_by_epoll(int descriptor) {
  const int poller = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
  return epoll_wait(poller, &event, 1, -1);
}

// A wait for a descriptor ends when another thread writes.
void waits_for_write(int (*wait)(int)) {
  const Channel channel = make_pipe();
  std::thread writer([&] { write(channel.write_end, "x", 1); });
  const int ready = wait(channel.read_end);
  writer.join();
  printf("%d", ready);
}
void polls() { waits_for_write(wait_by_poll); }
void polls_for_a_time() { waits_for_write(wait_by_timed_poll); }
void selects() { waits_for_write(wait_by_select); }
void epolls() { waits_for_write(wait_by_epoll); }

// The wait alone orders what both threads do to `told`: no data race.
void waits_and_is_told(int (*wait)(int)) {
  const Channel channel = make_pipe();
  int told = 0;
  std::thread writer([&] {
    told = 1;
    write(channel.write_end, "x", 1);
  });
  wait(channel.read_end);
  assert(told == 1);
  writer.join();
}
void polls_and_is_told() { waits_and_is_told(wait_by_poll); }
void epolls_and_is_told() { waits_and_is_told(wait_by_epoll); }

// Standard input gives the same line to each execution.
void reads_standard_input() {
  std::string line;
  std::getline(std::cin, line);
  std::thread other(nothing);
  other.join();
  printf("<%s>", line.c_str());
}

const Case kCases[] = {
    {"pipe", reads_pipe},
    {"pair", reads_socket_pair},
    {"event", reads_event},
    {"poll", polls},
    {"select", selects},
    {"epoll", epolls},
    {"polled", polls_and_is_told},
    {"epolled", epolls_and_is_told},
    {"timed poll", polls_for_a_time},
    {"stdin", reads_standard_input},
};

int main(int, char** arguments) { find_case(kCases, arguments).run(); }
