// Which plain accesses of a function other threads can reach: those that enforcement may have to hold back.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace tarry::pass {

/// A plain access of the function, or a copy or fill of memory.
struct Accesses {
  llvm::SmallVector<llvm::Instruction*, 32> words;         // loads and stores, also of vectors
  llvm::SmallVector<llvm::IntrinsicInst*, 4> lanes;        // masked loads and stores, gathers and scatters
  llvm::SmallVector<llvm::AnyMemIntrinsic*, 8> transfers;  // memcpy, memmove, memset
};

/// Returns the accesses that may be to memory of several threads. Left out are locals and fresh allocations whose address does not escape, constants, and
/// what the compiler itself counts for profiles.
Accesses reachable_accesses(llvm::Function& function);

/// Returns whether other threads may reach the object at this address, and it may change.
bool is_reachable_object(const llvm::Value& address);

/// Returns whether the access reads or writes the pointer to a table of virtual functions.
bool is_of_virtual_table(const llvm::Instruction& access);

}  // namespace tarry::pass
