// Letters between workers that share a walk (shared_walk.h): numbers and events as words. Each event is spelled out where a letter has it first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"
#include "explore/dpor/event.h"

namespace tarry {

class LetterWriter {
 public:
  void begin() {
    words_.clear();
    ++letter_;
    told_ = 0;
  }
  void put(std::uint32_t word) { words_.push_back(word); }
  void put(std::uint64_t number) {
    put(static_cast<std::uint32_t>(number));
    put(static_cast<std::uint32_t>(number >> 32));
  }
  void put(const Event& event) {
    if (known_.size() <= event.number) known_.resize(event.number + 1);
    Known& known = known_[event.number];
    if (known.letter == letter_) return put(known.place);
    known = {letter_, told_};
    put(told_++);
    put(event.process << 1 | (event.certain ? 1u : 0u));
    put(event.choice);
    put(static_cast<std::uint32_t>(event.touches.size()));
    for (const ObjectUse& touch : event.touches) {
      put(touch.object);
      put(static_cast<std::uint32_t>(touch.use) | static_cast<std::uint32_t>(touch.before) << 8);
    }
  }
  std::span<const std::uint32_t> words() const { return words_; }

 private:
  struct Known {
    std::uint64_t letter = 0;
    std::uint32_t place = 0;
  };
  std::vector<std::uint32_t> words_;
  std::vector<Known> known_;  // by number of an event: its place in a letter
  std::uint64_t letter_ = 0;
  std::uint32_t told_ = 0;
};

class LetterReader {
 public:
  LetterReader(std::span<const std::uint32_t> words, EventTable& events) : words_(words), events_(events) {}

  std::uint32_t word() {
    TARRY_ASSERT(!words_.empty());
    const std::uint32_t out = words_.front();
    words_ = words_.subspan(1);
    return out;
  }
  std::uint64_t number() {
    const std::uint64_t low = word();
    return low | std::uint64_t{word()} << 32;
  }
  const Event& event() {
    const std::uint32_t place = word();
    if (place < told_.size()) return *told_[place];
    const std::uint32_t head = word();
    Event event{.process = head >> 1, .certain = (head & 1) != 0, .choice = word()};
    std::vector<ObjectUse> touches(word());
    for (ObjectUse& touch : touches) {
      touch.object = number();
      const std::uint32_t how = word();
      touch.use = static_cast<Use>(how & 0xff);
      touch.before = static_cast<Before>(how >> 8);
    }
    event.touch(touches);
    told_.push_back(&events_.keep(event));
    return *told_.back();
  }

 private:
  std::span<const std::uint32_t> words_;
  EventTable& events_;
  std::vector<const Event*> told_;
};

}  // namespace tarry
