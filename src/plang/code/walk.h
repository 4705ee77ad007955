// Visits every statement and expression of a function, each before its parts.
#pragma once

#include "plang/syntax/ast.h"

namespace tarry::plang {

class TreeVisitor {
 public:
  virtual ~TreeVisitor() = default;
  virtual void expression(const Expr& e) = 0;
  virtual void statement(const Stmt& s) = 0;
};

inline void visit(const Expr& e, TreeVisitor& visitor) {
  visitor.expression(e);
  for (const ExprPtr& arg : e.args) visit(*arg, visitor);
}

inline void visit(const Stmt& s, TreeVisitor& visitor) {
  visitor.statement(s);
  for (const ExprPtr& e : s.exprs) visit(*e, visitor);
  for (const StmtPtr& inner : s.body) visit(*inner, visitor);
  for (const ReceiveCase& c : s.cases)
    for (const StmtPtr& inner : c.body) visit(*inner, visitor);
}

inline void visit(const Function& f, TreeVisitor& visitor) {
  for (const StmtPtr& s : f.body) visit(*s, visitor);
}

}  // namespace tarry::plang
