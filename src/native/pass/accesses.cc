#include "native/pass/accesses.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>

namespace tarry::pass {
namespace {

/// Learns whether the address of an object leaves the function. `free` and `delete` tell nobody.
class Escape final : public llvm::CaptureTracker {
 public:
  void tooManyUses() override { found = true; }
  bool captured(const llvm::Use* use) override {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use->getUser());
    const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    const llvm::StringRef name = callee == nullptr ? llvm::StringRef() : callee->getName();
    found |= name != "free" && name.find("_ZdlPv") != 0 && name.find("_ZdaPv") != 0;
    return found;
  }
  bool found = false;
};

bool escapes(const llvm::Value& object) {
  Escape escape;
  llvm::PointerMayBeCaptured(&object, &escape);
  return escape.found;
}

/// Returns whether the object belongs to one call of the function and its address is never known outside.
bool is_private_object(const llvm::Value& object) {
  const auto* const argument = llvm::dyn_cast<llvm::Argument>(&object);
  const bool is_own = llvm::isa<llvm::AllocaInst>(object) || llvm::isNoAliasCall(&object) || (argument != nullptr && argument->hasByValAttr());
  return is_own && !escapes(object);
}

bool is_counter_of_profile(const llvm::GlobalVariable& variable) {
  const llvm::StringRef name = variable.getName();
  return name.find("__llvm_gcov") == 0 || name.find("__llvm_gcda") == 0 || name.find("__prof") == 0;
}

/// Finds the accesses of one function. Objects are looked at once.
class Finder {
 public:
  Accesses accesses;

  void look_at(llvm::Instruction& one) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&one)) {
      if (!load->isAtomic() && !reads_constant(*load->getPointerOperand()) && is_reachable(*load->getPointerOperand())) accesses.words.push_back(load);
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
      if (!store->isAtomic() && is_reachable(*store->getPointerOperand())) accesses.words.push_back(store);
    } else if (auto* const transfer = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&one)) {
      look_at_transfer(*transfer);
    } else if (auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&one)) {
      look_at_lanes(*intrinsic);
    }
  }

 private:
  void look_at_transfer(llvm::AnyMemIntrinsic& transfer) {
    if (transfer.isAtomic()) return;
    const auto* const copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&transfer);
    if (is_reachable(*transfer.getRawDest()) || (copy != nullptr && !reads_constant(*copy->getRawSource()) && is_reachable(*copy->getRawSource()))) accesses.transfers.push_back(&transfer);
  }

  void look_at_lanes(llvm::IntrinsicInst& intrinsic) {
    switch (intrinsic.getIntrinsicID()) {
      case llvm::Intrinsic::masked_load:
        if (is_reachable(*intrinsic.getArgOperand(0))) accesses.lanes.push_back(&intrinsic);
        return;
      case llvm::Intrinsic::masked_store:
        if (is_reachable(*intrinsic.getArgOperand(1))) accesses.lanes.push_back(&intrinsic);
        return;
      case llvm::Intrinsic::masked_gather:
      case llvm::Intrinsic::masked_scatter: accesses.lanes.push_back(&intrinsic); return;
      default: return;
    }
  }

  bool is_reachable(const llvm::Value& address) {
    if (address.isSwiftError() || address.getType()->getPointerAddressSpace() != 0) return false;
    const llvm::Value* const object = llvm::getUnderlyingObject(&address, 0);
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) return !is_counter_of_profile(*variable);
    const auto [known, is_new] = private_.try_emplace(object, false);
    if (is_new) known->second = is_private_object(*object);
    return !known->second;
  }

  /// Returns whether what is read there never changes: a constant, or an entry of a table of virtual functions.
  static bool reads_constant(const llvm::Value& address) {
    const llvm::Value* const object = llvm::getUnderlyingObject(&address, 0);
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) return variable->isConstant();
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
    return load != nullptr && is_of_virtual_table(*load);
  }

  llvm::DenseMap<const llvm::Value*, bool> private_;
};

}  // namespace

Accesses reachable_accesses(llvm::Function& function) {
  Finder finder;
  for (llvm::Instruction& one : llvm::instructions(function)) finder.look_at(one);
  return std::move(finder.accesses);
}

bool is_reachable_object(const llvm::Value& address) {
  const llvm::Value* const object = llvm::getUnderlyingObject(&address, 0);
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) return !variable->isConstant();
  return !is_private_object(*object);
}

bool is_of_virtual_table(const llvm::Instruction& access) {
  const llvm::MDNode* const tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  return tag != nullptr && tag->isTBAAVtableAccess();
}

}  // namespace tarry::pass
