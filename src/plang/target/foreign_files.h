// Foreign functions of P programs: where they are implemented, whether each needed function is, and what is left of a crash in one of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plang/project/project.h"
#include "plang/target/compiled_project.h"
#include "plang/vm/world.h"
#include "process/state_subject.h"

namespace tarry::plang {

/// The files that were named, then the C++ files of the project, then those beside its .p files with the same name; the latter two only if TARRY_FOREIGN is
/// used in them. Files of the project in which it is not are told of in `notes`.
std::vector<std::filesystem::path> foreign_files_of(const Project& project, const std::vector<std::string>& named, std::string& notes);

/// Compiles them, if one of the tests may call a foreign function, and checks that every function that may be called is there. A diagnostic names
/// the missing functions. Implemented functions that the program does not declare are reported on standard error.
std::optional<Diagnostic> build_foreign(CompiledProject& project, const std::vector<const TestCase*>& tests);

/// Foreign functions of the program that none of its C++ files has, in the order of declaration. Compiles these files.
Result<std::vector<const Function*>> unwritten_foreign(const CompiledProject& project);

/// The identity of the program, and that of its foreign functions.
std::uint64_t identity_with_foreign(const CompiledProject& project, std::uint64_t program);

/// For the child: opens the objects and links them with the program, once.
std::optional<Diagnostic> load_foreign_of(CompiledProject& project);

/// Who is who in a child, in memory that its parent shares.
class SharedIdentities {
 public:
  SharedIdentities();
  ~SharedIdentities();
  SharedIdentities(const SharedIdentities&) = delete;
  SharedIdentities& operator=(const SharedIdentities&) = delete;
  Identities::Mirror& operator*() const { return *mirror_; }

 private:
  Identities::Mirror* mirror_;
};

/// StateSubject::complete_crash of a P program: a replaying child finds the numbers, from the identities that the crashed one left.
bool complete_foreign_crash(process::Shared& shared, process::StateSubject::Purpose purpose, const process::StateSubject& subject, const Identities::Mirror& left,
                      const CheckedProgram& program);

}  // namespace tarry::plang
