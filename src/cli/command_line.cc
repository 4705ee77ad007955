#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "trace/render/json.h"

namespace tarry::cli {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string left_column(const CLI::Option& option) {
  std::string names = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  for (std::size_t at = 0; (at = names.find(',', at)) != std::string::npos; at += 2) names.replace(at, 1, ", ");
  const std::string value = option.get_type_name();
  return value.empty() ? names : names + ' ' + value;
}

/// The text, broken at spaces so that it fits to the right of the column.
std::string wrapped(const std::string& text, std::size_t column, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    const std::size_t length = end - at;
    if (used != 0 && used + 1 + length > width - column) {
      out += '\n' + std::string(column, ' ');
      used = 0;
    } else if (used != 0) {
      out += ' ';
      ++used;
    }
    out.append(text, at, length);
    used += length;
    at = end + 1;
  }
  return out;
}

void print_help(const CLI::App& app, const Manual& manual) {
  constexpr std::size_t kColumn = 30;
  fmt::print("{}\n\n{}\n\nExamples:\n{}", manual.usage, manual.summary, manual.examples);
  for (const std::string& group : app.get_groups()) {
    const auto options = app.get_options([&](const CLI::Option* o) { return o->get_group() == group; });
    if (group.empty() || options.empty()) continue;
    fmt::print("\n{}:\n", group);
    for (const CLI::Option* option : options) {
      const std::string left = "  " + left_column(*option);
      const std::string help = wrapped(option->get_description(), kColumn, 110);
      if (left.size() + 2 > kColumn) fmt::print("{}\n{:{}}{}\n", left, "", kColumn, help);
      else fmt::print("{:{}}{}\n", left, kColumn, help);
    }
  }
  if (!manual.closing.empty()) fmt::print("\n{}", manual.closing);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// What CLI11 could not place.
Diagnostic unexpected(const CLI::App& app, const Arguments& rest) {
  for (const std::string& word : rest) {
    if (!word.starts_with("-") || word == "-") continue;
    const std::string name = word.substr(0, word.find('='));
    return usage_error(fmt::format("unknown option '{}'{}", name, did_you_mean(name, option_names(app))));
  }
  return usage_error(fmt::format("unexpected argument '{}'", rest.front()));
}

}  // namespace

std::optional<int> parse(CLI::App& app, const Manual& manual, const Arguments& arguments) {
  app.allow_extras();
  app.set_help_flag("-h,--help", "shows this text")->group("Other");
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    print_help(app, manual);
    return kNoBug;
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    return refuse(usage_error(fmt::format("{} needs a value; see {} --help", text.substr(0, text.find(':')), app.get_name())));
  } catch (const CLI::ParseError& e) {
    return refuse(usage_error(e.what()));
  }
  if (const Arguments rest = app.remaining(); !rest.empty()) return refuse(unexpected(app, rest));
  return std::nullopt;
}

CLI::Option* add_value(CLI::App& app, const std::string& names, const std::string& value, const std::string& help, Take take) {
  const std::string name = names.substr(names.rfind(',') + 1);
  const auto callback = [name, take = std::move(take)](const std::string& text) {
    if (const auto expected = take(text)) throw_usage_error(fmt::format("{}={} is not right: expected {}", name, text, *expected));
  };
  return app.add_option_function<std::string>(names, callback, help)->type_name(value)->take_last();
}

Diagnostic usage_error(const std::string& text) { return {"tarry: error: " + text}; }

void throw_usage_error(const std::string& text) { throw CLI::ParseError(text, kBadInput); }

namespace {

bool g_errors_as_json = false;  // errors come from everywhere, the parser of the command line included, which has not read --json yet

}  // namespace

std::string error_output(const std::string& kind, const std::string& message, int code) {
  return g_errors_as_json ? render_error_json(kind, message, code) + "\n" : "";
}

namespace {

int complain(const std::string& kind, std::string message, const std::string& more, int code) {
  if (message.ends_with('\n')) message.pop_back();
  fmt::print("{}", error_output(kind, message, code));
  std::fflush(stdout);
  fmt::print(stderr, "{}\n{}", message, more);
  return code;
}

}  // namespace

void tell_errors_as_json() { g_errors_as_json = true; }

int refuse(const Diagnostic& diagnostic) { return complain("input", diagnostic.text, "", kBadInput); }

int admit(const std::string& message, const std::string& more) { return complain("internal", message, more, kOurFault); }

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest = std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return distance(word, a) < distance(word, b);
  });
  if (nearest == names.end() || distance(word, *nearest) > std::max<std::size_t>(2, word.size() / 3)) return "";
  return fmt::format("; did you mean '{}'?", *nearest);
}

Diagnostic unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  const std::string hint = did_you_mean(name, names);
  return usage_error(fmt::format("unknown {} '{}'{} the {}{} are: {}", what, name, hint.empty() ? ";" : hint, what,
                                 what == "search" ? "es" : "s", fmt::join(names, ", ")));
}

}  // namespace tarry::cli
