#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tarry::cli {
namespace {

/// Returns the text as a sentence: a capital at its beginning, a full stop at its end.
std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Returns the names of an option as they are written on the command line, short ones first.
std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

void print_option(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : names_of(option)) names += (names.empty() ? "\\fB" : ", \\fB") + escaped_for_manual(name) + "\\fR";
  const std::string value = option.get_type_name();
  fmt::print(".TP\n{}{}\n{}\n", names, value.empty() ? "" : " \\fI" + escaped_for_manual(value) + "\\fR", escaped_for_manual(sentence(option.get_description())));
}

}  // namespace

std::string escaped_for_manual(const std::string& text) {
  std::string out;
  bool at_start = true;  // of a line
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-') out += "\\-";
    else if (c == '\\') out += "\\e";
    else out += c;
    at_start = c == '\n';
  }
  return out;
}

void print_section_of_manual(const CLI::App& app, const Manual& manual) {
  const std::string name = app.get_name();
  fmt::print(".SH {}\n{}\n.PP\n.nf\n{}\n.PP\n{}.fi\n", escaped_for_manual(capitals(name)), escaped_for_manual(sentence(manual.summary)), escaped_for_manual(manual.usage),
             escaped_for_manual(manual.examples));
  for (const std::string& group : app.get_groups()) {
    const auto options = app.get_options([&](const CLI::Option* o) { return o->get_group() == group; });
    if (group.empty() || options.empty()) continue;
    fmt::print(".SS {}\n", escaped_for_manual(group));
    for (const CLI::Option* option : options) print_option(*option);
  }
}

void print_words(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;  // those without a group are hidden
    for (const std::string& name : names_of(*option)) fmt::print("{}\t{}\t{}\n", name, option->get_type_name(), option->get_description());
  }
}

}  // namespace tarry::cli
