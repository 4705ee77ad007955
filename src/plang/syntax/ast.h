// The tree of a P program: what was written, and (marked "filled in") what the checker found.
//
// Expressions and statements are one struct each with a kind; the comment at a kind names the members that it uses. The parser
// makes no tree higher than kMaxHeight, so code that walks the tree may recurse.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plang/syntax/source.h"

namespace tarry::plang {

inline constexpr unsigned kMaxHeight = 1000;

struct Type;      // sema/types.h
struct EventSet;  // sema/types.h
struct Variable;
struct Function;
struct State;
struct Machine;
struct Interface;
struct Event;
struct Enum;
struct EnumElement;

/// A use of a name.
struct Name {
  std::string text;
  Place place;
};

// ---------------------------------------------------------------------------------------------------------------- types

enum class TypeSyntax : std::uint8_t { kSeq, kSet, kMap, kTuple, kNamedTuple, kBool, kInt, kFloat, kString, kEvent, kMachine, kData, kAny, kNamed };

struct TypeExpr {
  TypeSyntax kind;
  Place place;
  std::vector<std::unique_ptr<TypeExpr>> parts;  // seq, set: element; map: key, value; tuples: fields
  std::vector<Name> names;                       // named tuple: one per part
  Name name;                                     // kNamed
};

// ---------------------------------------------------------------------------------------------------------- expressions

enum class ExprKind : std::uint8_t {
  kName,         // name; filled in: one of variable, element, event
  kInt,          // number
  kFloat,        // real
  kBool,         // number: 0 or 1
  kString,       // text: unescaped C#-like, but braces are still doubled (a format string without arguments)
  kFormat,       // text as above, args
  kNull,
  kHalt,
  kThis,
  kChoice,       // $ or choose(); number 1: $$
  kChooseFrom,   // args[0]
  kTuple,        // args
  kNamedTuple,   // args, names
  kField,        // args[0] . name; filled in: number, the position
  kItem,         // args[0] . number
  kIndex,        // args[0] [ args[1] ]
  kKeys, kValues, kSizeof,  // args[0]
  kDefault,      // written_type
  kNew,          // name, args; filled in: interface
  kCall,         // name, args; filled in: function
  kNegate, kNot,  // args[0]
  kMul, kDiv, kMod, kAdd, kSub, kLess, kGreater, kLessEqual, kGreaterEqual, kIn, kEqual, kNotEqual, kAnd, kOr,  // args[0], args[1]
  kAs, kTo,      // args[0], written_type
};

struct Expr {
  ExprKind kind;
  Place place;   // of the operator for binary operators and accesses, else of the first token
  Place start;   // of the first token
  Name name;
  std::int64_t number = 0;
  double real = 0;
  std::string text;
  std::vector<std::unique_ptr<Expr>> args;
  std::vector<Name> names;
  std::unique_ptr<TypeExpr> written_type;
  std::uint32_t height = 1;  // of this tree

  // Filled in.
  const Type* type = nullptr;         // never null after a check without errors
  const Type* target = nullptr;       // kDefault, kAs, kTo: the written type
  const Variable* variable = nullptr;
  const EnumElement* element = nullptr;
  const Event* event = nullptr;
  const Function* function = nullptr;
  const Interface* interface = nullptr;
};
using ExprPtr = std::unique_ptr<Expr>;

// ----------------------------------------------------------------------------------------------------------- statements

enum class StmtKind : std::uint8_t {
  kBlock,     // body
  kAssert,    // exprs[0], message exprs[1] if there are two
  kPrint,     // exprs[0]
  kReturn,    // exprs[0] if any
  kBreak, kContinue,
  kAssign,    // exprs[0] = exprs[1]
  kInsert,    // exprs[0] += (exprs[1], exprs[2])
  kAdd,       // exprs[0] += (exprs[1])
  kRemove,    // exprs[0] -= exprs[1]
  kWhile,     // exprs[0], body[0]
  kForeach,   // name, exprs[0], body[0]; filled in: variable
  kIf,        // exprs[0], body[0], else body[1] if there are two
  kNew,       // exprs[0] is a kNew
  kCall,      // exprs[0] is a kCall
  kRaise,     // event exprs[0], args from exprs[1]
  kSend,      // target exprs[0], event exprs[1], args from exprs[2]
  kAnnounce,  // event exprs[0], args from exprs[1]
  kGoto,      // name, args exprs; filled in: state
  kReceive,   // cases
  kEmpty,
};

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

/// One or more events with a function body; the body shares the frame of the function that it is in.
struct ReceiveCase {
  Place place;
  std::vector<Name> triggers;                     // "null", "halt" or a name
  std::vector<std::unique_ptr<Variable>> params;  // none or one
  std::vector<std::unique_ptr<Variable>> locals;
  std::vector<StmtPtr> body;
  Place body_end;

