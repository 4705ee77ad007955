// The pass of 'tarry c++ --enforce': puts every plain access that other threads can reach behind a flag of its own.
//
//   if (flag) { tarry_rt_before_access(address, size, how, &flag); the access; tarry_rt_after_access(); }
//   else the access;
//
// All flags are off when a program starts, so an access costs one load and a predicted branch. Under the checker they are all on (native/rt/calls/sites.cc).
// Under enforcement those are on that raced in some explored execution, which the set says (enforce/rt/access_flags.h). Flags only change before the program's code
// runs. They lie in the section `tarry_sites`, which a constructor announces.
//
// Atomic operations are left to the compiler's own -fsanitize=thread, which 'tarry c++ --enforce' confines to them. Both passes run behind the optimizer, so the
// code between the accesses is that of the optimizer.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "native/pass/accesses.h"

namespace tarry::pass {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

constexpr const char* kSection = "tarry_sites";

enum How : std::uint8_t { kReads, kWrites };  // as native/rt/calls/sites.cc and enforce/rt/tsan.cc have it

class Instrumenter {
 public:
  explicit Instrumenter(llvm::Module& module) : module_(module), layout_(module.getDataLayout()), byte_(llvm::Type::getInt8Ty(module.getContext())), word_(llvm::Type::getInt64Ty(module.getContext())), pointer_(llvm::PointerType::get(byte_, 0)) {
    auto* const nothing = llvm::Type::getVoidTy(module.getContext());
    before_ = declare("tarry_rt_before_access", llvm::FunctionType::get(nothing, {pointer_, word_, byte_, pointer_}, false));
    copy_ = declare("tarry_rt_copy", llvm::FunctionType::get(nothing, {pointer_, pointer_, word_, pointer_}, false));
    fill_ = declare("tarry_rt_fill", llvm::FunctionType::get(nothing, {pointer_, byte_, word_, pointer_}, false));
    after_ = declare("tarry_rt_after_access", llvm::FunctionType::get(nothing, false));
  }

  void instrument(llvm::Function& function) {
    const Accesses accesses = reachable_accesses(function);  // all of them, before calls are inserted that take addresses
    for (Instruction* const access : accesses.words) instrument_word(*access);
    for (llvm::IntrinsicInst* const access : accesses.lanes) instrument_lanes(*access);
    for (llvm::AnyMemIntrinsic* const transfer : accesses.transfers) instrument_transfer(*transfer);
  }

  /// Makes the flags, and the constructor that announces them. Every object has it, so that a program says how it was compiled.
  void finish() {
    auto* const type = llvm::ArrayType::get(byte_, flags_.size());
    if (!flags_.empty()) {
      auto* const flags = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage, llvm::ConstantAggregateZero::get(type), "tarry.sites");
      flags->setSection(kSection);
      flags->setAlignment(llvm::Align(1));
      flags->setExternallyInitialized(true);  // the runtime sets them: with -flto, too, they are no constants
      llvm::appendToCompilerUsed(module_, {flags});
      for (std::size_t i = 0; i < flags_.size(); ++i) {
        llvm::Constant* const index[] = {llvm::ConstantInt::get(word_, 0), llvm::ConstantInt::get(word_, i)};
        flags_[i]->replaceAllUsesWith(llvm::ConstantExpr::getInBoundsGetElementPtr(type, flags, index));
        flags_[i]->eraseFromParent();
      }
    }
    auto* const nothing = llvm::Type::getVoidTy(module_.getContext());
    auto* const constructor = llvm::Function::Create(llvm::FunctionType::get(nothing, false), llvm::GlobalValue::InternalLinkage, "tarry.announce_sites", module_);
    constructor->addFnAttr(llvm::Attribute::NoUnwind);
    IRBuilder<> code(llvm::BasicBlock::Create(module_.getContext(), "", constructor));
    code.CreateCall(declare("tarry_rt_sites", llvm::FunctionType::get(nothing, {pointer_, pointer_}, false)), {bound("__start_"), bound("__stop_")});
    code.CreateRetVoid();
    llvm::appendToGlobalCtors(module_, constructor, 0);
  }

