// Generates the tables around the functions: machines, states, the reaction of each state to each event, and the events that each
// function may report to a monitor.
#include "plang/code/bytecode.h"

#include <fmt/format.h>

#include <algorithm>

#include "plang/code/function_compiler.h"
#include "plang/code/generator.h"
#include "plang/code/walk.h"

namespace tarry::plang {

Generator::Generator(const CheckedProgram& program, Code& code)
    : code_(code), heap_(*code.pool), orders_(program), event_count_(program.events.size()) {
  permissions(nullptr);  // number 0
}

std::uint32_t Generator::constant(Value v) {
  const auto [at, is_new] = constants_.try_emplace(v.bits(), static_cast<std::uint32_t>(code_.constants.size()));
  if (is_new) code_.constants.push_back(v);
  return at->second;
}

std::uint32_t shape_number(const std::vector<std::string>& names, Code& code) {
  const auto found = std::find(code.shapes.begin(), code.shapes.end(), names);
  const auto number = static_cast<std::uint32_t>(found - code.shapes.begin());
  if (found == code.shapes.end()) code.shapes.push_back(names);
  return number;
}

std::uint32_t Generator::field_name(const std::string& name) {
  const auto [at, is_new] = field_names_.try_emplace(name, static_cast<std::uint32_t>(code_.field_names.size()));
  if (is_new) code_.field_names.push_back(name);
  return at->second;
}

std::uint32_t Generator::permissions(const EventSet* set) {
  static const EventSet kEmpty{};
  if (set == nullptr) set = &kEmpty;
  const auto [at, is_new] = permissions_.try_emplace(set->bits, static_cast<std::uint32_t>(code_.permissions.size()));
  if (is_new) code_.permissions.push_back(set);
  return at->second;
}

std::uint32_t Generator::format(Format format) {
  code_.formats.push_back(std::move(format));
  return static_cast<std::uint32_t>(code_.formats.size() - 1);
}
std::uint32_t Generator::path(Path path) {
  code_.paths.push_back(std::move(path));
  return static_cast<std::uint32_t>(code_.paths.size() - 1);
}
std::uint32_t Generator::receive(ReceiveTable table) {
  code_.receives.push_back(std::move(table));
  return static_cast<std::uint32_t>(code_.receives.size() - 1);
}

namespace {

Value least_element(const Enum& e, Heap& heap) {
  std::int64_t least = e.elements.front()->number;
  for (const auto& element : e.elements) least = std::min(least, element->number);
  return heap.integer(least);
}

}  // namespace

Value default_value(const Type* type, Heap& heap, Code& code) {
  switch (type->kind) {
    case TypeKind::kBool: return Value::boolean(false);
    case TypeKind::kInt: return Value::small(0);
    case TypeKind::kFloat: return heap.real(0);
    case TypeKind::kString: return heap.string("");
    case TypeKind::kEnum: return least_element(*type->enumeration, heap);
    case TypeKind::kSeq: return heap.make(Tag::kSeq, {});
    case TypeKind::kSet: return heap.make(Tag::kSet, {});
    case TypeKind::kMap: return heap.make(Tag::kMap, {});
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: {
      std::vector<Value> items;
      for (const Type* part : type->parts) items.push_back(default_value(part, heap, code));
      if (type->kind == TypeKind::kTuple) return heap.make(Tag::kTuple, items);
      return heap.make(Tag::kNamedTuple, items, shape_number(type->names, code));
    }
    default: return Value::null();
  }
}

namespace {

using Bits = std::vector<std::uint64_t>;

void join(Bits& into, const Bits& from) {
  for (std::size_t i = 0; i < from.size(); ++i) into[i] |= from[i];
}

/// Collects the events that a function itself may send or announce.
class Teller : public TreeVisitor {
 public:
  explicit Teller(std::size_t events) : bits_((events + 63) / 64) {}
  void expression(const Expr& e) override {
    if (e.kind == ExprKind::kCall) calls_.push_back(e.function->index);
  }
  void statement(const Stmt& s) override {
    if (s.kind != StmtKind::kSend && s.kind != StmtKind::kAnnounce) return;
    const Expr& event = *s.exprs[s.kind == StmtKind::kSend ? 1 : 0];
    if (event.kind == ExprKind::kName && event.event != nullptr) bits_[event.event->index / 64] |= std::uint64_t{1} << (event.event->index % 64);
    else if (event.kind == ExprKind::kHalt) bits_[0] |= std::uint64_t{1} << kHaltEvent;
    else std::fill(bits_.begin(), bits_.end(), ~std::uint64_t{0});
  }
  Bits bits_;
  std::vector<std::uint32_t> calls_;
};

/// Closes `tells` over calls, then over raises and gotos: everything that the functions of a machine report may follow those.
void close_tells(const CheckedProgram& program, Code& code) {
  std::vector<Teller> tellers;
  for (const Function* f : program.functions) {
    tellers.emplace_back(program.events.size());
    visit(*f, tellers.back());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Teller& teller : tellers)
      for (const std::uint32_t callee : teller.calls_) {
        const Bits before = teller.bits_;
        join(teller.bits_, tellers[callee].bits_);
        changed = changed || before != teller.bits_;
      }
  }
  for (CodeMachine& machine : code.machines) machine.tells.assign((program.events.size() + 63) / 64, 0);
  for (const Function* f : program.functions)
    if (f->owner != nullptr) join(code.machines[f->owner->index].tells, tellers[f->index].bits_);
  for (const Function* f : program.functions) {
    CodeFunction& out = code.functions[f->index];
    out.tells = tellers[f->index].bits_;
    if (f->owner != nullptr && (f->effects.raises || f->effects.changes_state)) join(out.tells, code.machines[f->owner->index].tells);
  }
}

Reaction reaction_of(const Handler& handler) {
  Reaction r;
  switch (handler.kind) {
    case Handler::Kind::kDo: r.kind = Reaction::Kind::kDo; break;
    case Handler::Kind::kGoto: r.kind = Reaction::Kind::kGoto; break;
    case Handler::Kind::kDefer: r.kind = Reaction::Kind::kDefer; break;
    case Handler::Kind::kIgnore: r.kind = Reaction::Kind::kIgnore; break;
  }
  if (handler.function != nullptr) r.function = handler.function->index;
  if (handler.target != nullptr) r.target = handler.target->index;
  return r;
}

void name_handlers(const Machine& machine, Code& code) {
  const auto name = [&](const Function* f, const std::string& what) {
    if (f != nullptr && f->is_anonymous()) code.functions[f->index].name = fmt::format("{}: {}", machine.name.text, what);
  };
  for (const auto& state : machine.states) {
    name(state->entry, fmt::format("entry of '{}'", state->name.text));
    name(state->exit, fmt::format("exit of '{}'", state->name.text));
    for (const Handler& handler : state->handlers)
      if (!handler.triggers.empty()) name(handler.function, fmt::format("'{}' on {}", state->name.text, handler.triggers[0].text));
  }
}

CodeMachine machine_of(const Machine& source, const CheckedProgram& program, Generator& generator) {
  CodeMachine machine;
  machine.source = &source;
  machine.start = source.start == nullptr ? kNone : source.start->index;
  machine.send_set = generator.permissions(source.send_set);
  machine.receive_set = generator.permissions(source.receive_set);
  for (const auto& field : source.fields) machine.fields.push_back(generator.default_of(field->type));
  for (const auto& state : source.states) {
    CodeState out;
    out.source = state.get();
    out.temperature = state->temperature;
    if (state->entry != nullptr) out.entry = state->entry->index;
    if (state->exit != nullptr) out.exit = state->exit->index;
    out.reactions.resize(program.events.size());
    for (std::size_t event = 0; event < state->table.size(); ++event)
      if (state->table[event] != nullptr) out.reactions[event] = reaction_of(*state->table[event]);
    out.has_null = out.reactions[kNullEvent].kind != Reaction::Kind::kUnhandled;
    for (const Reaction& r : out.reactions) machine.ignores_something = machine.ignores_something || r.kind == Reaction::Kind::kIgnore;
    machine.states.push_back(std::move(out));
  }
  return machine;
}

}  // namespace

