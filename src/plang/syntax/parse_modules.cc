// Modules, implementations and tests. `union` and `compose` take as many operands as they can, so within another list they need
// parentheses.
#include "plang/syntax/parser_inside.h"

namespace tarry::plang {
namespace {

ModuleKind module_kind(TokenKind token) {
  switch (token) {
    case TokenKind::kLeftBrace: return ModuleKind::kPrimitive;
    case TokenKind::kCompose: return ModuleKind::kCompose;
    case TokenKind::kUnion: return ModuleKind::kUnion;
    case TokenKind::kHideE: return ModuleKind::kHideEvents;
    case TokenKind::kHideI: return ModuleKind::kHideInterfaces;
    case TokenKind::kAssert: return ModuleKind::kAssert;
    case TokenKind::kRename: return ModuleKind::kRename;
    case TokenKind::kMain: return ModuleKind::kMain;
    default: return ModuleKind::kNamed;
  }
}

}  // namespace

// ---- Module expressions.

std::unique_ptr<ModuleExpr> Parser::module_expression() {
  const Nest nest(*this);
  if (accept(TokenKind::kLeftParen)) {
    auto inner = module_expression();
    expect(TokenKind::kRightParen, "after the module");
    return inner;
  }
  auto module = std::make_unique<ModuleExpr>();
  module->kind = module_kind(ahead(0));
  module->place = place();
  if (module->kind == ModuleKind::kNamed) {
    if (!at(TokenKind::kName)) fail_expected("a module");
    module->names.push_back(take_name());
    return module;
  }
  take();
  switch (module->kind) {
    case ModuleKind::kPrimitive: primitive_module(*module); break;
    case ModuleKind::kCompose:
    case ModuleKind::kUnion:
      module->parts.push_back(module_expression());
      expect(TokenKind::kComma, "after the first of at least two modules");
      do module->parts.push_back(module_expression());
      while (accept(TokenKind::kComma));
      break;
    case ModuleKind::kHideEvents: module->names = event_names(Null::kRefused); break;
    case ModuleKind::kHideInterfaces: module->names = names("the name of an interface"); break;
    case ModuleKind::kAssert: module->names = names("the name of a spec machine"); break;
    case ModuleKind::kMain: module->names.push_back(name("the name of the main machine")); break;
    default:  // rename
      module->names.push_back(name("the name of an interface"));
      expect(TokenKind::kTo, "after the name of the interface");
      module->names.push_back(name("the new name of the interface"));
  }
  if (module->kind >= ModuleKind::kHideEvents) {
    expect(TokenKind::kIn, "before the module");
    module->parts.push_back(module_expression());
  }
  seal(*module);
  return module;
}

void Parser::primitive_module(ModuleExpr& module) {
  do {
    Binding& binding = module.bindings.emplace_back();
    binding.machine = name("the name of a machine");
    if (accept(TokenKind::kArrow)) binding.interface = name("the name of an interface");
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kRightBrace, "after the machines of the module");
}

// ---- Declarations.

void Parser::module_declaration() {
  take();
  auto decl = std::make_unique<ModuleDecl>();
  decl->name = name("the name of the module");
  expect(TokenKind::kAssign, "after the name of the module");
  decl->module = module_expression();
  expect(TokenKind::kSemicolon, "after the module");
  tree_.modules.push_back(std::move(decl));
}

void Parser::implementation_declaration() {
  take();
  auto decl = std::make_unique<ImplementationDecl>();
  decl->name = name("the name of the implementation");
  if (at(TokenKind::kLeftBracket)) decl->main = main_of_test();
  expect(TokenKind::kColon, "before the module");
  decl->module = module_expression();
  expect(TokenKind::kSemicolon, "after the implementation");
  tree_.implementations.push_back(std::move(decl));
}

/// "[" "main" "=" name "]"
Name Parser::main_of_test() {
  expect(TokenKind::kLeftBracket, "and the main machine, as in [main = M]");
  expect(TokenKind::kMain, "and the main machine, as in [main = M]");
  expect(TokenKind::kAssign, "after 'main'");
  Name main = name("the name of the main machine");
  expect(TokenKind::kRightBracket, "after the main machine");
  return main;
}

/// Parses a test. A test of an included project is parsed and dropped.
void Parser::test_declaration() {
  take();
  auto decl = std::make_unique<TestDecl>();
  const bool is_plain = at(TokenKind::kName);
  if (at(TokenKind::kParam)) test_params(*decl);
  if (accept(TokenKind::kAssume)) decl->assume = expression();
  test_strength(*decl);
  decl->name = name("the name of the test");
  decl->main = main_of_test();
  expect(TokenKind::kColon, "before the module");
  decl->module = module_expression();
  if (is_plain && accept(TokenKind::kRefines)) decl->refines = module_expression();
  expect(TokenKind::kSemicolon, "after the test");
  if (!included_) tree_.tests.push_back(std::move(decl));
}

void Parser::test_params(TestDecl& test) {
  take();
  expect(TokenKind::kLeftParen, "after 'param'");
  do {
    TestParam& param = test.params.emplace_back();
    param.name = name("the name of a param");
    expect(TokenKind::kIn, "after the name of the param");
    expect(TokenKind::kLeftBracket, "before the values of the param");
    do param.values.push_back(test_value());
    while (accept(TokenKind::kComma));
    expect(TokenKind::kRightBracket, "after the values of the param");
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kRightParen, "after the params of the test");
}

TestParam::Value Parser::test_value() {
  const Place where = place();
  if (at(TokenKind::kTrue) || at(TokenKind::kFalse)) return {true, take().kind == TokenKind::kTrue ? 1 : 0, where};
  if (accept(TokenKind::kMinus)) return {false, -number("the value"), where};
  if (!at(TokenKind::kInt)) fail_expected("a number, 'true' or 'false'");
  return {false, number("the value"), where};
}

void Parser::test_strength(TestDecl& test) {
  if (at(TokenKind::kPairwise)) {
    test.strength_place = place();
    test.strength = 2;
    test.is_pairwise = true;
    take();
  } else if (accept(TokenKind::kLeftParen)) {
    test.strength_place = place();
    test.strength = number("the strength of the combinations");
    expect(TokenKind::kWise, "after the strength, as in (2 wise)");
    expect(TokenKind::kRightParen, "after 'wise'");
  }
}

}  // namespace tarry::plang
