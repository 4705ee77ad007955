#include "tests/plang_foreign/library.h"

#include <gtest/gtest.h>
#include <tarry/foreign.h>

#include <stdexcept>

namespace tarry::plang {
namespace {

using p::Call;
using p::Event;
using p::Machine;

// ---- There and back.

bool flip(bool b) { return !b; }
std::int64_t successor(std::int64_t n) { return n + 1; }
std::int8_t small(std::int8_t n) { return n; }
double half(double d) noexcept { return d / 2; }
std::string twice(const std::string& text) { return text + text; }
enum class Color : int { kRed = 2, kGreen = 5 };
Color other(Color c) { return c == Color::kRed ? Color::kGreen : Color::kRed; }
Color no_color() { return static_cast<Color>(3); }
std::vector<std::int64_t> reversed(std::vector<std::int64_t> seq) { return {seq.rbegin(), seq.rend()}; }
std::vector<bool> flags(const std::vector<bool>& seq) { return seq; }
std::set<std::string> with_x(std::set<std::string> set) { return set.insert("x"), set; }
std::map<std::int64_t, std::string> inverted(const std::map<std::string, std::int64_t>& map) {
  std::map<std::int64_t, std::string> out;
  for (const auto& [key, value] : map) out.emplace(value, key);
  return out;
}
std::pair<bool, std::int64_t> swapped(const std::tuple<std::int64_t, bool>& t) { return {std::get<1>(t), std::get<0>(t)}; }
struct Job {
  std::int64_t id = 0;
  std::vector<std::string> tags;
  TARRY_NAMED_TUPLE(id, tags)
};
Job tagged(Job job) {
  job.tags.emplace_back("tag" + std::to_string(job.id));
  return job;
}
std::tuple<std::int64_t, std::vector<std::string>> by_position(const std::tuple<std::int64_t, std::vector<std::string>>& job) { return job; }
Event same_event(const Event& e) { return e; }
std::optional<Event> maybe(bool give) { return give ? std::optional(Event{"eOne"}) : std::nullopt; }
Machine same_machine(const Machine& m) { return m; }
std::set<Machine> machines(const Machine& m) { return {m, m}; }
p::Value anything(const p::Value& v) { return v; }
p::Value sum(Call& call) {
  std::int64_t out = 0;
  for (const p::Value& v : call.arguments()) out += v.as_int();
  return p::value(out);
}
void nothing() {}
std::string shown(const p::Value& v) {
  std::string out = p::text_of(v.kind());
  if (v.kind() == p::Kind::kSet)
    for (const p::Value& item : v.items()) out += " " + std::to_string(item.as_int());
  return out;
}

struct Bag {
  std::set<std::int64_t> items;
  std::optional<Machine> owner;
  static constexpr const char* p_type = "tBag";
  std::string save() const { return p::pack(items, owner); }
  static Bag load(std::string_view bytes) {
    Bag b;
    p::unpack(bytes, b.items, b.owner);
    return b;
  }
  std::string text() const { return "bag of " + std::to_string(items.size()); }
};
struct Box {
  static constexpr const char* p_type = "tBox";
  std::string save() const { return ""; }
  static Box load(std::string_view) { return {}; }
};
Bag put(const std::optional<Bag>& bag, std::int64_t item) {
  Bag out = bag.value_or(Bag{});
  out.items.insert(item);
  return out;
}
Bag owned(Bag bag, const Machine& owner) {
  bag.owner = owner;
  return bag;
}
std::optional<Machine> owner(const Bag& bag) { return bag.owner; }
std::optional<Bag> no_bag() { return std::nullopt; }
std::int64_t count(const Bag& bag) { return static_cast<std::int64_t>(bag.items.size()); }
Box box() { return {}; }
std::int64_t count_box(const Box&) { return 0; }

// ---- Wrong ones.

void throws() { throw std::runtime_error("no luck"); }
void throws_silently() { throw std::runtime_error(""); }
void throws_number() { throw 7; }
p::Value given(Call& call) {
  const std::string what = call[0].as_string();
  using V = p::Value;
  if (what == "null") return {};
  if (what == "int") return V::integer(1);
  if (what == "string") return V::string("s");
  if (what == "seq of strings") return V::seq({V::integer(1), V::string("s")});
  if (what == "short tuple") return V::tuple({V::integer(1)});
  if (what == "named tuple") return V::named_tuple({{"id", V::integer(1)}, {"tag", V::seq({})}});
  if (what == "unknown event") return V::event("eNobody");
  if (what == "unknown type") return V::foreign("tNobody", "");
  if (what == "null key") return V::map({{V(), V::integer(1)}});
  if (what == "unknown shape") return V::named_tuple({{"zzz", V::integer(1)}});
  if (what == "deep") {
    V v = V::integer(1);
    for (int i = 0; i < 2000; ++i) v = V::seq({v});
    return v;
  }
  throw std::logic_error(what);
}
void silent(abi::ForeignCall*) {}
void garbage(abi::ForeignCall* c) { c->result(c->self, "\x09\xff\xff\xff\xff", 5); }

TARRY_FOREIGN("Flip", flip)
TARRY_FOREIGN("Successor", successor)
TARRY_FOREIGN("Small", small)
TARRY_FOREIGN("Half", half)
TARRY_FOREIGN("Twice", twice)
TARRY_FOREIGN("Other", other)
TARRY_FOREIGN("NoColor", no_color)
TARRY_FOREIGN("Reversed", reversed)
TARRY_FOREIGN("Flags", flags)
TARRY_FOREIGN("WithX", with_x)
TARRY_FOREIGN("Inverted", inverted)
TARRY_FOREIGN("Swapped", swapped)
TARRY_FOREIGN("Tagged", tagged)
TARRY_FOREIGN("ByPosition", by_position)
TARRY_FOREIGN("SameEvent", same_event)
TARRY_FOREIGN("Maybe", maybe)
TARRY_FOREIGN("SameMachine", same_machine)
TARRY_FOREIGN("Machines", machines)
TARRY_FOREIGN("Anything", anything)
TARRY_FOREIGN("Sum", sum)
TARRY_FOREIGN("Nothing", nothing)
TARRY_FOREIGN("Shown", shown)
TARRY_FOREIGN("Put", put)
TARRY_FOREIGN("Owned", owned)
TARRY_FOREIGN("Owner", owner)
TARRY_FOREIGN("NoBag", no_bag)
TARRY_FOREIGN("Count", count)
TARRY_FOREIGN("GetBox", box)
TARRY_FOREIGN("CountBox", count_box)
TARRY_FOREIGN("Throws", throws)
TARRY_FOREIGN("ThrowsSilently", throws_silently)
TARRY_FOREIGN("ThrowsNumber", throws_number)
TARRY_FOREIGN("Given", given)
TARRY_FOREIGN("Main.Method", successor)
const p::detail::FunctionEntry silent_entry{"Silent", abi::kAnyArity, &silent};
const p::detail::FunctionEntry garbage_entry{"Garbage", abi::kAnyArity, &garbage};

}  // namespace

abi::ForeignTable library() {
  abi::ForeignTable table{};
  tarry_foreign_v1(&table);
  return table;
}

Sample::Sample(const std::string& declarations, const std::string& entry)
    : ready_(testing_support::make_ready(declarations + "\nmachine Main { start state S { entry {\n" + entry + "\n} } }\n")) {
  const abi::ForeignTable table = library();
  foreign_ = std::make_unique<LinkedForeign>(code(), std::span(&table, 1));
}

std::string Sample::first_step(Purpose purpose) {
  const PProgram program(code(), test(), Points::kNeeded, purpose, {}, foreign_.get());
  const auto space = program.open();
  std::vector<Word> state(program.shape().words);
  const StepText start = space->initial(state.data());
  if (!start.kind.empty()) return std::string(start.kind.name()) + ": " + start.message;
  Taken taken(program.shape().words);
  space->take(state, ProcessId{0}, {}, taken);
  EXPECT_EQ(taken.outcome, abi::Outcome::kMoved);
  if (!taken.failed()) return "";
  const StepText text = program.narrator()->explain(state, ProcessId{0}, {});
  return std::string(text.kind.name()) + ": " + text.message;
}

}  // namespace tarry::plang
