#include "plang/vm/renaming.h"

#include <vector>

#include "plang/vm/vm.h"

namespace tarry::plang {
namespace {

/// Does the value name one of these machines?
bool names_one_of(const Pool& pool, Value v, const SlotNames& names) {
  if (v.is(Tag::kMachine)) return names.contains(v.slot());
  if (!v.is(Tag::kSet) && !v.is(Tag::kMap) && !v.is(Tag::kSeq) && !v.is(Tag::kTuple) && !v.is(Tag::kNamedTuple)) return false;
  const Object* const object = pool.object(v.id());
  for (std::uint32_t i = 0; i < object->size; ++i)
    if (names_one_of(pool, object->items()[i], names)) return true;
  return false;
}

}  // namespace

Value Renaming::value(Value v) {
  if (v.is(Tag::kMachine)) return Value::machine(slot(v.slot()), v.permissions());
  const bool keyed = v.is(Tag::kSet) || v.is(Tag::kMap);
  if (!keyed && !v.is(Tag::kSeq) && !v.is(Tag::kTuple) && !v.is(Tag::kNamedTuple)) return v;
  if (const auto known = known_.find(v.id()); known != known_.end()) return Value::interned(v.tag(), known->second);
  const auto before = pool_.words(v.id());
  std::vector<std::uint64_t> words(before.begin(), before.end());
  for (std::size_t i = 1; i < words.size(); ++i) {  // the first word is the size
    const std::uint64_t renamed = value(Value::from_bits(words[i])).bits();
    const bool is_key = v.is(Tag::kSet) || (v.is(Tag::kMap) && i % 2 == 1);
    reorders_ = reorders_ || (is_key && names_one_of(pool_, Value::from_bits(words[i]), names_));  // also if a name stays the same: callers try that case first
    words[i] = renamed;
  }
  const std::uint32_t id = pool_.intern(words);
  known_.emplace(v.id(), id);
  return Value::interned(v.tag(), id);
}

std::uint32_t Vm::renamed_machine(std::uint32_t config, Renaming& renaming) {
  if (config == 0 || config == kHaltedWord) return config;
  Unpacker from(pool().packed(config_id(config)));
  Head h = head(from);
  const std::size_t fields = world_.code.machines[world_.machine_of[h.interface]].fields.size();
  h.slot = renaming.slot(h.slot);
  packer_.clear();
  pack(h);
  if (h.under_way) {
    const std::uint64_t transition = from.number();
    pack_under_way(transition, renaming.value(from.value()));
  }
  const std::size_t frames = from.small(), stack = from.small();
  packer_.add(frames);
  packer_.add(stack);
  for (std::size_t i = 0; i < fields; ++i) packer_.add(renaming.value(from.value()));
  for (std::size_t i = 0; i < 3 * frames; ++i) packer_.add(from.number());
  for (std::size_t i = 0; i < stack; ++i) packer_.add(renaming.value(from.value()));
  return config_word(pool().intern_packed(packer_.bytes()), standing(config));
}

std::uint32_t Vm::renamed_inbox(std::uint32_t box, Renaming& renaming) {
  if (box == 0) return 0;
  const auto before = inbox(box);
  std::vector<std::uint32_t> messages(before.begin(), before.end());
  for (std::uint32_t& m : messages) {
    const std::uint64_t words[2] = {event_of(m), renaming.value(payload_of(m)).bits()};
    m = pool().intern(words);
  }
  return pool().intern_list(messages);
}

std::uint32_t Vm::renamed_monitor(std::uint32_t number, std::uint32_t config, Renaming& renaming) {
  Unpacker from(pool().packed(config >> 1));
  packer_.clear();
  packer_.add(from.number());
  packer_.add(from.number());
  for (std::size_t i = 0; i < world_.monitor(number).fields.size(); ++i) packer_.add(renaming.value(from.value()));
  return monitor_word(pool().intern_packed(packer_.bytes()), is_hot(config));
}

}  // namespace tarry::plang
