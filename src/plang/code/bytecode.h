// The code that vm/ runs: a checked program as instructions for a stack machine, with tables beside them.
//
// The frame of a function holds its variables (parameters first) and, above them, the operands of expressions. Every instruction
// takes its operands from the top of the stack, the last operand topmost, and leaves its result there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plang/sema/checked_program.h"
#include "plang/vm/value_heap.h"
#include "plang/vm/value_operations.h"

namespace tarry::plang {

enum class Op : std::uint8_t {
  // Values. a: number of the constant, variable, …
  kConst, kLocal, kField, kParam, kThis,  // x of kLocal, kField: 1 if the next instruction only reads it
  kSetLocal, kSetField, kPop, kSwap,
  kDense,                             // as a copy: sets and maps without holes
  kTuple, kNamedTuple,                // a: items; named: x = shape
  kItem,                              // a: position
  kNamedItem,                         // a: position in the shape x; b = name
  kIndexSeq, kIndexSet, kIndexMap,
  kInSeq, kInSet, kInMap,
  kKeys, kValues, kSizeof,
  kCast,                              // a: number of the type
  kToInt, kToFloat, kToReference,     // kToReference a: permissions
  kFormat,                            // a: format, arguments on the stack

  // Arithmetic, by kind of the operands.
  kNot, kNegInt, kNegFloat,
  kAddInt, kSubInt, kMulInt, kDivInt, kModInt,
  kAddFloat, kSubFloat, kMulFloat, kDivFloat, kModFloat,
  kConcat,
  kLessInt, kLessEqualInt, kLessFloat, kLessEqualFloat, kLessString, kLessEqualString,
  kEqual, kNotEqual,

  // Control. a: the target.
  kJump, kJumpIf, kJumpIfNot,
  kLoop,                              // a jump back: costs fuel
  kForeach,                           // [collection, next] stays on the stack; pushes the element, or jumps to a at the end
  kCall, kCallForeign,                // a: function
  kReturn, kReturnValue,

  // Changes through a path. a: path; its indices and then the operands are on the stack.
  kAssign, kInsertSeq, kInsertMap, kAddSet, kRemoveSeq, kRemoveMap, kRemoveSet,

  // Interaction with other machines.
  kChoose,                            // a: 1 if it is always fair
  kChooseInt, kChooseSeq, kChooseSet, kChooseMap,
  kNew,                               // a: interface; payload on the stack
  kSend,                              // target, event, payload
  kAnnounce, kRaise,                  // event, payload
  kGoto,                              // a: state; argument on the stack; b: 1 if there is one
  kReceive,                           // a: receive table
  kBind,                              // a: local; takes the payload after checking it against type b
  kPrint,
  kFail,                              // assertion: message on the stack; a: 1 if there is one
};

/// 12 bytes: the operation, and up to three numbers that the operation defines.
struct Instr {
  Op op;
  std::uint16_t x = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

struct CodeFunction {
  const Function* source = nullptr;
  std::string name;                  // as in messages: "Server.withdraw", "Server: entry of 'Init'"
  std::vector<Instr> code;
  std::vector<Place> places;         // of each instruction
  std::vector<Value> locals;         // initial values of the frame after the parameters
  std::uint32_t params = 0;
  std::uint32_t param_type = 0;      // handlers with a parameter: its type
  bool is_foreign = false;
  /// Events that it may send or announce, as bits: itself, the functions it calls, and what follows its raises and gotos.
  std::vector<std::uint64_t> tells;
};

/// The path from a variable to the part that is changed.
struct Path {
  enum class Root : std::uint8_t { kLocal, kField };
  enum class Step : std::uint8_t { kItem, kNamedItem, kSeq, kMap };
  struct Part {
    Step step;
    std::uint32_t number = 0;  // kItem, kNamedItem: position; kSeq, kMap: the operand that is the index
    std::uint32_t shape = 0;   // kNamedItem
    std::uint32_t name = 0;    // kNamedItem
  };
  Root root;
  std::uint32_t variable;
  std::vector<Part> parts;
  std::uint32_t operands = 0;         // on the stack: indices, and the value to assign, insert or remove
  std::uint32_t value = 0, key = 0;   // the operands that these are
  Keeping keeping = Keeping::kSlots;  // of the set or map that is changed at the end
};

struct Format {
  /// Text, then an argument, then text, …: texts.size() == arguments.size() + 1.
  std::vector<std::string> texts;
  std::vector<std::uint32_t> arguments;
  std::uint32_t count = 0;  // arguments on the stack
};

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct ReceiveTable {
  /// By number of the event: the start of the case, or kNone. `halt` without a case is kNone, and handled as if raised.
  std::vector<std::uint32_t> target;
};

/// The reaction of a state to an event.
struct Reaction {
  enum class Kind : std::uint8_t { kUnhandled, kDo, kGoto, kDefer, kIgnore };
  Kind kind = Kind::kUnhandled;
  std::uint32_t function = kNone;   // kDo: always
  std::uint32_t target = kNone;     // kGoto
};

struct CodeState {
  const State* source = nullptr;
  std::uint32_t entry = kNone, exit = kNone;
  std::vector<Reaction> reactions;  // by number of the event
  bool has_null = false;            // "on null"
  Temperature temperature = Temperature::kWarm;
};

struct CodeMachine {
  const Machine* source = nullptr;
  std::vector<CodeState> states;
  std::uint32_t start = kNone;
  std::vector<Value> fields;        // initial values
  std::uint32_t send_set = 0;       // permissions
  std::uint32_t receive_set = 0;
  bool ignores_something = false;
  std::vector<std::uint64_t> tells;  // of all its functions
};

/// The shallow check of casts and payloads.
struct CodeType {
  TypeKind kind;
  std::string text;
};

struct Code {
  const CheckedProgram* program = nullptr;
  std::unique_ptr<Pool> pool;                      // first of constants, later of all values
  std::vector<CodeFunction> functions;             // as CheckedProgram::functions
  std::vector<CodeMachine> machines;               // as CheckedProgram::machines
  std::vector<CodeType> types;                     // as TypeTable
  std::vector<Value> constants;
  std::vector<Path> paths;
  std::vector<Format> formats;
  std::vector<ReceiveTable> receives;
  std::vector<std::vector<std::string>> shapes;    // of named tuples: the names
  std::vector<std::string> field_names;            // by number
  std::vector<const EventSet*> permissions;        // by number; 0 is the empty set
  std::vector<std::uint32_t> interface_permissions;
  std::vector<Value> param_defaults;
  bool shows_machine_numbers = false;              // machines become part of texts that the program uses
};

/// Generates the code of a program. Requires: the program has no errors and outlives the code.
std::unique_ptr<Code> generate(const CheckedProgram& program);

/// Returns the number of a shape of named tuples; adds a new one if it is not known.
std::uint32_t shape_number(const std::vector<std::string>& names, Code& code);

/// Returns the initial value of a variable of the type.
Value default_value(const Type* type, Heap& heap, Code& code);

}  // namespace tarry::plang
