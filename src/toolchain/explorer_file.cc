#include "toolchain/explorer_file.h"

#include <tarry/explorer.h>

#include <memory>

#include "toolchain/shared_object.h"

namespace tarry {

Result<LoadedExplorer> load_explorer(const std::filesystem::path& object) {
  const auto symbol = exported(object, kExplorerSymbol,
                                  "the object of an explorer, which #includes <tarry/explorer.h> and says TARRY_EXPLORER(Type)",
                                  kModelSymbol, "; this is a model: give it to tarry check");
  if (!symbol) return symbol.error();
  const auto& entry = *static_cast<const abi::ExplorerEntry*>(*symbol);
  if (entry.version != abi::kExplorerVersion)
    return wrong_version(object, entry.version, "explorer", abi::kExplorerVersion);
  if (entry.name == nullptr || entry.make == nullptr)
    return wrong_object(object, "leaves out parts of the explorer interface; build it again");
  return LoadedExplorer{entry.name, [make = entry.make](std::uint64_t seed) { return std::unique_ptr<Explorer>(make(seed)); }};
}

}  // namespace tarry
