// The front end of C++ models: a .cpp that uses TARRY_MODEL, or the shared object of one.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/hash.h"
#include "core/target.h"
#include "core/temporal_option.h"
#include "core/usage.h"
#include "cppmodel/load.h"
#include "process/crash_record.h"
#include "process/state_subject.h"
#include "toolchain/source_files.h"
#include "toolchain/surroundings.h"

namespace tarry {
namespace {

class ModelSubject final : public process::StateSubject {
 public:
  ModelSubject(BuiltObject built, const TemporalFormula& formula)
      : StateSubject({.identity = formula.text.empty() ? built.identity : hash_of(formula.text, built.identity)}, {.notes = formula.notes()}),
        built_(std::move(built)),
        formula_(formula.text) {}

  Result<std::unique_ptr<Program>> load(Purpose /*purpose*/) const override {
    auto program = load_model(built_.object, formula_);
    if (program) process::record_module(process::Module::kProgram, built_.object);
    return program;
  }

 private:
  BuiltObject built_;
  std::string formula_;
};

class ModelTarget final : public Target {
 public:
  Options options() override { return {formula_.option("", "")}; }  // P programs have it, too, and describe it

  std::optional<Diagnostic> settle(TargetRequest& request) override {
    if (auto wrong = formula_.wrong()) return wrong;
    return process::settle_for_one_test(request);
  }

  Result<Subjects> load(const TargetRequest& request) override {
    const std::string& file = request.target;
    if (!request.more_targets.empty())
      return usage_error(fmt::format("several files are checked together only if they are .p files or the sources of a program, but '{}' is neither", file));
    if (is_shared_object(file) && !request.defines.empty()) return usage_error(fmt::format("-D needs a source to compile, but '{}' is compiled already", file));
    auto built = object_of(file, "is no model", request.defines);
    if (!built) return built.error();
    Subjects subjects;
    subjects.push_back(std::make_unique<ModelSubject>(std::move(*built), formula_));
    return subjects;
  }

 private:
  TemporalFormula formula_;
};

Claim claims(const std::string& file) {
  if (is_shared_object(file)) return Claim::kYes;
  return is_cxx_source(file) && is_model_source(file) ? Claim::kYes : Claim::kNo;
}

const FrontEndRegistration entry{{
    .name = "model",
    .plural = "C++ models",
    .targets = "a .cpp with TARRY_MODEL in it, or a .so built from one",
    .rank = 30,
    .claims = claims,
    .make = [] { return std::make_unique<ModelTarget>(); },
}};

}  // namespace
}  // namespace tarry
