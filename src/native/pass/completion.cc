// The pass that 'tarry cc' and 'tarry c++' load into clang. -fsanitize=thread leaves accesses out, and this completes it, in front of the compiler's own pass:
//
// - Structs that are passed by value. A copy of the struct is made first, and the copy is instrumented; but the optimizer may leave it out and pass the struct
//   itself as `byval`, so that the call reads it. The copy is put back where other threads can reach the struct.
// - Loads and stores of unusual sizes: `long double`, vectors of more than 16 bytes, structs of three bytes in a register. They get a call of
//   __tsan_read_range or __tsan_write_range, and so does every lane of a masked load or store, of a gather or scatter.
// - Atomic operations that ThreadSanitizer has no function for: minimum, maximum, and sums of floating-point numbers. They become loops around a
//   compare-exchange, which it has.
//
// Intrinsics of the machine that access memory in other ways, and those that read the counter of the processor, get a call of tarry_rt_unseen with their name and
// line: the verdict names them if they were executed.
//
// No call of a library's function is left as a jump: a function that ends by such a jump has no frame in a trace. Calls within the program stay jumps, and
// recursion stays a loop, as in the program of the user: with frames it could overflow the stack.
//
// gcc has a plug-in of its own (gcc/gcc_completion.cc).
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "native/pass/accesses.h"

namespace tarry::pass {
namespace {

using llvm::AtomicRMWInst;
using llvm::IRBuilder;
using llvm::Value;

/// What ThreadSanitizer has functions for, in bytes.
bool is_usual_size(std::uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8 || size == 16; }

/// Returns whether the compiler's own pass instruments plain accesses. 'tarry c++ --enforce' tells it not to (enforced_sites.cc).
bool instruments_accesses() {
  const auto& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find("tsan-instrument-memory-accesses");
  return found == options.end() || *static_cast<llvm::cl::opt<bool>*>(found->second);
}

class Completion {
 public:
  explicit Completion(llvm::Function& function) : function_(function), layout_(function.getParent()->getDataLayout()) {
    llvm::LLVMContext& context = function.getContext();
    word_ = llvm::Type::getInt64Ty(context);
    pointer_ = llvm::PointerType::get(llvm::Type::getInt8Ty(context), 0);
  }

