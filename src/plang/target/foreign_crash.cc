// A crash in a foreign function: the search that ran into it is gone, and with it what it knew of its machines, except for who they are.
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <sstream>
#include <system_error>

#include "plang/sema/checked_program.h"
#include "plang/target/foreign_files.h"
#include "plang/vm/p_program.h"
#include "plang/vm/renumber.h"
#include "process/crash_record.h"
#include "process/supervise.h"

namespace tarry::plang {
namespace {

using Identity = Identities::Identity;

std::vector<Identity> copy_of(const Identities::Mirror& left) { return {left.identities, left.identities + left.size.load()}; }

static_assert(Identities::kMost <= process::Shared::kNamed);

void name_running(process::Shared& shared, std::uint32_t slot, const Identity& who, const CheckedProgram& program) {
  shared.crash.running = slot + 1;
  const std::string name = fmt::format("{}({})", program.interfaces[who.interface]->name.text, slot + 1);
  std::strncpy(shared.names[slot].data(), name.c_str(), shared.names[slot].size() - 1);
}

/// The schedule in the numbers of a replay, found in a child: foreign functions run there. Empty text: it cannot be found.
std::string renumbered_in_child(const process::StateSubject& subject, const std::vector<Choice>& schedule, const std::vector<Identity>& identities, bool in_step) {
  process::SharedMemory memory;
  const process::ChildEnd end = process::supervise(*memory, {}, [&]() -> std::string {
    const auto program = subject.load(process::StateSubject::Purpose::kReplay);
    if (!program) return "";
    const auto found = renumbered(schedule, identities, dynamic_cast<const PProgram&>(**program),
                                         in_step ? LastStep::kNotTaken : LastStep::kTaken);
    if (!found) return "";
    std::string out = "ok";
    for (const Choice& choice : *found) out += fmt::format(" {}", code_of(choice));
    return out;
  });
  return end.came_back ? end.said : "";
}

}  // namespace

SharedIdentities::SharedIdentities() {
  void* memory = ::mmap(nullptr, sizeof(Identities::Mirror), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "cannot map shared memory");
  mirror_ = new (memory) Identities::Mirror;
}

SharedIdentities::~SharedIdentities() { ::munmap(mirror_, sizeof(Identities::Mirror)); }

bool complete_foreign_crash(process::Shared& shared, process::StateSubject::Purpose purpose, const process::StateSubject& subject, const Identities::Mirror& left,
                      const CheckedProgram& program) {
  process::CrashRecord& record = shared.crash;
  const std::vector<Identity> identities = copy_of(left);  // the next child writes over it
  const std::uint32_t ran = record.running;
  if (purpose == process::StateSubject::Purpose::kReplay) {
    if (ran != 0 && ran <= identities.size()) name_running(shared, ran - 1, identities[ran - 1], program);
    return true;
  }
  if (record.length == 0) return true;
  const std::string said = renumbered_in_child(subject, process::schedule_of(record), identities, record.where == process::Where::kStep);
  std::istringstream words(said);
  std::string ok;
  words >> ok;
  if (ok != "ok") return false;
  std::uint64_t code = 0, length = 0;
  std::uint32_t process = 0;
  while (words >> code && length < process::CrashRecord::kRoom) {
    record.schedule[length++] = code;
    if (const Choice choice = choice_of(code); choice.kind == Choice::Kind::kProcess) process = choice.number;
  }
  record.length = length;
  if (ran != 0 && ran <= identities.size() && process < shared.names.size())
    name_running(shared, process, identities[ran - 1], program);
  return true;
}

}  // namespace tarry::plang
