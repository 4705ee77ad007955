// What P programs write to: variables, and what lies within them.
//
// An lvalue is evaluated in two parts: its index expressions from left to right, before the right-hand side; then, after it, the
// indices that are bare variables, and the way from the variable to the place. Everything that can fail on that way fails then.
#include "base/assert.h"
#include "tests/support/p_reference/walk.h"

namespace tarry::plang::reference {

Value& Walk::variable(const Variable& variable) {
  TARRY_ASSERT(variable.kind != Variable::Kind::kGlobalParam);
  return variable.kind == Variable::Kind::kField ? self_.fields[variable.index] : slots_[variable.index];
}

Walk::Path Walk::begin_path(const Expr& lvalue) {
  if (lvalue.kind == ExprKind::kName) return {lvalue.variable, {}};
  Path path = begin_path(*lvalue.args[0]);
  Access access{&lvalue, std::nullopt};
  if (lvalue.kind == ExprKind::kIndex && !is_bare_variable(*lvalue.args[1])) access.index = eval(*lvalue.args[1]);
  path.accesses.push_back(std::move(access));
  return path;
}

void Walk::read_bare(Path& path) {
  for (Access& access : path.accesses) {
    if (access.expr->kind == ExprKind::kIndex && !access.index) access.index = eval(*access.expr->args[1]);
  }
}

/// Where the first `accesses` of the path lead.
Value& Walk::locate(Path& path, std::size_t accesses) {
  read_bare(path);
  Value* at = &variable(*path.root);
  for (std::size_t i = 0; i < accesses; ++i) at = &step(*at, path.accesses[i]);
  return *at;
}

Value& Walk::step(Value& base, const Access& access) {
  const Expr& expr = *access.expr;
  if (expr.kind != ExprKind::kIndex) return field_of(base, expr);
  Value index = *access.index;
  if (expr.args[0]->type->kind == TypeKind::kSeq) {
    Values& items = need<Seq>(base, expr.place).items;
    return items[position(index, items.size(), expr.place)];
  }
  Map& map = need<Map>(base, expr.place);
  need_key(index, expr.place);
  const auto slot = map.keys.find(index);
  if (!slot) fail("R11", expr.place, "the map has no such key: " + execution_.text(index));
  return map.values[*slot];
}

void Walk::exec_assign(const Stmt& stmt) {
  const Expr& target = *stmt.exprs[0];
  Path path = begin_path(target);
  Value value = eval(*stmt.exprs[1]);
  const bool into_map = target.kind == ExprKind::kIndex && target.args[0]->type->kind == TypeKind::kMap;
  if (!into_map) {
    locate(path, path.accesses.size()) = std::move(value);
    return;
  }
  Map& map = need<Map>(locate(path, path.accesses.size() - 1), target.place);
  const Value& key = *path.accesses.back().index;
  need_key(key, target.place);
  if (const auto slot = map.keys.find(key)) map.values[*slot] = std::move(value);
  else map.insert(key, std::move(value));
}

void Walk::exec_insert(const Stmt& stmt) {
  Path path = begin_path(*stmt.exprs[0]);
  Value key = eval(*stmt.exprs[1]);
  Value value = eval(*stmt.exprs[2]);
  Value& collection = locate(path, path.accesses.size());
  if (stmt.exprs[0]->type->kind == TypeKind::kSeq) {
    Values& items = need<Seq>(collection, stmt.place).items;
    const std::size_t at = position(key, items.size() + 1, stmt.place);
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
    return;
  }
  Map& map = need<Map>(collection, stmt.place);
  need_key(key, stmt.place);
  if (map.keys.find(key)) fail("R11", stmt.place, "the map has this key already: " + execution_.text(key));
  map.insert(std::move(key), std::move(value));
}

void Walk::exec_add(const Stmt& stmt) {
  Path path = begin_path(*stmt.exprs[0]);
  Value element = eval(*stmt.exprs[1]);
  Set& set = need<Set>(locate(path, path.accesses.size()), stmt.place);
  if (element.is_null()) fail("R12", stmt.place, "null is added to a set");
  if (!set.elements.find(element)) set.elements.insert(std::move(element));
}

void Walk::exec_remove(const Stmt& stmt) {
  Path path = begin_path(*stmt.exprs[0]);
  Value what = eval(*stmt.exprs[1]);
  Value& collection = locate(path, path.accesses.size());
  switch (stmt.exprs[0]->type->kind) {
    case TypeKind::kSeq: {
      Values& items = need<Seq>(collection, stmt.place).items;
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(position(what, items.size(), stmt.place)));
      break;
    }
    case TypeKind::kSet: {
      Slots& elements = need<Set>(collection, stmt.place).elements;
      if (const auto slot = elements.find(what)) elements.erase(*slot);
      break;
    }
    default: {
      Map& map = need<Map>(collection, stmt.place);
      need_key(what, stmt.place);
      if (const auto slot = map.keys.find(what)) {
        map.keys.erase(*slot);
        map.values[*slot] = Value{};
      }
    }
  }
}

}  // namespace tarry::plang::reference
