// The program that executions are counted with: main and two workers, a mutex, a condition variable, a vector; 26 steps at most.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable done;
std::vector<int> finished;
int ready = 0;

void work(int id) {
  {
    std::lock_guard lock(mutex);
    finished.push_back(id);
  }
  {
    std::lock_guard lock(mutex);
    ++ready;
  }
  done.notify_one();
}

int main() {
  std::thread a(work, 1), b(work, 2);
  {
    std::unique_lock lock(mutex);
    done.wait(lock, [] { return ready == 2; });
  }
  a.join();
  b.join();
  return finished.size() == 2 ? 0 : 1;
}
