// The plug-in that 'tarry cc' and 'tarry c++' load into gcc. -fsanitize=thread leaves something out, and this completes it.
//
// gcc instruments loads and stores, but not what a call itself reads and writes: `f(g)` reads the struct g, and `g = f()` writes it, in calls without an
// instrumented access. So in front of the compiler's own pass each such call gets a local copy: `copy = g; f(copy)`, and `copy = f(); g = copy`. The compiler
// instruments these assignments. Structs that have to stay where they are (TREE_ADDRESSABLE types: with a copy constructor or destructor of their own) are
// handed over by their address, and what reads and writes them there is instrumented already.
//
// Nor does gcc instrument fields whose address no program can take, as the two parts of a pointer to a member function. A call of __tsan_read_range or
// __tsan_write_range in front of the access says what it does.
//
// Built-in functions of the machine (`_mm_stream_si32`, `_mm256_maskstore_epi32`) are calls that gcc does not look into. The ones that store past the cache get a
// call of __tsan_write_range as well. The others that access memory, and those that read the counter of the processor, get a call of tarry_rt_unseen with their
// name and line: the verdict names them if they were executed.
//
// Behind the compiler's pass for calls in last position, no call of a library's function is left as a jump: a function that ends by such a jump has no frame in
// a trace. Calls within the program stay jumps, and recursion stays a loop, as in the program of the user: with frames it could overflow the stack.
#include <gcc-plugin.h>
// The others need gcc-plugin.h.
#include <plugin-version.h>
#include <context.h>
#include <tree.h>
#include <diagnostic-core.h>
#include <stringpool.h>
#include <attribs.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <asan.h>
#include <cfg.h>
#include <gimple-ssa.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-pass.h>
#include <tree-ssa-loop-ivopts.h>

#include <initializer_list>

extern "C" __attribute__((visibility("default"))) int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;

