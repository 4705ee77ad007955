#include "cppmodel/load.h"

#include <fmt/format.h>

#include <string_view>

#include "cppmodel/model_program.h"
#include "toolchain/shared_object.h"
#include "toolchain/source_files.h"

namespace tarry {
namespace {

constexpr std::uint32_t kMostWords = 1u << 20;  // 4 MiB per state: too large to search

std::string implausible(const abi::Model& model) {
  if (model.words == 0 || model.words > kMostWords)
    return fmt::format("says that a state has {} words: expected 1 to {}", model.words, kMostWords);
  if (model.bits > std::uint64_t{model.words} * 32)
    return fmt::format("says that {} words have {} bits", model.words, model.bits);
  if (model.max_processes == 0 || model.max_processes > abi::kMaxProcesses)
    return fmt::format("says that it has {} processes: expected 1 to {}", model.max_processes, abi::kMaxProcesses);
  const bool whole = model.name != nullptr && model.source != nullptr && model.create != nullptr && model.destroy != nullptr &&
                     model.initial != nullptr && model.expand != nullptr && model.survey != nullptr && model.take != nullptr &&
                     model.describe != nullptr && model.process_name != nullptr && model.reached != nullptr;
  return whole ? "" : "leaves out functions of the model interface";
}

}  // namespace

bool is_model_source(const std::filesystem::path& source) { return uses_macro(source, "TARRY_MODEL"); }

Result<std::unique_ptr<Program>> load_model(const std::filesystem::path& object, const std::string& formula) {
  const auto symbol =
      exported(object, kModelSymbol, "the object of a C++ model, which #includes <tarry/model.h> and says TARRY_MODEL(Type)",
                  kExplorerSymbol, "; this is an explorer: give it to --explorer");
  if (!symbol) return symbol.error();
  const auto& model = *static_cast<const abi::Model*>(*symbol);
  if (model.magic != abi::kMagic)
    return wrong_object(object, fmt::format("exports '{}', but it is no model: build it again", kModelSymbol));
  if (model.version != abi::kVersion) return wrong_version(object, model.version, "model", abi::kVersion);
  if (const std::string problem = implausible(model); !problem.empty()) return wrong_object(object, problem + "; build it again");
  if (formula.empty()) return std::unique_ptr<Program>(make_model_program(model));
  auto program = with_formula(make_model_program(model), formula, "--ltl");
  if (!program) return Diagnostic{"tarry: error: " + program.error().text};
  return program;
}

}  // namespace tarry