 private:
  llvm::FunctionCallee declare(const char* name, llvm::FunctionType* type) {
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, type);
    if (auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
      function->addFnAttr(llvm::Attribute::NoUnwind);
      function->addFnAttr(llvm::Attribute::Cold);
    }
    return callee;
  }

  /// The linker defines these for a section whose name is a word of C.
  llvm::Constant* bound(const char* prefix) {
    const std::string name = std::string(prefix) + kSection;
    if (auto* const known = module_.getNamedGlobal(name)) return llvm::ConstantExpr::getPointerCast(known, pointer_);  // the program looks at its flags
    auto* const variable = new llvm::GlobalVariable(module_, byte_, false, llvm::GlobalValue::ExternalWeakLinkage, nullptr, name);
    variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
    return variable;
  }

  /// Splits the block in front of the access. Returns the ends of the two branches: the rare one is still empty, the other one has the access.
  Instruction* branch_around(Instruction& access, llvm::GlobalVariable*& flag) {
    flag = new llvm::GlobalVariable(module_, byte_, false, llvm::GlobalValue::ExternalLinkage, nullptr, "tarry.site");  // until `finish`
    flags_.push_back(flag);
    IRBuilder<> code(&access);
    Value* const on = code.CreateICmpNE(code.CreateLoad(byte_, flag), llvm::ConstantInt::get(byte_, 0));
    Instruction *rare = nullptr, *usual = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(on, &access, &rare, &usual, llvm::MDBuilder(module_.getContext()).createBranchWeights(1, 1 << 20));
    auto* const rest = access.getParent();
    access.moveBefore(usual);
    if (!access.getType()->isVoidTy()) {
      auto* const merged = llvm::PHINode::Create(access.getType(), 2);
      merged->insertBefore(&rest->front());
      access.replaceAllUsesWith(merged);
      merged->addIncoming(&access, usual->getParent());
      merged_ = merged;
    }
    return rare;
  }

  /// Code in front of an instruction, with the line of the access.
  struct Code : IRBuilder<> {
    Code(Instruction& place, const Instruction& of) : IRBuilder<>(&place) { SetCurrentDebugLocation(of.getDebugLoc()); }
  };
  void call_before(IRBuilder<>& code, Value* address, Value* size, How how, llvm::GlobalVariable* flag) {
    code.CreateCall(before_, {code.CreatePointerCast(address, pointer_), code.CreateZExtOrTrunc(size, word_), llvm::ConstantInt::get(byte_, how), flag});
  }
  void call_after(IRBuilder<>& code) { code.CreateCall(after_); }

  void instrument_word(Instruction& access) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&access);
    Value* const address = store != nullptr ? store->getPointerOperand() : llvm::cast<llvm::LoadInst>(access).getPointerOperand();
    llvm::Type* const type = store != nullptr ? store->getValueOperand()->getType() : access.getType();
    llvm::GlobalVariable* flag = nullptr;
    Instruction* const rare = branch_around(access, flag);
    Code code(*rare, access);
    Value* size = llvm::ConstantInt::get(word_, layout_.getTypeStoreSize(type));
    if (store != nullptr && is_of_virtual_table(access)) {  // writing the same again is no conflict
      Value* const same = code.CreateICmpEQ(code.CreateLoad(type, address), store->getValueOperand());
      size = code.CreateSelect(same, llvm::ConstantInt::get(word_, 0), size);
    }
    call_before(code, address, size, store != nullptr ? kWrites : kReads, flag);
    Instruction* const copy = access.clone();
    code.Insert(copy);
    call_after(code);
    if (store == nullptr) merged_->addIncoming(copy, rare->getParent());
  }

  /// One lane after the other, each by the same operation with only this lane of its mask.
  void instrument_lanes(llvm::IntrinsicInst& access) {
    const auto id = access.getIntrinsicID();
    const bool writes = id == llvm::Intrinsic::masked_store || id == llvm::Intrinsic::masked_scatter;
    const bool by_pointers = id == llvm::Intrinsic::masked_gather || id == llvm::Intrinsic::masked_scatter;
    const unsigned where = writes ? 1 : 0, mask_at = writes ? 3 : 2;
    auto* const type = llvm::cast<llvm::FixedVectorType>(writes ? access.getArgOperand(0)->getType() : access.getType());
    llvm::GlobalVariable* flag = nullptr;
    Instruction* const rare = branch_around(access, flag);
    Code code(*rare, access);
    Value* const size = llvm::ConstantInt::get(word_, layout_.getTypeStoreSize(type->getElementType()));
    Value* const mask = access.getArgOperand(mask_at);
    Value* result = writes ? nullptr : access.getArgOperand(3);
    for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
      Value* address = nullptr;
      if (by_pointers) address = code.CreateExtractElement(access.getArgOperand(where), lane);
      else address = code.CreateConstInBoundsGEP1_64(byte_, code.CreatePointerCast(access.getArgOperand(where), pointer_), lane * layout_.getTypeAllocSize(type->getElementType()));
      Value* const active = code.CreateExtractElement(mask, lane);
      call_before(code, address, code.CreateSelect(active, size, llvm::ConstantInt::get(word_, 0)), writes ? kWrites : kReads, flag);
      auto* const copy = llvm::cast<llvm::CallInst>(access.clone());
      copy->setArgOperand(mask_at, code.CreateInsertElement(llvm::Constant::getNullValue(mask->getType()), active, lane));
      if (!writes) copy->setArgOperand(3, result);
      code.Insert(copy);
      result = copy;
      call_after(code);
    }
    if (!writes) merged_->addIncoming(result, rare->getParent());
  }

  /// A copy is a read of all of it and then a write of all of it, a fill is a write. The runtime does both: what becomes calls of memcpy and memset is taken over.
  void instrument_transfer(llvm::AnyMemIntrinsic& transfer) {
    llvm::GlobalVariable* flag = nullptr;
    Instruction* const rare = branch_around(transfer, flag);
    Code code(*rare, transfer);
    Value* const to = code.CreatePointerCast(transfer.getRawDest(), pointer_);
    Value* const size = code.CreateZExtOrTrunc(transfer.getLength(), word_);
    if (const auto* const copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&transfer)) code.CreateCall(copy_, {to, code.CreatePointerCast(copy->getRawSource(), pointer_), size, flag});
    else code.CreateCall(fill_, {to, llvm::cast<llvm::AnyMemSetInst>(transfer).getValue(), size, flag});
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::IntegerType* byte_;
  llvm::IntegerType* word_;
  llvm::PointerType* pointer_;
  llvm::FunctionCallee before_, copy_, fill_, after_;
  llvm::SmallVector<llvm::GlobalVariable*, 64> flags_;
  llvm::PHINode* merged_ = nullptr;  // of the last access that has a value
};

struct EnforcedSites : llvm::PassInfoMixin<EnforcedSites> {
  static bool isRequired() { return true; }  // also without optimization
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& /*unused*/) {
    Instrumenter instrumenter(module);
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && function.hasFnAttribute(llvm::Attribute::SanitizeThread) && !function.hasFnAttribute(llvm::Attribute::Naked)) instrumenter.instrument(function);
    instrumenter.finish();
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace
}  // namespace tarry::pass

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  const auto at_the_end = [](llvm::PassBuilder& builder) {
#if LLVM_VERSION_MAJOR >= 20
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) { passes.addPass(tarry::pass::EnforcedSites()); });
#else
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(tarry::pass::EnforcedSites()); });
#endif
  };
  return {LLVM_PLUGIN_API_VERSION, "tarry-enforced-sites", "1", at_the_end};
}