namespace {

/// Memory that other threads may know.
bool is_shared_memory(tree operand) {
  if (int_size_in_bytes(TREE_TYPE(operand)) <= 0) return false;
  tree const base = get_base_address(operand);
  if (base == NULL_TREE || TREE_CODE(base) == SSA_NAME || TREE_CODE(base) == CONSTRUCTOR || TREE_CODE(base) == STRING_CST) return false;
  if (!DECL_P(base)) return true;  // behind a pointer
  if (VAR_P(base) && DECL_HARD_REGISTER(base)) return false;
  return is_global_var(base) ? !TREE_READONLY(base) : may_be_aliased(base);
}

/// The same, as the operand of a call that holds a struct.
bool is_shared_struct(tree operand) {
  return operand != NULL_TREE && !is_gimple_reg_type(TREE_TYPE(operand)) && !TREE_ADDRESSABLE(TREE_TYPE(operand)) && is_shared_memory(operand);
}

/// The compiler's own pass instruments what has an address.
bool is_left_out(tree access) {
  const bool is_bit_field = TREE_CODE(access) == BIT_FIELD_REF || (TREE_CODE(access) == COMPONENT_REF && DECL_BIT_FIELD_TYPE(TREE_OPERAND(access, 1)) != NULL_TREE);
  return may_be_nonaddressable_p(is_bit_field ? TREE_OPERAND(access, 0) : access) && is_shared_memory(access);
}

/// Puts a call in front of a statement that says what it reads or writes.
void announce_range(gimple_stmt_iterator& at, tree address, HOST_WIDE_INT bytes, built_in_function how) {
  address = force_gimple_operand_gsi(&at, address, true, NULL_TREE, true, GSI_SAME_STMT);
  gcall* const call = gimple_build_call(builtin_decl_implicit(how), 2, address, build_int_cst(size_type_node, bytes));
  gimple_set_location(call, gimple_location(gsi_stmt(at)));
  gsi_insert_before(&at, call, GSI_SAME_STMT);
}

/// Says in front of a statement that it reads or writes memory.
void announce(gimple_stmt_iterator& at, tree access, built_in_function how) {
  poly_int64 size = 0, position = 0;
  tree offset = NULL_TREE;
  machine_mode mode = VOIDmode;
  int is_unsigned = 0, is_reversed = 0, is_volatile = 0;
  tree const base = get_inner_reference(access, &size, &position, &offset, &mode, &is_unsigned, &is_reversed, &is_volatile);
  HOST_WIDE_INT first = 0, bits = 0;
  if (!position.is_constant(&first) || !size.is_constant(&bits) || bits <= 0) return;
  tree address = fold_convert(ptr_type_node, build_fold_addr_expr(unshare_expr(base)));
  if (offset != NULL_TREE) address = fold_build_pointer_plus(address, fold_convert(sizetype, unshare_expr(offset)));
  address = fold_build_pointer_plus_hwi(address, first / BITS_PER_UNIT);
  announce_range(at, address, (first % BITS_PER_UNIT + bits + BITS_PER_UNIT - 1) / BITS_PER_UNIT, how);
}

bool starts_with(const char* text, const char* start) { return strncmp(text, start, strlen(start)) == 0; }

/// Of the program's source: functions of <immintrin.h>, which are `artificial`, are passed over.
expanded_location place_in_source(gimple* statement) {
  location_t place = gimple_location(statement);
  for (tree block = gimple_block(statement); block != NULL_TREE && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
    tree const function = inlined_function_outer_scope_p(block) ? block_ultimate_origin(block) : NULL_TREE;
    if (function == NULL_TREE || TREE_CODE(function) != FUNCTION_DECL) continue;
    if (lookup_attribute("artificial", DECL_ATTRIBUTES(function)) == NULL_TREE) break;
    place = BLOCK_SOURCE_LOCATION(block);
  }
  return expand_location(place);
}

/// Puts a call in front of a statement that names what it does unseen.
void tell(gimple_stmt_iterator& at, const char* name) {
  const expanded_location where = place_in_source(gsi_stmt(at));
  const char* const file = where.file == nullptr ? "?" : lbasename(where.file);
  char text[256];
  snprintf(text, sizeof(text), "%s at %s:%d", name, file, where.line);
  tree const type = build_function_type_list(void_type_node, const_ptr_type_node, NULL_TREE);
  tree const teller = build_fn_decl("tarry_rt_unseen", type);
  gcall* const call = gimple_build_call(teller, 1, build_string_literal(strlen(text) + 1, text));
  gimple_set_location(call, gimple_location(gsi_stmt(at)));
  gsi_insert_before(&at, call, GSI_SAME_STMT);
}

bool is_one_of(const char* name, std::initializer_list<const char*> starts) {
  for (const char* const start : starts)
    if (starts_with(name, start)) return true;
  return false;
}

/// A call of a built-in function of the machine. Returns whether anything changed.
bool announce_instruction(gimple_stmt_iterator& at) {
  gcall* const call = as_a<gcall*>(gsi_stmt(at));
  tree const callee = gimple_call_fndecl(call);
  if (callee == NULL_TREE || DECL_BUILT_IN_CLASS(callee) != BUILT_IN_MD) return false;
  const char* const whole = IDENTIFIER_POINTER(DECL_NAME(callee));
  const char* const name = starts_with(whole, "__builtin_ia32_") ? whole + strlen("__builtin_ia32_") : whole;
  if (is_one_of(name, {"clflush", "clwb", "clzero", "cldemote", "prefetch", "ldmxcsr", "stmxcsr", "pause", "lfence", "mfence", "sfence", "emms", "monitor", "mwait", "vzero", "serialize"})) return false;
  const bool is_a_function = !is_one_of(name, {"rdtsc", "rdpid", "rdpmc", "rdrand", "rdseed"});  // of what the program did
  tree address = NULL_TREE;
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i)
    if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, i)))) address = gimple_call_arg(call, i);
  if (address == NULL_TREE && is_a_function) return false;
  // One access of the type that the pointer leads to; lddqu has a pointer to bytes.
  const bool reads = is_one_of(name, {"movntdqa", "lddqu", "loadhp", "loadlp", "vbroadcasts", "vbroadcastf"}) && strstr(name, "mask") == nullptr;
  const bool writes = !reads && is_one_of(name, {"movnt", "storehp", "storelp", "addcarry", "sbb", "subborrow", "rdrand", "rdseed"}) && strstr(name, "mask") == nullptr;
  tree const type = address == NULL_TREE ? NULL_TREE : starts_with(name, "lddqu") ? TREE_TYPE(TREE_TYPE(callee)) : TREE_TYPE(TREE_TYPE(address));
  const HOST_WIDE_INT bytes = type == NULL_TREE || !(reads || writes) ? 0 : int_size_in_bytes(type);
  if (bytes > 0) announce_range(at, address, bytes, reads ? BUILT_IN_TSAN_READ_RANGE : BUILT_IN_TSAN_WRITE_RANGE);
  if (bytes <= 0 || !is_a_function) tell(at, name);
  return true;
}

/// Returns whether anything changed.
bool announce_fields(gimple_stmt_iterator& at) {
  gimple* const statement = gsi_stmt(at);
  const bool writes = gimple_store_p(statement) && is_left_out(gimple_assign_lhs(statement));
  const bool reads = gimple_assign_load_p(statement) && is_left_out(gimple_assign_rhs1(statement));
  if (reads) announce(at, gimple_assign_rhs1(statement), BUILT_IN_TSAN_READ_RANGE);
  if (writes) announce(at, gimple_assign_lhs(statement), BUILT_IN_TSAN_WRITE_RANGE);
  return reads || writes;
}

