// A thread goes on using an object after its pointer to it was given back.
#include <cstdlib>
#include <memory>
#include <thread>

struct Node {
  int value = 5;
};

int main() {
  std::shared_ptr<Node> owner(new Node);
  std::weak_ptr<Node> weak = owner;
  std::thread a([owner = std::move(owner)]() mutable { owner.reset(); });
  std::thread b([weak = std::move(weak)] {
    const Node* kept = nullptr;
    if (const auto locked = weak.lock()) kept = locked.get();
    if (kept != nullptr && kept->value != 5) std::abort();
  });
  a.join();
  b.join();
}
