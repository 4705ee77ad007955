// kvstore [SIZE [CLIENTS [memory|pipe]]]: a store in a new folder, a server, and CLIENTS threads that each do SIZE rounds of
// commands. Then the store is opened again, and must have the same in it. The same output on every schedule; exit code 0 if all
// is as it must be.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "client.h"
#include "files.h"
#include "selftest.h"
#include "server.h"
#include "store.h"

namespace {

struct Sizes {
  int rounds = 12;
  int clients = 2;
  kv::Transport transport = kv::Transport::kMemory;
};

/// What one client does: keys of its own, a counter that all share, a lock made of CAS that it gives back.
void client_work(kv::Client& client, int id, int rounds) {
  const std::string name = "c" + std::to_string(id);
  for (int round = 0; round < rounds; ++round) {
    const std::string key = name + "-" + std::to_string(round);
    client.put(key, "v" + std::to_string(round * round));
    client.increment("total", id + 1);
    if (round % 3 == 2) client.erase(name + "-" + std::to_string(round - 1));
    if (client.get(key) != "v" + std::to_string(round * round)) throw kv::ClientError("lost '" + key + "'");
    while (!client.compare_and_set("lock", "free", name)) std::this_thread::yield();
    const auto turns = client.get("turns");
    client.put("turns", std::to_string(turns ? std::stoi(*turns) + 1 : 1));
    if (!client.compare_and_set("lock", name, "free")) throw kv::ClientError("the lock was taken away");
  }
  client.quit();
}

void run_clients(kv::Store& store, const Sizes& sizes) {
  kv::Server server(store, sizes.transport);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(sizes.clients));
  std::vector<std::thread> threads;
  for (int id = 0; id < sizes.clients; ++id) {
    threads.emplace_back([&, id, connection = server.connect()]() mutable {
      try {
        kv::Client client(std::move(connection));
        client_work(client, id, sizes.rounds);
      } catch (...) {
        failures[static_cast<std::size_t>(id)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

void run(const Sizes& sizes) {
  {
    kv::TempFolder folder;
    std::printf("selftest: %d checks\n", kv::selftest(folder.path()));
  }
  kv::TempFolder folder;
  std::uint64_t before = 0;
  {
    kv::Store store(folder.path(), {});
    store.put("lock", "free");
    run_clients(store, sizes);
    store.settle();
    const auto values = store.dump();
    before = kv::digest(values);
    std::printf("%zu keys, total %s, turns %s, digest %016" PRIx64 "\n", values.size(), values.at("total").c_str(),
                values.at("turns").c_str(), before);
    const int expected = sizes.rounds * sizes.clients;
    if (values.at("turns") != std::to_string(expected)) throw kv::ClientError("a turn was lost");
  }
  kv::Store again(folder.path(), {});
  const std::uint64_t after = kv::digest(again.dump());
  std::printf("opened again: digest %016" PRIx64 "\n", after);
  if (after != before) throw kv::ClientError("the store came back different");
}

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes;
  if (argc > 1) sizes.rounds = std::atoi(argv[1]);
  if (argc > 2) sizes.clients = std::atoi(argv[2]);
  if (argc > 3 && std::strcmp(argv[3], "pipe") == 0) sizes.transport = kv::Transport::kPipe;
  if (sizes.rounds < 1 || sizes.rounds > 10000 || sizes.clients < 1 || sizes.clients > 32) {
    std::fprintf(stderr, "usage: kvstore [SIZE [CLIENTS [memory|pipe]]], SIZE from 1 to 10000, CLIENTS from 1 to 32\n");
    return 2;
  }
  try {
    run(sizes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kvstore: %s\n", error.what());
    return 1;
  }
  return 0;
}