void assign(gimple_stmt_iterator& at, tree to, tree from, location_t location, bool behind) {
  gassign* const assignment = gimple_build_assign(to, from);
  gimple_set_location(assignment, location);
  if (behind) gsi_insert_after(&at, assignment, GSI_NEW_STMT);
  else gsi_insert_before(&at, assignment, GSI_SAME_STMT);
}

/// Returns whether anything changed.
bool read_arguments(gimple_stmt_iterator& at) {
  gcall* const call = as_a<gcall*>(gsi_stmt(at));
  bool changed = false;
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
    tree const argument = gimple_call_arg(call, i);
    if (!is_shared_struct(argument)) continue;
    tree const copy = create_tmp_var(TREE_TYPE(argument), "by_value");
    assign(at, copy, argument, gimple_location(call), false);
    gimple_call_set_arg(call, i, copy);
    changed = true;
  }
  if (changed) update_stmt(call);
  return changed;
}

/// Returns whether anything changed. A call that may throw ends its block: what is behind it comes onto the edge.
bool write_result(gimple_stmt_iterator& at) {
  gcall* const call = as_a<gcall*>(gsi_stmt(at));
  tree const result = gimple_call_lhs(call);
  if (!is_shared_struct(result)) return false;
  tree const copy = create_tmp_var(TREE_TYPE(result), "by_value");
  gimple_call_set_lhs(call, copy);
  update_stmt(call);
  if (!stmt_ends_bb_p(call)) {
    assign(at, result, copy, gimple_location(call), true);
  } else if (edge const next = find_fallthru_edge(gimple_bb(call)->succs); next != nullptr) {
    gassign* const assignment = gimple_build_assign(result, copy);
    gimple_set_location(assignment, gimple_location(call));
    gsi_insert_on_edge(next, assignment);
  }
  return true;
}

template <class Function>
void for_each_statement(function* one, Function&& f) {
  basic_block block = nullptr;
  FOR_EACH_BB_FN(block, one)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) f(at);
}

constexpr pass_data kCompletion = {GIMPLE_PASS, "tarry_completion", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, TODO_update_ssa_only_virtuals};

class Completion final : public gimple_opt_pass {
 public:
  explicit Completion(gcc::context* context) : gimple_opt_pass(kCompletion, context) {}
  opt_pass* clone() override { return new Completion(m_ctxt); }
  bool gate(function* one) override { return sanitize_flags_p(SANITIZE_THREAD, one->decl); }
  unsigned execute(function* one) override {
    initialize_sanitizer_builtins();
    bool changed = false;
    for_each_statement(one, [&](gimple_stmt_iterator& at) {
      gimple* const statement = gsi_stmt(at);
      if (is_gimple_assign(statement) && !gimple_clobber_p(statement)) changed |= announce_fields(at);
      if (!is_gimple_call(statement) || gimple_call_internal_p(statement) || gimple_call_must_tail_p(as_a<gcall*>(statement))) return;
      changed |= announce_instruction(at);
      changed |= read_arguments(at);
      changed |= write_result(at);
    });
    if (changed) gsi_commit_edge_inserts();
    return 0;
  }
};

constexpr pass_data kNoJumps = {GIMPLE_PASS, "tarry_no_jumps", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class NoJumps final : public gimple_opt_pass {
 public:
  explicit NoJumps(gcc::context* context) : gimple_opt_pass(kNoJumps, context) {}
  opt_pass* clone() override { return new NoJumps(m_ctxt); }
  bool gate(function* one) override { return sanitize_flags_p(SANITIZE_THREAD, one->decl); }
  unsigned execute(function* one) override {
    for_each_statement(one, [](gimple_stmt_iterator& at) {
      gcall* const call = dyn_cast<gcall*>(gsi_stmt(at));
      if (call == nullptr || gimple_call_must_tail_p(call)) return;
      if (tree const callee = gimple_call_fndecl(call); callee != NULL_TREE && DECL_EXTERNAL(callee)) gimple_call_set_tail(call, false);
    });
    return 0;
  }
};

void add(const char* plugin, opt_pass* pass, const char* beside, pass_positioning_ops where) {
  register_pass_info info = {pass, beside, 0, where};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args* about, plugin_gcc_version* version) {
  if (strcmp(version->basever, gcc_version.basever) != 0) {
    error("%qs was built for gcc %s, and this is gcc %s", about->full_name, gcc_version.basever, version->basever);
    return 1;
  }
  add(about->base_name, new Completion(g), "tsan", PASS_POS_INSERT_BEFORE);
  add(about->base_name, new Completion(g), "tsan0", PASS_POS_INSERT_BEFORE);
  add(about->base_name, new NoJumps(g), "tailc", PASS_POS_INSERT_AFTER);
  return 0;
}
