// The words of a command line that is written as one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// What a backslash means. In both ways it stands for the next character outside of quotes.
enum class Quoting {
  kShell,         // nothing between single quotes; between double quotes only before $, `, ", \ and the end of a line. Before the end of a line it joins the lines
  kResponseFile,  // the next character everywhere, as gcc and clang read @files
};

/// Returns the words, separated by white space outside of quotes. Nothing is replaced. A quote that is not closed ends with the text.
std::vector<std::string> words_of(std::string_view text, Quoting quoting);

}  // namespace tarry
