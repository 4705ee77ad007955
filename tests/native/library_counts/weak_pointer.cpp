// The owner of an object lets go of it while another thread has a weak pointer, which is the last to go.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto owner = std::make_shared<int>(5);
  std::weak_ptr<int> weak = owner;
  std::thread a([owner = std::move(owner)]() mutable { owner.reset(); });
  std::thread b([weak = std::move(weak)]() mutable {
    if (const auto locked = weak.lock()) assert(*locked == 5);
    weak.reset();
  });
  a.join();
  b.join();
}
