#include "process/interrupts.h"

#include <array>
#include <cerrno>

namespace tarry {
namespace {

// Data for the signal handler, which can only reach globals.
std::atomic<std::atomic<bool>*> g_stop{nullptr};
std::array<std::atomic<pid_t>, 256> g_processes{};
std::atomic<int> g_by{0};

void on_interrupt(int signal) {
  const int error = errno;
  if (g_by.exchange(signal) != 0) {
    for (const auto& slot : g_processes)
      if (const pid_t process = slot.load(); process != 0) ::kill(process, SIGKILL);
  } else if (std::atomic<bool>* const stop = g_stop.load(); stop != nullptr) {
    stop->store(true);
  }
  errno = error;
}

}  // namespace

Interrupts::Interrupts(std::atomic<bool>& stop) {
  g_by = 0;
  g_stop = &stop;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (std::size_t i = 0; i < 2; ++i) ::sigaction(kSignals[i], &action, &before_[i]);
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < 2; ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  g_stop = nullptr;
  for (auto& slot : g_processes) slot = 0;
}

void Interrupts::add(pid_t process) {
  for (auto& slot : g_processes)
    if (pid_t free = 0; slot.compare_exchange_strong(free, process)) return;
}

void Interrupts::remove(pid_t process) {
  for (auto& slot : g_processes)
    if (pid_t known = process; slot.compare_exchange_strong(known, 0)) return;
}

int Interrupts::by() const { return g_by.load(); }

}  // namespace tarry
