// Decides whether a body always returns (E40). The decision uses the text alone; code after a return does not matter.
#include <algorithm>

#include "plang/sema/body.h"

namespace tarry::plang {
namespace {

bool returns(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kBlock: return surely_returns(stmt.body);
    case StmtKind::kReturn:
    case StmtKind::kGoto:
    case StmtKind::kRaise: return true;
    case StmtKind::kAssert: return stmt.exprs[0]->kind == ExprKind::kBool && stmt.exprs[0]->number == 0;
    case StmtKind::kIf: return stmt.body.size() == 2 && returns(*stmt.body[0]) && returns(*stmt.body[1]);
    case StmtKind::kReceive:
      return std::all_of(stmt.cases.begin(), stmt.cases.end(), [](const ReceiveCase& one) { return surely_returns(one.body); });
    default: return false;
  }
}

}  // namespace

bool surely_returns(const std::vector<StmtPtr>& body) {
  return std::any_of(body.begin(), body.end(), [](const StmtPtr& stmt) { return returns(*stmt); });
}

}  // namespace tarry::plang
