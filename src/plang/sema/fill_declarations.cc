// Fills in declarations: event sets, types, signatures.
#include <fmt/format.h>

#include "plang/sema/event_sets.h"
#include "plang/sema/phases.h"
#include "plang/sema/written_types.h"

namespace tarry::plang {
namespace {

class Filler {
 public:
  explicit Filler(SemaContext& context) : context_(context), program_(context.program) {}

  void run() {
    fill_sets();
    fill_enums();
    resolve_aliases(context_);
    fill_payloads();
    fill_variables();
    for (Function* function : context_.functions) fill_signature(*function);
  }

 private:
  const EventSet* set_of(const std::vector<Name>& names) {
    EventSet set;
    for (const Name& name : names) {
      const Event* event = context_.find_event(name);
      if (event == nullptr) context_.sets_broken = true;
      else add_event(set, event->index);
    }
    return context_.types().events(std::move(set));
  }

  void fill_sets() {
    EventSet all;
    for (const Event* event : program_.events) {
      if (event->index != kNullEvent) add_event(all, event->index);
    }
    program_.all_events = context_.types().events(std::move(all));
    for (const auto& set : program_.tree.event_sets) set->set = set_of(set->members);
    for (const auto& interface : program_.tree.interfaces) interface->receive_set = set_of(interface->receives);
    const EventSet* none = context_.types().events({});
    for (const auto& machine : program_.tree.machines) {
      if (machine->is_monitor()) {
        machine->receive_set = machine->send_set = none;
        machine->observe_set = set_of(machine->observes);
      } else {
        machine->receive_set = machine->has_receives ? set_of(machine->receives) : program_.all_events;
        machine->send_set = machine->has_sends ? set_of(machine->sends) : program_.all_events;
      }
    }
    for (const auto& interface : program_.made_interfaces) interface->receive_set = interface->machine->receive_set;
  }

  void fill_enums() {
    for (const auto& enumeration : program_.tree.enums) {
      enumeration->type = context_.types().enumeration(enumeration.get());
      std::unordered_map<std::int64_t, const EnumElement*> by_number;
      for (const auto& element : enumeration->elements) {
        element->owner = enumeration.get();
        const auto [at, is_new] = by_number.try_emplace(element->number, element.get());
        if (is_new) continue;
        context_.error("E03", element->name.place,
                       fmt::format("'{}' has the number {} of '{}'; elements of one enum need different numbers",
                                   element->name.text, element->number, at->second->name.text),
                       declared_here(at->second->name));
      }
    }
  }

  const Type* payload_of(const TypeExpr* written) const {
    return written == nullptr ? context_.no_value() : context_.resolve(*written);
  }

  void fill_payloads() {
    for (const auto& event : program_.tree.events) event->payload = payload_of(event->written_payload.get());
    for (const auto& interface : program_.tree.interfaces) interface->payload = payload_of(interface->written_payload.get());
  }

  void fill_variables() {
    for (const auto& param : program_.tree.params) fill_type(*param);
    for (const auto& machine : program_.tree.machines) {
      for (const auto& field : machine->fields) fill_type(*field);
    }
  }

  /// Fills in the type. Variables that were declared together share one written type, which is resolved once.
  void fill_type(Variable& variable) {
    if (variable.written_type.get() != last_written_) {
      last_written_ = variable.written_type.get();
      last_type_ = context_.resolve(*last_written_);
    }
    variable.type = last_type_;
  }

  void fill_signature(Function& function) {
    for (const auto& param : function.params) fill_type(*param);
    function.result = payload_of(function.written_result.get());
    for (const Name& name : function.creates) {
      const Interface* interface = context_.global.interfaces.find(name.text);
      FunctionFacts& facts = context_.facts[function.index];
      facts.add(FunctionEffect::kCreate, name.place);
      if (interface != nullptr) {
        facts.creates.push_back(interface);
        continue;
      }
      context_.creates_broken = true;
      context_.not_found(name, "interface or machine", nullptr, context_.global.interfaces);
    }
  }

  SemaContext& context_;
  CheckedProgram& program_;
  const TypeExpr* last_written_ = nullptr;
  const Type* last_type_ = nullptr;
};

}  // namespace

void fill_declarations(SemaContext& context) { Filler(context).run(); }

}  // namespace tarry::plang
