// Globals of all kinds must be as at the start in every execution: data, zeroed data, heap behind a global, a static local,
// stdio.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

int data = 7;
int zero;
std::map<std::string, int> map{{"one", 1}};
std::atomic<int> meet{0};

std::vector<int>& local() {
  static std::vector<int> numbers{1, 2, 3};
  return numbers;
}

int main() {
  assert(data == 7 && zero == 0 && map.size() == 1 && map.at("one") == 1 && meet == 0);
  assert(local().size() == 3);
  ++data;
  ++zero;
  map["two"] = 2;
  local().push_back(4);
  std::thread a([] { ++meet; });
  ++meet;
  a.join();
  for (int i = 0; i < 1000; ++i) map[std::to_string(i)] = i;
  std::printf("%d %d %zu %zu\n", data, zero, map.size(), local().size());
}