  void complete() {
    const Accesses accesses = reachable_accesses(function_);  // all of them, before calls are inserted that take addresses
    llvm::SmallVector<llvm::CallBase*, 16> calls;
    llvm::SmallVector<AtomicRMWInst*, 4> atomics;
    llvm::SmallVector<llvm::CallBase*, 4> unseen;
    for (llvm::Instruction& one : llvm::instructions(function_)) {
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&one); call != nullptr && !call->isMustTailCall()) calls.push_back(call);
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&one); call != nullptr && is_unseen(*call)) unseen.push_back(call);
      if (auto* const atomic = llvm::dyn_cast<AtomicRMWInst>(&one)) atomics.push_back(atomic);
    }
    for (llvm::CallBase* const call : unseen) tell(*call);
    if (instruments_accesses()) {
      for (llvm::Instruction* const access : accesses.words) announce_word(*access);
      for (llvm::IntrinsicInst* const access : accesses.lanes) announce_lanes(*access);
    }
    for (llvm::CallBase* const call : calls) {
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->isByValArgument(i) && is_reachable_object(*call->getArgOperand(i))) pass_copy(*call, i);
      auto* const plain = llvm::dyn_cast<llvm::CallInst>(call);
      const llvm::Function* const callee = call->getCalledFunction();
      if (plain != nullptr && plain->isTailCall() && callee != nullptr && callee->isDeclaration()) plain->setTailCallKind(llvm::CallInst::TCK_NoTail);
    }
    for (AtomicRMWInst* const atomic : atomics) expand(*atomic);
  }

 private:
  void announce(IRBuilder<>& code, bool writes, Value* address, Value* size) {
    llvm::FunctionCallee callee = function_.getParent()->getOrInsertFunction(writes ? "__tsan_write_range" : "__tsan_read_range", llvm::FunctionType::get(code.getVoidTy(), {pointer_, word_}, false));
    if (auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) function->addFnAttr(llvm::Attribute::NoUnwind);
    code.CreateCall(callee, {code.CreatePointerCast(address, pointer_), size});
  }

  /// Returns whether it is an instruction of the machine that accesses memory, or whose result is not a function of what the program did.
  static bool is_unseen(const llvm::CallBase& call) {
    const llvm::Function* const callee = call.getCalledFunction();
    if (callee == nullptr || !callee->isIntrinsic()) return false;
    const std::string name = callee->getName().str();
    const auto is_one_of = [&](std::initializer_list<const char*> starts) { return std::any_of(starts.begin(), starts.end(), [&](const char* start) { return name.rfind(start, 0) == 0; }); };
    if (is_one_of({"llvm.readcyclecounter", "llvm.x86.rdtsc", "llvm.x86.rdpid", "llvm.x86.rdpmc", "llvm.x86.rdrand", "llvm.x86.rdseed", "llvm.masked.expandload", "llvm.masked.compressstore"})) return true;
    if (!is_one_of({"llvm.x86."}) || !call.mayReadOrWriteMemory()) return false;
    if (is_one_of({"llvm.x86.sse2.clflush", "llvm.x86.clflushopt", "llvm.x86.clwb", "llvm.x86.clzero", "llvm.x86.cldemote", "llvm.x86.sse.ldmxcsr", "llvm.x86.sse.stmxcsr", "llvm.x86.sse3.monitor"})) return false;
    return std::any_of(call.arg_begin(), call.arg_end(), [](const llvm::Use& argument) { return argument->getType()->isPointerTy(); });
  }

  void tell(llvm::CallBase& call) {
    const llvm::DILocation* const line = call.getDebugLoc().get();
    const std::string name = call.getCalledFunction()->getName().str();
    const std::string file = line == nullptr ? "?" : line->getFilename().str();
    const std::string text = name.substr(name.rfind("llvm.x86.", 0) == 0 ? 9 : 5) + " at " + file.substr(file.rfind('/') + 1) + ":" + std::to_string(line == nullptr ? 0 : line->getLine());
    IRBuilder<> code(&call);
    llvm::FunctionCallee teller = function_.getParent()->getOrInsertFunction("tarry_rt_unseen", llvm::FunctionType::get(code.getVoidTy(), {pointer_}, false));
    if (auto* const function = llvm::dyn_cast<llvm::Function>(teller.getCallee())) function->addFnAttr(llvm::Attribute::NoUnwind);
    code.CreateCall(teller, {code.CreatePointerCast(code.CreateGlobalStringPtr(text), pointer_)});
  }

  void announce_word(llvm::Instruction& access) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&access);
    Value* const address = store != nullptr ? store->getPointerOperand() : llvm::cast<llvm::LoadInst>(access).getPointerOperand();
    const std::uint64_t size = layout_.getTypeStoreSize(store != nullptr ? store->getValueOperand()->getType() : access.getType());
    if (is_usual_size(size)) return;
    IRBuilder<> code(&access);
    announce(code, store != nullptr, address, llvm::ConstantInt::get(word_, size));
  }

  void announce_lanes(llvm::IntrinsicInst& access) {
    const auto id = access.getIntrinsicID();
    const bool writes = id == llvm::Intrinsic::masked_store || id == llvm::Intrinsic::masked_scatter;
    const bool by_pointers = id == llvm::Intrinsic::masked_gather || id == llvm::Intrinsic::masked_scatter;
    auto* const type = llvm::cast<llvm::FixedVectorType>(writes ? access.getArgOperand(0)->getType() : access.getType());
    Value* const where = access.getArgOperand(writes ? 1 : 0);
    Value* const mask = access.getArgOperand(writes ? 3 : 2);
    IRBuilder<> code(&access);
    const std::uint64_t lane_size = layout_.getTypeAllocSize(type->getElementType());
    for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
      Value* const address = by_pointers ? code.CreateExtractElement(where, lane) : code.CreateConstInBoundsGEP1_64(code.getInt8Ty(), code.CreatePointerCast(where, pointer_), lane * lane_size);
      Value* const size = code.CreateSelect(code.CreateExtractElement(mask, lane), llvm::ConstantInt::get(word_, lane_size), llvm::ConstantInt::get(word_, 0));
      announce(code, writes, address, size);
    }
  }

  /// Puts a copy in front of the call and passes it instead.
  void pass_copy(llvm::CallBase& call, unsigned argument) {
    llvm::Type* const type = call.getParamByValType(argument);
    Value* const source = call.getArgOperand(argument);
    const llvm::MaybeAlign wanted = call.getParamAlign(argument);
    const llvm::Align alignment = wanted ? *wanted : layout_.getABITypeAlign(type);
    llvm::BasicBlock& entry = function_.getEntryBlock();
    IRBuilder<> start(&entry, entry.getFirstInsertionPt());
    llvm::AllocaInst* const copy = start.CreateAlloca(type, nullptr, "by_value");
    copy->setAlignment(alignment);
    IRBuilder<> code(&call);
    code.CreateMemCpy(copy, alignment, source, alignment, std::uint64_t{layout_.getTypeAllocSize(type)});
    call.setArgOperand(argument, code.CreatePointerCast(copy, source->getType()));
  }

  /// Returns the new value, or nullptr for operations that ThreadSanitizer knows (or that are not known here).
  static Value* result_of(IRBuilder<>& code, AtomicRMWInst::BinOp operation, Value* before, Value* operand) {
    switch (operation) {
      case AtomicRMWInst::Max: return code.CreateSelect(code.CreateICmpSGT(before, operand), before, operand);
      case AtomicRMWInst::Min: return code.CreateSelect(code.CreateICmpSLE(before, operand), before, operand);
      case AtomicRMWInst::UMax: return code.CreateSelect(code.CreateICmpUGT(before, operand), before, operand);
      case AtomicRMWInst::UMin: return code.CreateSelect(code.CreateICmpULE(before, operand), before, operand);
      case AtomicRMWInst::FAdd: return code.CreateFAdd(before, operand);
      case AtomicRMWInst::FSub: return code.CreateFSub(before, operand);
      default: return nullptr;
    }
  }
  static bool is_known_here(AtomicRMWInst::BinOp operation) {
    return operation == AtomicRMWInst::Max || operation == AtomicRMWInst::Min || operation == AtomicRMWInst::UMax || operation == AtomicRMWInst::UMin || operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FSub;
  }

  /// before = load; do { after = before + operand; } while (!compare_exchange(before, after));
  void expand(AtomicRMWInst& atomic) {
    if (!is_known_here(atomic.getOperation())) return;
    llvm::Type* const type = atomic.getType();
    llvm::Type* const bits = llvm::IntegerType::get(function_.getContext(), static_cast<unsigned>(std::uint64_t{layout_.getTypeSizeInBits(type)}));
    const auto line = atomic.getDebugLoc();
    llvm::BasicBlock* const start = atomic.getParent();
    llvm::BasicBlock* const rest = llvm::SplitBlock(start, &atomic);
    llvm::BasicBlock* const loop = llvm::BasicBlock::Create(function_.getContext(), "atomic", &function_, rest);
    start->getTerminator()->setSuccessor(0, loop);
    IRBuilder<> first(start->getTerminator());
    first.SetCurrentDebugLocation(line);
    Value* const address = first.CreatePointerCast(atomic.getPointerOperand(), llvm::PointerType::get(bits, 0));
    llvm::LoadInst* const loaded = first.CreateLoad(bits, address);
    loaded->setAtomic(llvm::AtomicOrdering::Monotonic, atomic.getSyncScopeID());
    loaded->setAlignment(atomic.getAlign());
    IRBuilder<> code(loop);
    code.SetCurrentDebugLocation(line);
    llvm::PHINode* const before = code.CreatePHI(bits, 2);
    before->addIncoming(loaded, start);
    Value* const value = code.CreateBitCast(before, type);
    Value* const after = code.CreateBitCast(result_of(code, atomic.getOperation(), value, atomic.getValOperand()), bits);
    llvm::AtomicCmpXchgInst* const exchange = code.CreateAtomicCmpXchg(address, before, after, atomic.getAlign(), atomic.getOrdering(), llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(atomic.getOrdering()), atomic.getSyncScopeID());
    before->addIncoming(code.CreateExtractValue(exchange, 0), loop);
    code.CreateCondBr(code.CreateExtractValue(exchange, 1), rest, loop);
    atomic.replaceAllUsesWith(value);
    atomic.eraseFromParent();
  }

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::IntegerType* word_;
  llvm::PointerType* pointer_;
};

struct CompletionPass : llvm::PassInfoMixin<CompletionPass> {
  static bool isRequired() { return true; }  // also without optimization
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& /*unused*/) {
    if (!function.hasFnAttribute(llvm::Attribute::SanitizeThread) || function.hasFnAttribute(llvm::Attribute::Naked)) return llvm::PreservedAnalyses::all();
    Completion(function).complete();
    return llvm::PreservedAnalyses::none();
  }
};

void add_to(llvm::ModulePassManager& passes) { passes.addPass(llvm::createModuleToFunctionPassAdaptor(CompletionPass())); }

}  // namespace
}  // namespace tarry::pass

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  const auto at_the_end = [](llvm::PassBuilder& builder) {
#if LLVM_VERSION_MAJOR >= 20
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) { tarry::pass::add_to(passes); });
#else
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { tarry::pass::add_to(passes); });
#endif
  };
  return {LLVM_PLUGIN_API_VERSION, "tarry-completion", "1", at_the_end};
}