void compile_function(Generator& generator, const Function& source, CodeFunction& out) {
  out.source = &source;
  out.name = source.owner != nullptr ? source.owner->name.text + "." + source.name.text : source.name.text;
  out.params = static_cast<std::uint32_t>(source.params.size());
  out.is_foreign = source.is_foreign;
  if (out.params > 0) out.param_type = source.params[0]->type->index;
  if (source.is_foreign) return;
  for (std::size_t i = out.params; i < source.frame.size(); ++i) out.locals.push_back(generator.default_of(source.frame[i]->type));
  FunctionCompiler compiler(generator, out);
  compiler.statements(source.body);
  compiler.finish(source.body_end);
}

std::unique_ptr<Code> generate(const CheckedProgram& program) {
  auto code = std::make_unique<Code>();
  code->program = &program;
  code->pool = std::make_unique<Pool>();
  Generator generator(program, *code);
  code->functions.resize(program.functions.size());
  for (const Function* f : program.functions) compile_function(generator, *f, code->functions[f->index]);
  for (const Machine* machine : program.machines) {
    code->machines.push_back(machine_of(*machine, program, generator));
    name_handlers(*machine, *code);
  }
  for (std::uint32_t i = 0; i < program.types.size(); ++i) code->types.push_back({program.types.at(i).kind, type_text(&program.types.at(i))});
  for (const Interface* interface : program.interfaces) code->interface_permissions.push_back(generator.permissions(interface->receive_set));
  for (const Variable* param : program.params) code->param_defaults.push_back(generator.default_of(param->type));
  close_tells(program, *code);
  code->shows_machine_numbers = generator.orders().shows_machines();
  return code;
}

}  // namespace tarry::plang
