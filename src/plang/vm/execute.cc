// The interpreter: one function frame after the other, until the code ends or stops at a scheduling point.
//
// The frame's pc is always that of the instruction that runs, so that a step that stops there takes it up again. An instruction with a point in its
// middle (new, send, receive) is run twice: `passed` tells it that the point is behind it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.h"
#include "core/program.h"
#include "plang/vm/foreign_functions.h"
#include "plang/vm/vm.h"

namespace tarry::plang {

Vm::Flow Vm::execute() {
  while (true) {
    Frame& frame = m_.frames.back();
    const Instr& i = world_.code.functions[frame.function].code[frame.pc];
    Value* const locals = m_.stack.data() + frame.base;
    switch (i.op) {
      case Op::kConst: push(world_.code.constants[i.a]); break;
      case Op::kLocal: {
        const Value v = locals[i.a];
        if (i.x == 0) Heap::share(v);
        push(v);
        break;
      }
      case Op::kField: {
        const Value v = m_.fields[i.a];
        if (i.x == 0) Heap::share(v);
        push(v);
        break;
      }
      case Op::kParam: push(world_.params[i.a]); break;
      case Op::kThis: push(Value::machine(m_.slot, m_.code->receive_set)); break;
      case Op::kSetLocal: locals[i.a] = pop(); break;
      case Op::kSetField: m_.fields[i.a] = pop(); break;
      case Op::kPop: m_.stack.pop_back(); break;
      case Op::kSwap: std::swap(m_.stack.back(), m_.stack[m_.stack.size() - 2]); break;
      case Op::kDense: m_.stack.back() = dense(heap_, m_.stack.back()); break;
      case Op::kTuple:
      case Op::kNamedTuple: {
        const std::size_t first = m_.stack.size() - i.a;
        const Value tuple = heap_.make(i.op == Op::kTuple ? Tag::kTuple : Tag::kNamedTuple, {m_.stack.data() + first, i.a}, i.b);
        m_.stack.resize(first);
        push(tuple);
        break;
      }
      case Op::kItem: {
        const Value tuple = pop();
        need(tuple, Tag::kTuple, "a tuple");
        if (i.a >= heap_.object(tuple)->size) fail("R18", fmt::format("the tuple has no field {}", i.a));
        const Value item = heap_.object(tuple)->items()[i.a];
        Heap::share(item);
        push(item);
        break;
      }
      case Op::kNamedItem: {
        const Value item = named_item(i, pop());
        Heap::share(item);
        push(item);
        break;
      }
      case Op::kIndexSeq:
      case Op::kIndexSet:
      case Op::kIndexMap: {
        const Value key = pop();
        const Value item = index_of(i.op, pop(), key);
        Heap::share(item);
        push(item);
        break;
      }
      case Op::kInSeq:
      case Op::kInSet:
      case Op::kInMap: {
        const Value collection = pop();
        push(Value::boolean(contains(i.op, pop(), collection)));
        break;
      }
      case Op::kKeys:
      case Op::kValues: push(keys_or_values(i.op, pop())); break;
      case Op::kSizeof: push(Value::small(size_of(pop()))); break;
      case Op::kCast: check_type(m_.stack.back(), i.a, "the value"); break;
      case Op::kToInt: {
        const double d = real(pop());
        const bool fits = d >= -9223372036854775808.0 && d < 9223372036854775808.0;
        push(heap_.integer(fits ? static_cast<std::int64_t>(d) : std::numeric_limits<std::int64_t>::min()));
        break;
      }
      case Op::kToFloat: push(heap_.real(static_cast<double>(integer(pop())))); break;
      case Op::kToReference: {
        const Value v = pop();
        need(v, Tag::kMachine, "a machine");
        if (!world_.code.permissions[v.permissions()]->includes(*world_.code.permissions[i.a]))
          fail("R16", fmt::format("the reference to {} does not permit all events of the target type", text(v)));
        push(Value::machine(v.slot(), i.a));
        break;
      }
      case Op::kFormat: {
        std::string result = formatted(world_.code.formats[i.a]);
        push(heap_.string(result));
        break;
      }
      case Op::kNot: m_.stack.back() = Value::boolean(!truth(m_.stack.back())); break;
      case Op::kNegInt: push(heap_.integer(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(integer(pop()))))); break;
      case Op::kNegFloat: push(heap_.real(-real(pop()))); break;
      case Op::kAddInt:
      case Op::kSubInt:
      case Op::kMulInt:
      case Op::kDivInt:
      case Op::kModInt:
      case Op::kAddFloat:
      case Op::kSubFloat:
      case Op::kMulFloat:
      case Op::kDivFloat:
      case Op::kModFloat:
      case Op::kConcat: {
        const Value b = pop();
        m_.stack.back() = arithmetic(i.op, m_.stack.back(), b);
        break;
      }
      case Op::kLessInt:
      case Op::kLessEqualInt:
      case Op::kLessFloat:
      case Op::kLessEqualFloat:
      case Op::kLessString:
      case Op::kLessEqualString: {
        const Value b = pop();
        m_.stack.back() = Value::boolean(less(i.op, m_.stack.back(), b));
        break;
      }
      case Op::kEqual:
      case Op::kNotEqual: {
        const Value b = pop();
        m_.stack.back() = Value::boolean(equal(heap_, m_.stack.back(), b) == (i.op == Op::kEqual));
        break;
      }
      case Op::kJump: frame.pc = i.a; continue;
      case Op::kJumpIf:
        frame.pc = truth(pop()) ? i.a : frame.pc + 1;
        continue;
      case Op::kJumpIfNot:
        frame.pc = truth(pop()) ? frame.pc + 1 : i.a;
        continue;
      case Op::kLoop:
        count_in_code();
        frame.pc = i.a;
        continue;
      case Op::kForeach: {
        const auto next = static_cast<std::uint32_t>(m_.stack.back().number());
        const Value collection = m_.stack[m_.stack.size() - 2];
        if (next >= size_of(collection)) {
          frame.pc = i.a;
          continue;
        }
        m_.stack.back() = Value::small(next + 1);
        const Value item = heap_.object(collection)->items()[collection.is(Tag::kSeq) ? next : nth_slot(heap_, collection, next)];
        Heap::share(item);
        push(item);
        break;
      }
      case Op::kCall: call(i.a); continue;
      case Op::kCallForeign: call_foreign(i); break;
      case Op::kReturn:
      case Op::kReturnValue: {
        const Value result = i.op == Op::kReturnValue ? pop() : Value::null();
        m_.stack.resize(frame.base);
        m_.frames.pop_back();
        if (m_.frames.empty()) return Flow::kReturned;
        push(result);
        break;
      }
      case Op::kAssign:
      case Op::kInsertSeq:
      case Op::kInsertMap:
      case Op::kAddSet:
      case Op::kRemoveSeq:
      case Op::kRemoveMap:
      case Op::kRemoveSet: change(i); break;
      case Op::kChoose: {
        std::uint32_t chosen = 0;
        if (!choose(2, chosen, i.a != 0)) return Flow::kStopped;
        if (log_ != nullptr) log_->back().other = 0, log_->back().flag = true;
        push(Value::boolean(chosen == 1));
        break;
      }
      case Op::kChooseInt: {
        const auto n = static_cast<std::int32_t>(integer(m_.stack.back()));
        if (n < 0) fail("R23", fmt::format("choose({}): the number of choices is negative", n));
        if (n > 10'000) fail("R15", fmt::format("choose({}): at most 10,000 choices are possible", n));
        std::uint32_t chosen = 0;
        if (!choose(static_cast<std::uint64_t>(n), chosen)) return Flow::kStopped;
        m_.stack.back() = Value::small(chosen);
        break;
      }
      case Op::kChooseSeq:
      case Op::kChooseSet:
      case Op::kChooseMap: {
        bool stopped = false;
        const Value item = choose_element(i.op, m_.stack.back(), stopped);
        if (stopped) return Flow::kStopped;
        m_.stack.back() = item;
        break;
      }
      case Op::kNew:
        if (!create(i)) return Flow::kStopped;
        break;
      case Op::kSend:
        if (send() == Flow::kStopped) return Flow::kStopped;
        break;
      case Op::kAnnounce: announce(); break;
      case Op::kRaise: {
        m_.payload = pop();
        const Value event = pop();
        if (event.is_null()) fail("R04", "the event to raise is null");
        need(event, Tag::kEvent, "an event");
        m_.event = event.event_number();
        note_event(Act::kRaise, m_.event, m_.payload);
        return Flow::kRaised;
      }
      case Op::kGoto:
        m_.payload = pop();
        m_.target = i.a;
        if (log_ != nullptr) {
          note_state(Act::kGoto);
          log_->back().text = m_.code->states[i.a].source->name.text;
        }
        return Flow::kGoto;
      case Op::kReceive: {
        const Flow flow = receive(i);
        if (flow != Flow::kReturned) return flow;
        continue;
      }
      case Op::kBind: {
        const Value payload = pop();
        check_type(payload, i.b, "the payload");
        m_.stack[frame.base + i.a] = payload;
        break;
      }
      case Op::kPrint: {
        const Value v = pop();
        if (log_ != nullptr) {
          note_state(Act::kPrint);
          log_->back().text = text(v);
        }
        break;
      }
      case Op::kFail: fail("R01", i.a == 1 ? "assertion failed: " + text(pop()) : "assertion failed");
    }
    ++m_.frames.back().pc;
  }
}

void Vm::call(std::uint32_t function) {
  count_in_code();
  const CodeFunction& f = world_.code.functions[function];
  if (m_.frames.size() >= kMaxFrames) meet_limit(fmt::format("more than {} open calls in '{}', the last of function '{}'", with_separators(kMaxFrames), name_of_self(), f.name));
  m_.frames.push_back({function, 0, static_cast<std::uint32_t>(m_.stack.size() - f.params)});
  m_.stack.insert(m_.stack.end(), f.locals.begin(), f.locals.end());
}

void Vm::call_foreign(const Instr& instr) {
  ++foreign_calls_;
  const CodeFunction& f = world_.code.functions[instr.a];
  const std::size_t first = m_.stack.size() - f.params;
  if (world_.foreign == nullptr) fail("R23", fmt::format("foreign function '{}' has no implementation", f.name));
  // It may crash, and a step that crashed cannot be repeated from point to point, as a failing step can. So the step goes to its first point before the call.
  if (out_->passed > 0) fail("R23", "it is not called behind a point that was passed over");
  const auto result = world_.foreign->call(instr.a, {m_.stack.data() + first, f.params}, heap_, world_);
  if (!result.problem.empty()) fail("R23", fmt::format("foreign function '{}': {}", f.name, result.problem));
  check_type(result.value, f.source->result->index, "the result of the foreign function");
  m_.stack.resize(first);
  push(result.value);
}

bool Vm::choose(std::uint64_t count, std::uint32_t& chosen, bool always_fair) {
  chosen = 0;
  if (count > 1) {
    const std::size_t made = out_->values.size();
    if (made >= kMaxChoices || (made > 0 && branching_ * count > kMaxBranching)) {
      out_->exclusive = true;
      stop(Stage::kCode);
      return false;
    }
    if (made < given_.size()) {
      chosen = given_[made] < count ? given_[made] : static_cast<std::uint32_t>(count - 1);
    } else if (forking_) {
      fork(static_cast<std::uint32_t>(count));
    } else if (missing_ == Missing::kAsk) {
      out_->end = StepResult::End::kNeedsValue;
      out_->arity = static_cast<std::uint32_t>(count);
      stopped_ = true;
      return false;
    }
    out_->values.push_back(chosen);
    if (always_fair) out_->fair |= 1u << made;
    if (cursor != nullptr) cursor->values[made] = chosen, cursor->made = static_cast<std::uint32_t>(made + 1);
    out_->arities.push_back(static_cast<std::uint32_t>(count));
    branching_ *= count;
  }
  ++out_->steps;
  if (log_ != nullptr) {
    note_state(Act::kChoose);
    log_->back().text = fmt::format("{}", chosen);
    log_->back().other = static_cast<std::uint32_t>(std::max<std::uint64_t>(count, 1));
  }
  return true;
}

Value Vm::choose_element(Op op, Value collection, bool& stopped) {
  need(collection, op == Op::kChooseSeq ? Tag::kSeq : op == Op::kChooseSet ? Tag::kSet : Tag::kMap, "a collection");
  const std::uint32_t size = size_of(collection);
  if (size == 0) fail("R15", "there is nothing to choose from: the collection is empty");
  if (size > 10'000) fail("R15", fmt::format("the collection has {} elements: at most 10,000 choices are possible", size));
  std::uint32_t chosen = 0;
  stopped = !choose(size, chosen);
  if (stopped) return Value::null();
  const Value item = heap_.object(collection)->items()[op == Op::kChooseSeq ? chosen : nth_slot(heap_, collection, chosen)];
  Heap::share(item);
  return dense(heap_, item);
}

/// The lowest number that none of the machine's children has.
std::uint32_t Vm::next_child() {
  if (m_.free_children.empty()) return m_.children++;
  const std::uint32_t lowest = m_.free_children.front();
  m_.free_children.erase(m_.free_children.begin());
  return lowest;
}

bool Vm::create(const Instr& instr) {
  if (!m_.passed) {
    if (world_.numbered || stops_here(frames_touch())) {  // numbered: others may create machines before this one does
      m_.passed = true;
      stop(Stage::kCode);
      return false;
    }
  }
  m_.passed = false;
  const Value payload = pop();
  const Interface* const made = world_.test.links[m_.interface][instr.a];
  if (made == nullptr || world_.machine_of[made->index] == kNone)
    fail("R21", fmt::format("'{}' cannot create '{}': it is not bound in the module of the test", name_of_self(),
                            world_.code.program->interfaces[instr.a]->name.text));
  const std::uint32_t slot = world_.numbered ? world_.identities.slot(kNone, created_before_ + created_++, made->index)
                                             : world_.identities.slot(m_.slot, next_child(), made->index);
  if (slot == kNone) meet_limit(fmt::format("more than {} machines", with_separators(world_.identities.limit())));
  const std::uint32_t config = fresh(slot, made->index, payload);
  visible_ = true;  // the new machine may do something before this one goes on
  if (log_ != nullptr) {
    note_event(Act::kCreate, 0, payload);
    log_->back().other = slot;
  }
  out_->effects.push_back({Effect::Kind::kCreate, slot, config, out_->steps, log_ == nullptr ? 0 : static_cast<std::uint32_t>(log_->size())});
  push(Value::machine(slot, world_.code.interface_permissions[made->index]));
  return true;
}

/// The checks and the monitors, then the point; after it, the event is on its way.
Vm::Flow Vm::send() {
  const std::size_t first = m_.stack.size() - 3;
  const Value target = m_.stack[first], event = m_.stack[first + 1], payload = m_.stack[first + 2];
  if (!m_.passed) {
    if (event.is_null()) fail("R04", "the event to send is null");
    if (target.is_null()) fail("R05", fmt::format("the target of '{}' is null", text(event)));
    need(event, Tag::kEvent, "an event");
    need(target, Tag::kMachine, "a machine");
    const std::uint32_t number = event.event_number();
    if (!world_.code.permissions[m_.code->send_set]->contains(number))
      fail("R06", fmt::format("'{}' sends '{}', which is not in its 'sends'", name_of_self(), text(event)));
    if (!world_.code.permissions[target.permissions()]->contains(number))
      fail("R07", fmt::format("'{}' may not be sent to '{}' through this reference: it is not in what it receives", text(event), text(target)));
    if (log_ != nullptr) {
      note_event(Act::kSend, number, payload);
      log_->back().other = target.slot();
    }
    if (!world_.observers[m_.interface][number].empty()) {
      visible_ = true;
      out_->effects.push_back({Effect::Kind::kObserve, m_.interface, message(number, payload), out_->steps,
                               log_ == nullptr ? 0 : static_cast<std::uint32_t>(log_->size())});
    }
    m_.passed = true;
    stop(Stage::kCode);
    return Flow::kStopped;
  }
  m_.passed = false;
  visible_ = true;
  const std::uint32_t sent = message(event.event_number(), payload);
  const bool to_self = target.slot() == m_.slot;
  if (to_self) {
    inbox_.push_back(sent);
    inbox_changed_ = true;
  }
  out_->effects.push_back({to_self ? Effect::Kind::kSelf : Effect::Kind::kEnqueue, target.slot(), sent, out_->steps,
                           log_ == nullptr ? 0 : static_cast<std::uint32_t>(log_->size())});
  m_.stack.resize(first);
  return Flow::kReturned;
}

void Vm::announce() {
  const Value payload = pop(), event = pop();
  if (event.is_null()) fail("R04", "the event to announce is null");
  need(event, Tag::kEvent, "an event");
  const std::uint32_t number = event.event_number();
  note_event(Act::kAnnounce, number, payload);
  if (world_.observers[m_.interface][number].empty()) return;
  visible_ = true;
  out_->effects.push_back({Effect::Kind::kObserve, m_.interface, message(number, payload), out_->steps,
                           log_ == nullptr ? 0 : static_cast<std::uint32_t>(log_->size())});
}

/// kReturned: a case runs next, and its payload is on the stack.
Vm::Flow Vm::receive(const Instr& instr) {
  const ReceiveTable& table = world_.code.receives[instr.a];
  const bool was_blocked = m_.passed;
  m_.passed = false;
  for (std::size_t at = 0; at < inbox_.size(); ++at) {
    const std::uint32_t event = event_of(inbox_[at]);
    const std::uint32_t target = table.target[event];
    if (target == kNone && event != kHaltEvent) continue;
    const Value payload = payload_of(inbox_[at]);
    inbox_.erase(inbox_.begin() + static_cast<std::ptrdiff_t>(at));
    inbox_changed_ = true;
    if (log_ != nullptr) {
      note_event(Act::kReceive, event, payload);
      log_->back().flag = was_blocked;
    }
    const bool stops = !was_blocked && stops_here(frames_touch());
    if (target == kNone) {  // halt: as if it were raised here
      m_.event = kHaltEvent;
      m_.payload = Value::null();
      if (!stops) return Flow::kRaised;
      m_.frames.clear();
      m_.stack.clear();
      m_.after = After::kNothing;
      m_.target = 0;
      m_.function = kNone;
      m_.passed = true;
      stop(Stage::kDequeued);
      return Flow::kStopped;
    }
    push(payload);
    m_.frames.back().pc = target;
    if (!stops) return Flow::kReturned;
    stop(Stage::kCode);
    return Flow::kStopped;
  }
  if (log_ != nullptr && !was_blocked) {
    note_state(Act::kWait);
    for (std::uint32_t event = 0; event < table.target.size(); ++event)
      if (table.target[event] != kNone) log_->back().text += (log_->back().text.empty() ? "" : " ") + world_.event(event);
  }
  stop(Stage::kBlocked);
  return Flow::kStopped;
}

std::string Vm::formatted(const Format& format) {
  const std::size_t first = m_.stack.size() - format.count;
  std::string out = format.texts[0];
  for (std::size_t i = 0; i < format.arguments.size(); ++i) {
    out += text(m_.stack[first + format.arguments[i]]);
    heap_.expect_room(out.size());
    out += format.texts[i + 1];
  }
  m_.stack.resize(first);
  return out;
}

}  // namespace tarry::plang
