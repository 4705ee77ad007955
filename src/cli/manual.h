// The options of a command in the forms that other programs read: a man page, and the words that shells complete.
//
// Both are made from the options that the parser has, so they are those of --help.
#pragma once

#include "cli/command_line.h"

namespace tarry::cli {

/// Prints a section of the man page, in the language of man pages.
void print_section_of_manual(const CLI::App& app, const Manual& manual);

/// Prints a line for each name of an option: the name, its value, its help; tabs between them. The value is a list of words with '|' between them if
/// only these are taken, else a word in capitals.
void print_words(const CLI::App& app);

/// Returns the text with everything escaped that man pages treat as a command.
std::string escaped_for_manual(const std::string& text);

}  // namespace tarry::cli
