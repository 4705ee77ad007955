#include "plang/vm/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include <tarry/model_abi.h>

#include "plang/vm/foreign_functions.h"

namespace tarry::plang {

Identities::Identities(std::uint32_t main_interface, Mirror* mirror) : mirror_(mirror) {
  if (mirror_ != nullptr) mirror_->size = 0;
  slot(kNone, 0, main_interface);
}

std::uint32_t Identities::slot(std::uint32_t parent, std::uint32_t nth, std::uint32_t interface) {
  const std::scoped_lock lock(mutex_);
  const auto found = slots_.find({parent, nth, interface});
  if (found != slots_.end()) return found->second;
  if (identities_.size() >= most_) return kNone;
  const auto number = static_cast<std::uint32_t>(identities_.size());
  identities_.push_back({parent, nth, interface});
  slots_.emplace(std::tuple(parent, nth, interface), number);
  if (mirror_ != nullptr) {
    mirror_->identities[number] = identities_.back();
    mirror_->size = number + 1;
  }
  return number;
}

std::uint32_t Identities::find(std::uint32_t parent, std::uint32_t nth, std::uint32_t interface) const {
  const std::scoped_lock lock(mutex_);
  const auto found = slots_.find({parent, nth, interface});
  return found == slots_.end() ? kNone : found->second;
}

Identities::Identity Identities::identity(std::uint32_t slot) const {
  const std::scoped_lock lock(mutex_);
  return identities_[slot];
}

void Identities::forget(std::uint32_t first) {
  const std::scoped_lock lock(mutex_);
  for (; identities_.size() > first; identities_.pop_back()) {
    const Identity& last = identities_.back();
    slots_.erase({last.parent, last.nth, last.interface});
  }
  if (mirror_ != nullptr) mirror_->size = static_cast<std::uint32_t>(identities_.size());
}

std::uint32_t Identities::size() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::uint32_t>(identities_.size());
}

bool may_be_hot(const Machine& monitor) {
  return monitor.kind == Machine::Kind::kSpec &&
         std::any_of(monitor.states.begin(), monitor.states.end(), [](const auto& state) { return state->temperature == Temperature::kHot; });
}

World::World(Code& code_of, const TestCase& test_case, Points points_of, const Foreign* foreign_of, Identities::Mirror* mirror,
             const FormulaWatch* formula_of)
    : code(code_of),
      test(test_case),
      points(points_of),
      foreign(foreign_of),
      formula(formula_of),
      identities(test_case.main->index, mirror),
      numbered(code_of.shows_machine_numbers) {
  const CheckedProgram& program = *code.program;
  const std::size_t interfaces = program.interfaces.size();
  const std::size_t events = program.events.size();
  for (std::size_t i = 0; i < program.params.size(); ++i) {
    const auto& given = i < test.params.size() ? test.params[i] : std::nullopt;
    if (!given) params.push_back(code.param_defaults[i]);
    else params.push_back(program.params[i]->type->kind == TypeKind::kBool ? Value::boolean(*given != 0) : Value::small(*given));
  }
  for (std::size_t i = 0; i < interfaces; ++i) machine_of.push_back(test.bindings[i] == nullptr ? kNone : test.bindings[i]->index);
  observers.assign(interfaces, std::vector<std::vector<std::uint32_t>>(events));
  observed_.assign(interfaces, std::vector<std::uint64_t>((events + 63) / 64));
  for (std::uint32_t m = 0; m < monitors(); ++m) {
    const Machine& source = *test.monitors[m].monitor;
    for (const Interface* interface : test.monitors[m].interfaces)
      for (const std::uint32_t e : source.observe_set->members()) {
        observers[interface->index][e].push_back(m);
        observed_[interface->index][e / 64] |= std::uint64_t{1} << (e % 64);
      }
    property_of.push_back(0);
    if (!may_be_hot(source)) continue;
    has_hot_states = true;
    if (properties.size() + (formula == nullptr ? 0 : formula->properties()) >= abi::kMaxProperties) continue;
    property_of.back() = std::uint32_t{1} << properties.size();
    properties.push_back(m);
  }
  if (formula == nullptr) return;
  has_hot_states = true;
  for (std::size_t i = 0; i < interfaces; ++i)
    for (std::uint32_t e = 0; e < events; ++e)
      if (formula->sees(e)) {
        observers[i][e].push_back(kFormula);
        observed_[i][e / 64] |= std::uint64_t{1} << (e % 64);
      }
}