  std::vector<const Event*> events;  // filled in, as the triggers
};

struct Stmt {
  StmtKind kind;
  Place place;  // of the first token; assignments: too
  Name name;
  std::vector<ExprPtr> exprs;
  std::vector<StmtPtr> body;
  std::vector<ReceiveCase> cases;
  std::uint32_t height = 1;

  // Filled in.
  const Variable* variable = nullptr;
  const State* state = nullptr;
};

// --------------------------------------------------------------------------------------------------------- declarations

struct Variable {
  enum class Kind : std::uint8_t { kLocal, kField, kGlobalParam };  // parameters of functions are locals
  Kind kind;
  Name name;
  // Variables that were declared together share one type; null for none.
  std::shared_ptr<TypeExpr> written_type;

  // Filled in.
  const Type* type = nullptr;
  /// kLocal: the place in the function's frame (parameters first). kField: in its machine. kGlobalParam: in CheckedProgram::params.
  std::uint32_t index = 0;
};

/// A function, a method, an anonymous handler.
struct Function {
  Name name;         // anonymous: empty, and the place is that of the body or parameter
  bool is_foreign = false;
  std::vector<std::unique_ptr<Variable>> params;
  std::unique_ptr<TypeExpr> written_result;
  std::vector<Name> creates;  // foreign: none or one
  std::vector<std::unique_ptr<Variable>> locals;
  std::vector<StmtPtr> body;
  Place body_end;             // of the closing brace

  // Filled in.
  const Type* result = nullptr;  // the null type if there is none
  Machine* owner = nullptr;      // null: global
  std::uint32_t index = 0;       // in CheckedProgram::functions
  /// All variables in its frame: parameters, locals, and those of receive cases within. `Variable::index` is an index into this
  /// list.
  std::vector<const Variable*> frame;
  struct Effects {
    bool raises = false, changes_state = false, sends = false, announces = false, creates = false, receives = false, chooses = false;
  } effects;                     // its own and those of all it calls (`sends` does not include announcing)
  bool is_anonymous() const { return name.text.empty(); }
};

enum class Temperature : std::uint8_t { kWarm, kHot, kCold };

struct Handler {
  enum class Kind : std::uint8_t { kDo, kGoto, kDefer, kIgnore };
  Kind kind;
  std::vector<Name> triggers;          // "null", "halt" or a name
  std::unique_ptr<Function> inline_function;
  Name function_name;                  // if it is not inline; empty: none
  Name target_name;                    // kGoto

  // Filled in.
  std::vector<const Event*> events;
  const Function* function = nullptr;  // kDo: always; kGoto: may be null
  const State* target = nullptr;
};

struct State {
  Name name;
  bool is_start = false;
  Temperature temperature = Temperature::kWarm;
  /// All `entry`/`exit` items as written: the checker refuses a second one.
  struct Body {
    Place place;
    std::unique_ptr<Function> inline_function;
    Name function_name;
  };
  std::vector<Body> entries, exits;
  std::vector<Handler> handlers;

  // Filled in.
  const Machine* machine = nullptr;
  std::uint32_t index = 0;               // in its machine
  const Function* entry = nullptr;       // may be null
  const Function* exit = nullptr;
  /// The reaction to each event, by number of the event; null: not handled.
  std::vector<const Handler*> table;
};

struct Machine {
  enum class Kind : std::uint8_t { kMachine, kSpec, kScenario };
  Kind kind;
  Name name;
  /// The lists of all `receives` / `sends` clauses together; has_… says whether there was a clause.
  bool has_receives = false, has_sends = false;
  std::vector<Name> receives, sends;
  std::vector<Name> observes;  // monitors
  std::vector<std::unique_ptr<Variable>> fields;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<State>> states;

