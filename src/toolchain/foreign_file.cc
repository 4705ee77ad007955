#include "toolchain/foreign_file.h"

#include <fmt/format.h>

#include "toolchain/shared_object.h"
#include "toolchain/source_files.h"

namespace tarry {

bool is_foreign_source(const std::filesystem::path& source) { return uses_macro(source, "TARRY_FOREIGN"); }

Result<abi::ForeignTable> load_foreign(const std::filesystem::path& object) {
  const auto symbol = exported(object, kForeignSymbol,
                                  "the object of foreign functions, which #includes <tarry/foreign.h> and says TARRY_FOREIGN(\"Name\", function)",
                                  kModelSymbol, "; this is a model: give it to tarry check");
  if (!symbol) return symbol.error();
  abi::ForeignTable table{};
  reinterpret_cast<void (*)(abi::ForeignTable*)>(const_cast<void*>(*symbol))(&table);
  if (table.magic != abi::kForeignMagic) return wrong_object(object, fmt::format("exports '{}', but it has no foreign functions: build it again", kForeignSymbol));
  if (table.version != abi::kForeignVersion) return wrong_version(object, table.version, "foreign function", abi::kForeignVersion);
  for (const auto* f = table.functions; f != nullptr; f = f->next)
    if (f->name == nullptr || f->call == nullptr) return wrong_object(object, "leaves out parts of the foreign function interface; build it again");
  return table;
}

}  // namespace tarry