bool World::touches(std::uint32_t interface, const std::vector<std::uint64_t>& tells) const {
  const auto& observed = observed_[interface];
  for (std::size_t i = 0; i < tells.size(); ++i)
    if ((tells[i] & observed[i]) != 0) return true;
  return false;
}

namespace {

// Characters for private use: the first 4,096 machines have three bytes each, all others have four.
constexpr std::uint32_t kFirstSymbol = 0xE000, kShortSymbols = 4096;
constexpr std::uint32_t kFirstLongSymbol = 0xF0000;  // for the machine after those with short ones
static_assert(Identities::kMost - kShortSymbols <= 0xFFFE);

std::string symbol(std::uint32_t slot) {
  const auto last = [](std::uint32_t c) { return static_cast<char>(0x80 | (c & 0x3F)); };
  if (slot < kShortSymbols) {
    const std::uint32_t c = kFirstSymbol + slot;
    return {static_cast<char>(0xE0 | c >> 12), last(c >> 6), last(c)};
  }
  const std::uint32_t c = kFirstLongSymbol + slot - kShortSymbols;
  return {static_cast<char>(0xF0 | c >> 18), last(c >> 12), last(c >> 6), last(c)};
}

struct Symbol {
  std::uint32_t slot;
  std::size_t bytes;
};

/// What the text begins with.
std::optional<Symbol> symbol_at(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::size_t bytes = (byte(0) & 0xF0) == 0xE0 ? 3 : (byte(0) & 0xF8) == 0xF0 ? 4 : 0;
  if (bytes == 0 || bytes > text.size()) return std::nullopt;
  std::uint32_t c = bytes == 3 ? byte(0) & 0x0Fu : byte(0) & 0x07u;
  for (std::size_t i = 1; i < bytes; ++i) c = c << 6 | (byte(i) & 0x3Fu);
  const std::uint32_t first = bytes == 3 ? kFirstSymbol : kFirstLongSymbol, many = bytes == 3 ? kShortSymbols : Identities::kMost - kShortSymbols;
  if (c < first || c - first >= many) return std::nullopt;
  return Symbol{c - first + (bytes == 3 ? 0 : kShortSymbols), bytes};
}

}  // namespace

std::string World::machine(std::uint32_t slot) const {
  const Identities::Identity identity = identities.identity(slot);
  return fmt::format("{}({})", code.program->interfaces[identity.interface]->name.text, numbered ? std::to_string(identity.nth + 1) : symbol(slot));
}

void World::leave(std::shared_ptr<StepCache> steps) {
  const std::scoped_lock lock(mutex_);
  left_ = std::move(steps);
}

std::shared_ptr<StepCache> World::left() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(left_, nullptr);
}

const std::string& World::event(std::uint32_t number) const { return code.program->events[number]->name.text; }

std::string World::foreign_value(std::uint32_t type, std::string_view bytes) const {
  if (foreign != nullptr)
    if (auto text = foreign->text(type, bytes)) return *std::move(text);
  return Names::foreign_value(type, bytes);
}

std::string shown(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto found = static_cast<unsigned char>(text[i]) < 0xE0 ? std::nullopt : symbol_at(text.substr(i));
    if (found) out += fmt::format("{}", found->slot + 1);
    else out += text[i];
    i += found ? found->bytes : 1;
  }
  return out;
}

}  // namespace tarry::plang