  // Filled in.
  std::uint32_t index = 0;  // in CheckedProgram::machines
  const Type* payload = nullptr;             // of the constructor; the null type if none
  const EventSet* receive_set = nullptr;     // monitors: empty
  const EventSet* send_set = nullptr;
  const EventSet* observe_set = nullptr;     // monitors only
  const State* start = nullptr;              // may be null for a monitor
  const Interface* own_interface = nullptr;  // that of the same name; null for monitors
  std::vector<const Interface*> creates;     // inferred, in order of their index
  bool is_monitor() const { return kind != Kind::kMachine; }
};

struct TypeDecl {
  Name name;
  std::unique_ptr<TypeExpr> written;  // null: foreign
  const Type* type = nullptr;         // filled in
};

struct EnumElement {
  Name name;
  std::int64_t number;
  const Enum* owner = nullptr;  // filled in
};

struct Enum {
  Name name;
  std::vector<std::unique_ptr<EnumElement>> elements;
  const Type* type = nullptr;  // filled in
};

struct Event {
  Name name;
  std::unique_ptr<TypeExpr> written_payload;
  // Filled in.
  const Type* payload = nullptr;
  std::uint32_t index = 0;  // 0: null, 1: halt, then those declared
};
inline constexpr std::uint32_t kNullEvent = 0;
inline constexpr std::uint32_t kHaltEvent = 1;

struct EventSetDecl {
  Name name;
  std::vector<Name> members;
  const EventSet* set = nullptr;  // filled in
};

/// Declared as `interface`, or by a machine of the same name.
struct Interface {
  Name name;
  std::unique_ptr<TypeExpr> written_payload;
  std::vector<Name> receives;
  // Filled in.
  const Type* payload = nullptr;
  const EventSet* receive_set = nullptr;
  std::uint32_t index = 0;           // in CheckedProgram::interfaces
  const Machine* machine = nullptr;  // the machine that declared it implicitly
};

enum class ModuleKind : std::uint8_t { kPrimitive, kNamed, kCompose, kUnion, kHideEvents, kHideInterfaces, kAssert, kRename, kMain };

struct Binding {
  Name machine;
  Name interface;  // the machine's own if empty
};

struct ModuleExpr {
  ModuleKind kind;
  Place place;
  std::vector<Binding> bindings;                  // kPrimitive
  std::vector<Name> names;                        // kNamed, kHide…, kAssert, kMain: as written; kRename: old, new
  std::vector<std::unique_ptr<ModuleExpr>> parts;  // operands
  std::uint32_t height = 1;
};

struct ModuleDecl {
  Name name;
  std::unique_ptr<ModuleExpr> module;
};

struct ImplementationDecl {
  Name name;
  Name main;  // may be empty
  std::unique_ptr<ModuleExpr> module;
};

struct TestParam {
  Name name;
  struct Value {
    bool is_bool;
    std::int64_t number;
    Place place;
  };
  std::vector<Value> values;
};

struct TestDecl {
  Name name;
  Name main;
  std::vector<TestParam> params;
  ExprPtr assume;                       // may be null
  std::int64_t strength = 0;            // 0: all combinations; pairwise: 2
  Place strength_place;
  bool is_pairwise = false;
  std::unique_ptr<ModuleExpr> module;
  std::unique_ptr<ModuleExpr> refines;  // may be null
};

/// The complete tree, in the order of the files.
struct SyntaxTree {
  std::vector<std::unique_ptr<TypeDecl>> types;
  std::vector<std::unique_ptr<Enum>> enums;
  std::vector<std::unique_ptr<Event>> events;
  std::vector<std::unique_ptr<EventSetDecl>> event_sets;
  std::vector<std::unique_ptr<Interface>> interfaces;
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Variable>> params;
  std::vector<std::unique_ptr<ModuleDecl>> modules;
  std::vector<std::unique_ptr<ImplementationDecl>> implementations;
  std::vector<std::unique_ptr<TestDecl>> tests;
};

}  // namespace tarry::plang
