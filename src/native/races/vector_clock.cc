#include "native/races/vector_clock.h"

namespace tarry::native {

void* ClockRoom::fresh(std::uint32_t capacity) {
  Class& blocks = classes_[std::countr_zero(capacity) - 4];
  const std::size_t bytes = sizeof(Block) + capacity * sizeof(Tick);
  const std::size_t batch = std::max<std::size_t>(1, (std::size_t{16} << 10) / bytes);
  auto* room = static_cast<unsigned char*>(memory_.map(bytes * batch));
  for (std::size_t i = 1; i < batch; ++i) {
    auto* block = reinterpret_cast<Block*>(room + i * bytes);
    block->next = blocks.free;
    blocks.free = block;
  }
  auto* block = reinterpret_cast<Block*>(room);
  block->next = blocks.taken;
  blocks.taken = block;
  return block->ticks();
}

void Clock::extend(std::uint32_t capacity, ClockRoom& room) {
  Tick* larger = room.take(capacity);
  std::copy_n(ticks(), capacity_, larger);
  std::fill(larger + capacity_, larger + capacity, 0);
  many_ = larger;
  capacity_ = capacity;
}

}  // namespace tarry::native
