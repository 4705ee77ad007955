// Descriptors and files, as they were at the baseline.
//
// Of a name in the file system that the program is about to change, the state before is kept: absent, or a file with its contents, a folder, a link. They are
// put back in the reverse order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tarry::native::rt {

/// At the baseline: descriptors that are open then stay open.
void remember_files();
void undo_files();

/// Of ours: not for the program.
bool is_ours(int descriptor);

/// A system call that gives new ones, apart from those that open files.
bool makes_descriptors(long system_call);
/// Before the call: whether a descriptor comes, goes or changes.
void descriptors_change(int concerned = -1);
/// close_range, without ours.
long close_descriptors(unsigned first, unsigned last);

// Several workers run the program in the same folder. Once it is known to change files, one execution has them at a time.
enum class Turn { kMine, kNotNeeded, kWait };
/// Before an execution. kWait: another worker has them; a moment was slept.
Turn take_files();
void give_back_files();
/// Returns whether the execution may have seen what another execution did to files: then it must be repeated when it is its turn.
bool were_disturbed();

/// Other workers' executions must not meet this one's in files: from now on they take turns. May begin the execution anew.
void need_files_alone();
/// The execution locks files: descriptors that it has from before main hold no lock in the next one.
void files_were_locked();

/// Before the name is created, changed or removed. `follow`: what a link points to is meant.
enum class Link { kItself, kFollow };
void about_to_change(int folder, const char* path, Link link);
void folder_changes();

/// What could not be kept, for the user.
const std::vector<std::string>& not_undone();

}  // namespace tarry::native::rt
