// type = "seq" "[" type "]" | "set" "[" type "]" | "map" "[" type "," type "]" | tuple | named tuple | word | name
#include "plang/syntax/parser_inside.h"

namespace tarry::plang {
namespace {

TypeSyntax type_syntax(TokenKind token) {
  switch (token) {
    case TokenKind::kSeq: return TypeSyntax::kSeq;
    case TokenKind::kSet: return TypeSyntax::kSet;
    case TokenKind::kMap: return TypeSyntax::kMap;
    case TokenKind::kLeftParen: return TypeSyntax::kTuple;
    case TokenKind::kBool: return TypeSyntax::kBool;
    case TokenKind::kIntWord: return TypeSyntax::kInt;
    case TokenKind::kFloat: return TypeSyntax::kFloat;
    case TokenKind::kStringWord: return TypeSyntax::kString;
    case TokenKind::kEvent: return TypeSyntax::kEvent;
    case TokenKind::kMachine: return TypeSyntax::kMachine;
    case TokenKind::kData: return TypeSyntax::kData;
    case TokenKind::kAny: return TypeSyntax::kAny;
    default: return TypeSyntax::kNamed;
  }
}

}  // namespace

std::unique_ptr<TypeExpr> Parser::type() {
  const Nest nest(*this);
  auto result = std::make_unique<TypeExpr>();
  result->kind = type_syntax(ahead(0));
  result->place = place();
  if (result->kind == TypeSyntax::kNamed) {
    if (!at(TokenKind::kName)) fail_expected("a type");
    result->name = take_name();
    return result;
  }
  take();
  if (result->kind == TypeSyntax::kTuple) {
    tuple_type(*result);
  } else if (result->kind <= TypeSyntax::kMap) {
    expect(TokenKind::kLeftBracket, "before the type of the elements");
    result->parts.push_back(type());
    if (result->kind == TypeSyntax::kMap) {
      expect(TokenKind::kComma, "between the types of keys and values");
      result->parts.push_back(type());
    }
    expect(TokenKind::kRightBracket, "after the type of the elements");
  }
  return result;
}

void Parser::tuple_type(TypeExpr& out) {
  if (at(TokenKind::kName) && ahead(1) == TokenKind::kColon) out.kind = TypeSyntax::kNamedTuple;
  do {
    if (out.kind == TypeSyntax::kNamedTuple) {
      out.names.push_back(name("the name of a field"));
      expect(TokenKind::kColon, "after the name of the field");
    }
    out.parts.push_back(type());
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kRightParen, "after the fields of the tuple");
}

}  // namespace tarry::plang
