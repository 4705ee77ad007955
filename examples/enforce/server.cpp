// The service as a server: it reads requests, and clerks book the orders of a request at the same time. It runs for as long as there are requests, so
// each request is a region: 'tarry verify' looks at one request, and 'tarry run' holds every request to the schedules that are right.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <tarry/test.h>

#include "ledger.h"

namespace {

constexpr int kOrders[] = {80, 70, 10};

/// Reads how many orders the next request has, from 1 to 3. 0: there is no further request.
int next_request() {
  int orders = 0;
  return std::scanf("%d", &orders) == 1 ? orders : 0;
}

void handle(int orders) {
  Ledger ledger(100);
  tarry::Region region("request");
  const auto clerks = tarry::input("orders", 1, 3, orders);
  std::vector<std::thread> threads;
  for (std::int64_t i = 0; i < clerks; ++i) threads.emplace_back([&ledger, i] { ledger.withdraw(kOrders[i]); });
  for (std::thread& thread : threads) thread.join();
  if (ledger.balance() >= 0) return;
  std::fprintf(stderr, "overdrawn: %d\n", ledger.balance());
  std::abort();
}

}  // namespace

int main() {
  const auto most = tarry::input("requests", 1, 1, LONG_MAX);  // one for 'tarry verify', any number otherwise
  long served = 0;
  for (int orders = next_request(); served < most && (orders > 0 || tarry::under_control()); orders = next_request()) {
    handle(orders);
    ++served;
  }
  std::printf("%ld requests\n", served);
}
