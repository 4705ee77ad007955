#include "plang/syntax/parser_inside.h"

namespace tarry::plang {

std::unique_ptr<State> Parser::state_declaration() {
  auto state = std::make_unique<State>();
  state->is_start = accept(TokenKind::kStart);
  if (accept(TokenKind::kHot)) state->temperature = Temperature::kHot;
  else if (accept(TokenKind::kCold)) state->temperature = Temperature::kCold;
  if (at(TokenKind::kStart)) fail_expected("'state'", "'start' comes before 'hot' and 'cold'");
  expect(TokenKind::kState, "here");
  state->name = name("the name of the state");
  const Place open = expect(TokenKind::kLeftBrace, "after the name of the state");
  while (!accept(TokenKind::kRightBrace)) state_item(*state, open);
  return state;
}

void Parser::state_item(State& state, Place open) {
  switch (ahead(0)) {
    case TokenKind::kEntry: return state.entries.push_back(entry_or_exit());
    case TokenKind::kExit: return state.exits.push_back(entry_or_exit());
    case TokenKind::kOn:
    case TokenKind::kDefer:
    case TokenKind::kIgnore: return state.handlers.push_back(handler_of_events());
    default: fail_in_body("'entry', 'exit', 'on', 'defer', 'ignore' or '}' in the state", open, hint_after_body());
  }
}

State::Body Parser::entry_or_exit() {
  State::Body body{place(), nullptr, {}};
  const bool is_exit = take().kind == TokenKind::kExit;
  if (is_exit && at(TokenKind::kLeftParen)) fail_expected("'{' or a name after 'exit'", "it has no parameter");
  named_or_inline(body.function_name, body.inline_function,
                  is_exit ? "'{' or a name after 'exit'" : "'{', '(' or a name after 'entry'");
  return body;
}

void Parser::named_or_inline(Name& function_name, std::unique_ptr<Function>& inline_function, std::string_view what) {
  if (at(TokenKind::kName)) {
    function_name = take_name();
    expect(TokenKind::kSemicolon, "after the name of the function");
    return;
  }
  if (!at(TokenKind::kLeftBrace) && !at(TokenKind::kLeftParen)) fail_expected(what);
  inline_function = std::make_unique<Function>();
  inline_function->name.place = place();
  handler_body(*inline_function);
}

Handler Parser::handler_of_events() {
  Handler handler{};
  const TokenKind word = take().kind;
  if (word != TokenKind::kOn) {
    handler.kind = word == TokenKind::kDefer ? Handler::Kind::kDefer : Handler::Kind::kIgnore;
    handler.triggers = event_names(Null::kRefused);
    expect(TokenKind::kSemicolon, "after the list of events");
    return handler;
  }
  handler.triggers = event_names(Null::kAllowed);
  if (accept(TokenKind::kDo)) {
    handler.kind = Handler::Kind::kDo;
    named_or_inline(handler.function_name, handler.inline_function, "'{', '(' or a name after 'do'");
  } else if (accept(TokenKind::kGoto)) {
    handler.kind = Handler::Kind::kGoto;
    handler.target_name = name("the name of a state");
    if (accept(TokenKind::kWith))
      named_or_inline(handler.function_name, handler.inline_function, "'{', '(' or a name after 'with'");
    else if (!accept(TokenKind::kSemicolon)) fail_expected("';' or 'with' after the name of the state");
  } else {
    const bool is_push = at(TokenKind::kName) && text(ahead_[0]) == "push";
    fail_expected("'do' or 'goto' after the events", is_push ? "P has no 'push' of states any more" : "");
  }
  return handler;
}

}  // namespace tarry::plang
