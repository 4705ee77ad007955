#include <fmt/format.h>

#include "plang/syntax/parser_inside.h"

namespace tarry::plang {
namespace {

/// Returns whether this token may follow a function declaration that ends after its parameters.
bool may_follow_declaration(TokenKind kind) {
  switch (kind) {
    case TokenKind::kType:
    case TokenKind::kEnum:
    case TokenKind::kEvent:
    case TokenKind::kEventSet:
    case TokenKind::kInterface:
    case TokenKind::kParam:
    case TokenKind::kMachine:
    case TokenKind::kSpec:
    case TokenKind::kScenario:
    case TokenKind::kFun:
    case TokenKind::kModule:
    case TokenKind::kImplementation:
    case TokenKind::kTest:
    case TokenKind::kVar:
    case TokenKind::kStart:
    case TokenKind::kHot:
    case TokenKind::kCold:
    case TokenKind::kState:
    case TokenKind::kRightBrace:
    case TokenKind::kEnd: return true;
    default: return false;
  }
}

}  // namespace

void Parser::declaration() {
  switch (ahead(0)) {
    case TokenKind::kType: return type_declaration();
    case TokenKind::kEnum: return enum_declaration();
    case TokenKind::kEvent: return event_declaration();
    case TokenKind::kEventSet: return event_set_declaration();
    case TokenKind::kInterface: return interface_declaration();
    case TokenKind::kParam: return param_declaration();
    case TokenKind::kMachine: return machine_declaration(Machine::Kind::kMachine);
    case TokenKind::kSpec: return machine_declaration(Machine::Kind::kSpec);
    case TokenKind::kScenario: return machine_declaration(Machine::Kind::kScenario);
    case TokenKind::kFun: return tree_.functions.push_back(function_declaration());
    case TokenKind::kModule: return module_declaration();
    case TokenKind::kImplementation: return implementation_declaration();
    case TokenKind::kTest: return test_declaration();
    default: break;
  }
  std::string_view hint = hint_after_body();
  if (at(TokenKind::kMain) && ahead(1) == TokenKind::kMachine)
    hint = "the main machine is named in a test: 'test t [main = M]: …;'";
  else if (at(TokenKind::kVar)) hint = "variables are declared in machines and functions";
  else if (at(TokenKind::kState) || at(TokenKind::kStart)) hint = "states are declared in machines";
  else if (at(TokenKind::kRightBrace)) hint = "there is no '{' for it";
  fail_expected("a declaration", hint);
}

void Parser::type_declaration() {
  take();
  auto decl = std::make_unique<TypeDecl>();
  decl->name = name("the name of the type");
  if (accept(TokenKind::kAssign)) decl->written = type();
  else if (!at(TokenKind::kSemicolon)) fail_expected("'=' or ';' after the name of the type");
  expect(TokenKind::kSemicolon, "after the type");
  tree_.types.push_back(std::move(decl));
}

void Parser::enum_declaration() {
  take();
  auto decl = std::make_unique<Enum>();
  decl->name = name("the name of the enum");
  expect(TokenKind::kLeftBrace, "after the name of the enum");
  constexpr std::string_view kAllOrNone = "either all elements have a number or none has";
  bool numbered = false;
  do {
    auto element = std::make_unique<EnumElement>(
        EnumElement{name("the name of an element"), static_cast<std::int64_t>(decl->elements.size())});
    if (decl->elements.empty()) numbered = at(TokenKind::kAssign);
    else if (numbered && !at(TokenKind::kAssign)) fail_expected("'=' after the element", kAllOrNone);
    else if (!numbered && at(TokenKind::kAssign)) fail_expected("',' or '}' after the element", kAllOrNone);
    if (accept(TokenKind::kAssign)) element->number = number("the number of the element");
    decl->elements.push_back(std::move(element));
  } while (accept(TokenKind::kComma));
  if (at(TokenKind::kSemicolon)) fail_expected("',' or '}' after the element", "an enum holds no ';'");
  expect(TokenKind::kRightBrace, "after the elements of the enum");
  tree_.enums.push_back(std::move(decl));
}

void Parser::event_declaration() {
  take();
  auto decl = std::make_unique<Event>();
  decl->name = name("the name of the event");
  if (at(TokenKind::kAssert) || at(TokenKind::kAssume))
    fail_expected("':' or ';' after the event", "events have no cardinality any more");
  if (accept(TokenKind::kColon)) decl->written_payload = type();
  expect(TokenKind::kSemicolon, "after the event");
  tree_.events.push_back(std::move(decl));
}

void Parser::event_set_declaration() {
  take();
  auto decl = std::make_unique<EventSetDecl>();
  decl->name = name("the name of the event set");
  expect(TokenKind::kAssign, "after the name of the event set");
  expect(TokenKind::kLeftBrace, "before the events");
  decl->members = event_names(Null::kRefused);
  expect(TokenKind::kRightBrace, "after the events");
  expect(TokenKind::kSemicolon, "after the event set");
  tree_.event_sets.push_back(std::move(decl));
}

void Parser::interface_declaration() {
  take();
  auto decl = std::make_unique<Interface>();
  decl->name = name("the name of the interface");
  expect(TokenKind::kLeftParen, "after the name of the interface");
  if (!at(TokenKind::kRightParen)) decl->written_payload = type();
  expect(TokenKind::kRightParen, "after the type of the constructor");
  expect(TokenKind::kReceives, "after the interface");
  clause_of_events(decl->receives);
  tree_.interfaces.push_back(std::move(decl));
}

void Parser::param_declaration() {
  take();
  variables(Variable::Kind::kGlobalParam, tree_.params);
}

void Parser::variables(Variable::Kind kind, std::vector<std::unique_ptr<Variable>>& out) {
  std::vector<Name> declared = names("the name of a variable");
  expect(TokenKind::kColon, "before the type of the variable");
  const std::shared_ptr<TypeExpr> written = type();
  if (at(TokenKind::kAssign)) fail_expected("';' after the variable", "it gets its value by a statement of its own");
  expect(TokenKind::kSemicolon, "after the variable");
  for (Name& one : declared) out.push_back(std::make_unique<Variable>(Variable{kind, std::move(one), written}));
}

std::unique_ptr<Variable> Parser::parameter() {
  Name own = name("the name of a parameter");
  expect(TokenKind::kColon, "after the name of the parameter");
  return std::make_unique<Variable>(Variable{Variable::Kind::kLocal, std::move(own), type()});
}

// ---- Machines.

void Parser::machine_declaration(Machine::Kind kind) {
  const std::string_view word = spelling(take().kind);
  auto machine = std::make_unique<Machine>();
  machine->kind = kind;
  machine->name = name(fmt::format("the name of the {}", word));
  if (kind != Machine::Kind::kMachine) {
    expect(TokenKind::kObserves, "and the events that it watches");
    machine->observes = event_names(Null::kRefused);
  } else {
    while (at(TokenKind::kReceives) || at(TokenKind::kSends)) {
      const bool receives = take().kind == TokenKind::kReceives;
      (receives ? machine->has_receives : machine->has_sends) = true;
      clause_of_events(receives ? machine->receives : machine->sends);
    }
  }
  machine_body(*machine);
  tree_.machines.push_back(std::move(machine));
}

void Parser::machine_body(Machine& machine) {
  const Place open = expect(TokenKind::kLeftBrace, "before the body of the machine");
  while (!accept(TokenKind::kRightBrace)) {
    switch (ahead(0)) {
      case TokenKind::kVar:
        take();
        variables(Variable::Kind::kField, machine.fields);
        break;
      case TokenKind::kFun: machine.functions.push_back(function_declaration()); break;
      case TokenKind::kStart:
      case TokenKind::kHot:
      case TokenKind::kCold:
      case TokenKind::kState: machine.states.push_back(state_declaration()); break;
      default: fail_in_body("'var', 'fun', a state or '}' in the machine", open, hint_after_body());
    }
  }
}

// ---- Functions.

std::unique_ptr<Function> Parser::function_declaration() {
  take();
  auto function = std::make_unique<Function>();
  function->name = name("the name of the function");
  expect(TokenKind::kLeftParen, "after the name of the function");
  if (!at(TokenKind::kRightParen)) {
    do function->params.push_back(parameter());
    while (accept(TokenKind::kComma));
  }
  expect(TokenKind::kRightParen, "after the parameters of the function");
  end_of_signature(*function);
  return function;
}

/// Parses the end of a signature. A function with a body is P; without a body it is foreign. The grammar for the verifier allows
/// that nothing follows the parameters, not even a ';', and "return (name: type);" for the result.
void Parser::end_of_signature(Function& function) {
  const bool has_result = accept(TokenKind::kColon);
  if (has_result) function.written_result = type();
  if (at(TokenKind::kLeftBrace)) return function_body(function);
  function.is_foreign = true;
  function.body_end = function.name.place;
  if (accept(TokenKind::kSemicolon)) return;
  if (accept(TokenKind::kCreates)) {
    function.creates.push_back(name("the name of a machine or interface"));
    expect(TokenKind::kSemicolon, "after the foreign function");
  } else if (!has_result && accept(TokenKind::kReturn)) {
    expect(TokenKind::kLeftParen, "after 'return'");
    name("the name of the result");
    expect(TokenKind::kColon, "after the name of the result");
    function.written_result = type();
    expect(TokenKind::kRightParen, "after the result");
    expect(TokenKind::kSemicolon, "after the foreign function");
  } else if (has_result) {
    fail_expected("'{' or ';' after the result of the function");
  } else if (!may_follow_declaration(ahead(0))) {
    fail_expected("'{', ':' or ';' after the parameters of the function");
  }
}

}  // namespace tarry::plang
