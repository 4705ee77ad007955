// Data that the parts of the code generator share: tables that grow while functions are compiled.
#pragma once

#include <map>
#include <string>

#include "plang/code/bytecode.h"
#include "plang/code/visible_order.h"

namespace tarry::plang {

class Generator {
 public:
  Generator(const CheckedProgram& program, Code& code);

  const Orders& orders() const { return orders_; }
  Code& code() { return code_; }
  std::uint32_t constant(Value v);
  Value default_of(const Type* type) { return heap_.intern(default_value(type, heap_, code_)); }
  std::uint32_t shape(const std::vector<std::string>& names) { return shape_number(names, code_); }
  std::uint32_t field_name(const std::string& name);
  std::uint32_t permissions(const EventSet* set);
  std::uint32_t format(Format format);
  std::uint32_t path(Path path);
  std::uint32_t receive(ReceiveTable table);
  Heap& heap() { return heap_; }
  std::size_t event_count() const { return event_count_; }

 private:
  Code& code_;
  Heap heap_;
  Orders orders_;
  std::size_t event_count_;
  std::map<std::uint64_t, std::uint32_t> constants_;
  std::map<std::string, std::uint32_t> field_names_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> permissions_;
};

/// Compiles one function. Requires: it is not foreign.
void compile_function(Generator& generator, const Function& source, CodeFunction& out);

}  // namespace tarry::plang
