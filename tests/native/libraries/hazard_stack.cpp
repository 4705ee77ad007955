// A lock-free stack whose nodes are freed when no thread has announced them. BUG 1: what was announced is not looked at again, and may have gone. 2: nodes are freed
// without a look at what others announced. 3: the announcement is taken back before the node was used.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

constexpr std::size_t kThreads = 2;

class Stack {
 public:
  ~Stack() {
    while (Node* const node = head_.load()) head_ = node->next, delete node;
    for (const auto& retired : retired_)
      for (const Node* node : retired) delete node;
  }
  void push(int value) {
    Node* const node = new Node{value, head_.load()};
    while (!head_.compare_exchange_weak(node->next, node)) {}
  }
  bool pop(std::size_t thread, int& value) {
    while (true) {
      Node* node = head_.load();
      if (node == nullptr) return false;
      announced_[thread] = node;
      if (BUG != 1 && head_.load() != node) continue;
      if (BUG == 3) announced_[thread] = nullptr;
      Node* const next = node->next;
      if (!head_.compare_exchange_strong(node, next)) continue;
      value = node->value;
      announced_[thread] = nullptr;
      retire(thread, node);
      return true;
    }
  }

 private:
  struct Node {
    int value;
    Node* next;
  };
  void retire(std::size_t thread, Node* node) {
    retired_[thread].push_back(node);
    std::vector<Node*> kept;
    for (Node* const one : retired_[thread])
      if (BUG != 2 && is_announced(one)) kept.push_back(one);
      else delete one;
    retired_[thread].swap(kept);
  }
  bool is_announced(const Node* node) const {
    for (const auto& one : announced_)
      if (one.load() == node) return true;
    return false;
  }

  std::atomic<Node*> head_{nullptr};
  std::array<std::atomic<Node*>, kThreads> announced_{};
  std::array<std::vector<Node*>, kThreads> retired_;
};

int main() {
  Stack stack;
  stack.push(1), stack.push(2);
  int first = 0, second = 0;
  std::thread other([&] { stack.pop(1, second); });
  const bool popped = stack.pop(0, first);
  other.join();
  assert(popped && first + second == 3);
}
