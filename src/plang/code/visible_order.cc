#include "plang/code/visible_order.h"

#include <algorithm>
#include <numeric>

#include "plang/code/walk.h"

namespace tarry::plang {
namespace {

bool is_collection(const Type* type) { return type->kind == TypeKind::kSet || type->kind == TypeKind::kMap; }

bool holds(const Type* type, bool (*what)(const Type*)) {
  if (what(type)) return true;
  for (const Type* part : type->parts)
    if (holds(part, what)) return true;
  return false;
}

bool may_hold_anything(const Type* type) {
  return type->kind == TypeKind::kAny || type->kind == TypeKind::kData || type->kind == TypeKind::kForeign;
}

bool may_be_machine(const Type* type) {
  return type->kind == TypeKind::kMachine || type->kind == TypeKind::kReference || type->kind == TypeKind::kAny;
}

bool may_be_any_value(const Type* type) { return type->kind == TypeKind::kAny || type->kind == TypeKind::kData; }

/// Returns whether different keys of the type have different texts. Strings inside another value do not: ("a, b") and ("a", "b")
/// look the same.
bool texts_differ(const Type* key) {
  switch (key->kind) {
    case TypeKind::kBool:
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kString:
    case TypeKind::kEnum:
    case TypeKind::kEvent:
    case TypeKind::kMachine:
    case TypeKind::kReference: return true;
    default: return false;
  }
}

/// Groups types whose values may be the same value, seen through different types.
class Classes {
 public:
  explicit Classes(const TypeTable& types) : parent_(types.size()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::uint32_t i = 0; i < types.size(); ++i)
      if (is_collection(&types.at(i))) collections_.push_back(&types.at(i));
    constexpr std::size_t kTooMany = 1000;
    if (collections_.size() > kTooMany) {
      join_all();
      return;
    }
    for (const Type* a : collections_)
      for (const Type* b : collections_)
        if (a != b && assignable(a, b)) join(a, b);
  }
  std::uint32_t find(const Type* type) {
    std::uint32_t at = type->index;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void join_all() {
    for (const Type* type : collections_)
      for (const Type* other : collections_)
        if (other->kind == type->kind) {
          join(other, type);
          break;
        }
  }
  const std::vector<const Type*>& collections() const { return collections_; }

 private:
  void join(const Type* a, const Type* b) { parent_[find(a)] = find(b); }
  std::vector<std::uint32_t> parent_;
  std::vector<const Type*> collections_;
};

class Observer : public TreeVisitor {
 public:
  Observer(Classes& classes, std::size_t types) : classes_(classes), observed_(types) {}

  void expression(const Expr& e) override {
    switch (e.kind) {
      case ExprKind::kIndex:
        if (e.args[0]->type->kind == TypeKind::kSet) observe(e.args[0]->type);
        break;
      case ExprKind::kKeys:
      case ExprKind::kValues:
      case ExprKind::kChooseFrom: observe(e.args[0]->type); break;
      case ExprKind::kAs:
        if (holds(e.target, is_collection)) mixed_ = true;
        if (!e.target->parts.empty()) mistyped_ = true;
        break;
      case ExprKind::kFormat:
        if (e.args.empty() || &e == only_shown_) break;
        for (const ExprPtr& arg : e.args) {
          shows_machines_ = shows_machines_ || holds(arg->type, may_be_machine);
          texts_.push_back(arg->type);
        }
        break;
      case ExprKind::kCall:
        if (e.function->is_foreign)
          for (const auto& param : e.function->params) observe_all(param->type);
        break;
      default: break;
    }
  }
  void statement(const Stmt& s) override {
    only_shown_ = s.kind == StmtKind::kPrint ? s.exprs[0].get() : s.kind == StmtKind::kAssert && s.exprs.size() > 1 ? s.exprs[1].get() : nullptr;
    if (s.kind == StmtKind::kForeach) observe(s.exprs[0]->type);
    const std::size_t event = s.kind == StmtKind::kSend ? 1 : 0;
    if (s.kind != StmtKind::kSend && s.kind != StmtKind::kRaise && s.kind != StmtKind::kAnnounce) return;
    if (s.exprs[event]->kind == ExprKind::kName && s.exprs[event]->event != nullptr) return;
    for (std::size_t i = event + 1; i < s.exprs.size(); ++i)  // the payload of an unknown event is not checked
      if (holds(s.exprs[i]->type, is_collection) || holds(s.exprs[i]->type, may_hold_anything)) mixed_ = mistyped_ = true;
  }

  /// Handles texts of maps. The text of a map is in the order of its keys' texts; keys with the same text keep their order in the
  /// map. Call it at the end.
  void look_at_texts() {
    const bool of_anything = std::any_of(texts_.begin(), texts_.end(), [](const Type* text) { return holds(text, may_be_any_value); });
    for (const Type* type : classes_.collections()) {
      if (type->kind != TypeKind::kMap || (texts_differ(type->parts[0]) && !mistyped_)) continue;
      if (of_anything || std::any_of(texts_.begin(), texts_.end(), [&](const Type* text) { return is_in(type, text); })) observe(type);
    }
  }
  bool mixed() const { return mixed_; }
  bool mistyped() const { return mistyped_; }
  bool shows_machines() const { return shows_machines_; }
  std::vector<bool> classes() {
    std::vector<bool> seen(observed_.size());
    for (const Type* type : classes_.collections())
      if (observed_[type->index]) seen[classes_.find(type)] = true;
    return seen;
  }

 private:
  void observe(const Type* type) {
    if (is_collection(type)) observed_[type->index] = true;
  }
  static bool is_in(const Type* part, const Type* whole) {
    return part == whole || std::any_of(whole->parts.begin(), whole->parts.end(), [&](const Type* next) { return is_in(part, next); });
  }
  void observe_all(const Type* type) {
    if (may_hold_anything(type)) mixed_ = true;
    observe(type);
    for (const Type* part : type->parts) observe_all(part);
  }
  Classes& classes_;
  std::vector<bool> observed_;
  bool mixed_ = false, mistyped_ = false, shows_machines_ = false;
  std::vector<const Type*> texts_;    // of values that become a text which the program uses
  const Expr* only_shown_ = nullptr;  // a text that is only printed, or the message of an assertion
};

}  // namespace

Orders::Orders(const CheckedProgram& program)
    : keepings_(program.types.size(), Keeping::kSorted), dense_(program.types.size(), false) {
  Classes classes(program.types);
  Observer observer(classes, program.types.size());
  for (const Function* function : program.functions) visit(*function, observer);
  observer.look_at_texts();
  if (observer.mixed()) classes.join_all();
  mistyped_ = observer.mistyped();
  shows_machines_ = observer.shows_machines();
  const std::vector<bool> observed = observer.classes();
  bool any = false;
  for (const Type* type : classes.collections()) {
    if (!observed[classes.find(type)]) continue;
    keepings_[type->index] = Keeping::kSlots;
    any = true;
  }
  for (std::uint32_t i = 0; any && i < program.types.size(); ++i) {
    const Type* type = &program.types.at(i);
    dense_[i] = holds(type, is_collection) || holds(type, may_hold_anything);
  }
}

}  // namespace tarry::plang
