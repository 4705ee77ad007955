// A weak pointer can be locked, or cannot: both are found.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto owner = std::make_shared<int>(5);
  std::weak_ptr<int> weak = owner;
  std::thread a([owner = std::move(owner)]() mutable { owner.reset(); });
  std::thread b([weak = std::move(weak)] { assert((weak.lock() != nullptr) == LOCKED); });
  a.join();
  b.join();
}
