// Modules: the value of a module expression.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "plang/sema/sema_context.h"

namespace tarry::plang {

struct Module {
  struct Link {
    const Interface* named;    // the interface named in `new`
    const Interface* created;  // the interface that this creates
  };
  struct Bound {
    const Interface* interface;
    const Machine* machine;
    std::shared_ptr<const std::vector<Link>> links;  // one per interface that the machine creates
  };
  struct Attached {
    const Machine* monitor;
    Place place;
    std::shared_ptr<const std::vector<const Interface*>> interfaces;
  };
  std::vector<Bound> bound;               // in the order of the text
  std::vector<const Interface*> creates;  // by index
  std::vector<Attached> monitors;
  const EventSet* sends = nullptr;
  const EventSet* receives = nullptr;
  const EventSet* private_events = nullptr;
};
/// Null after an error.
using ModulePtr = std::shared_ptr<const Module>;

class Modules {
 public:
  explicit Modules(SemaContext& context) : context_(context) {}

  /// Evaluates the named modules, unused ones too. Call it before `evaluate`.
  void evaluate_named();
  ModulePtr evaluate(const ModuleExpr& expr);
  /// Returns `{ M, … }` with every machine, for programs without a test.
  ModulePtr of_all_machines();

 private:
  ModulePtr primitive(const ModuleExpr& expr);
  ModulePtr combination(const ModuleExpr& expr);
  ModulePtr assertion(const ModuleExpr& expr);
  ModulePtr hiding_events(const ModuleExpr& expr);
  ModulePtr hiding_interfaces(const ModuleExpr& expr);
  ModulePtr renaming(const ModuleExpr& expr);

  void bind(Module& module, const Interface& interface, const Machine& machine) const;
  void finish_primitive(Module& module) const;
  void check_hidden(const Module& module, const Name& name, const Event& event, const EventSet& hidden);
  const EventSet* payload_permissions(const Event& event);
  EventSet permissions_of(const EventSet& events);
  /// Counts what modules hold, so that none grows without bound. Returns false after an error.
  bool spend(std::size_t items, Place place);

  friend class Combination;

  SemaContext& context_;
  std::unordered_map<const ModuleDecl*, ModulePtr> named_;
  std::vector<const EventSet*> permissions_;  // by event; unknown ones are empty
  std::size_t spent_ = 0;
  bool is_exhausted_ = false;
};

}  // namespace tarry::plang
