#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/manual.h"
#include "trace/render/json.h"

namespace tarry::cli {
namespace {

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

void print_options(const std::string& title, const std::vector<const CLI::Option*>& options) {
  constexpr std::size_t kColumn = 30;
  fmt::print("\n{}:\n", title);
  for (const CLI::Option* option : options) {
    const std::string left = "  " + left_column(*option);
    const std::string help = wrapped(option->get_description(), kColumn, 110);
    if (left.size() + 2 > kColumn) fmt::print("{}\n{:{}}{}\n", left, "", kColumn, help);
    else fmt::print("{:{}}{}\n", left, kColumn, help);
  }
}

enum class Shown { kCommon, kAll };

void print_help(const CLI::App& app, const Manual& manual, Shown shown) {
  fmt::print("{}\n\n{}\n\nExamples:\n{}", manual.usage, manual.summary, manual.examples);
  if (shown == Shown::kCommon && !manual.common.empty()) {
    std::vector<const CLI::Option*> options;
    for (const std::string& name : manual.common) options.push_back(app.get_option(name));
    print_options("Options that are used most", options);
    fmt::print("\n{} --help-all shows all options.\n", app.get_name());
  } else {
    for (const std::string& group : app.get_groups()) {
      const auto options = app.get_options([&](const CLI::Option* o) { return o->get_group() == group; });
      if (!group.empty() && !options.empty()) print_options(group, options);
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
  app.set_help_flag("-h,--help", manual.common.empty() ? "shows this text" : "shows the options that are used most")->group("Other");
  if (!manual.common.empty()) app.set_help_all_flag("--help-all", "shows all options")->group("Other");
  if (arguments.size() == 1 && arguments[0] == kManualFlag) return print_section_of_manual(app, manual), kNoBug;
  if (arguments.size() == 1 && arguments[0] == kWordsFlag) return print_words(app), kNoBug;
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    print_help(app, manual, Shown::kCommon);
    return kNoBug;
  } catch (const CLI::CallForAllHelp&) {
    print_help(app, manual, Shown::kAll);
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

std::vector<CLI::Option*> add_options(CLI::App& app, const Options& options) {
  using Kind = tarry::Option::Kind;
  std::vector<CLI::Option*> out;
  for (const tarry::Option& option : options) {
    CLI::Option* made = nullptr;
    if (option.kind == Kind::kFlag || option.kind == Kind::kFlagOrValue) made = app.add_flag(option.names, option.help)->type_name(option.value);
    else if (option.kind == Kind::kList) made = app.add_option_function<std::vector<std::string>>(option.names, [](const auto&) {}, option.help)->type_name(option.value)->allow_extra_args(false);
    else made = app.add_option_function<std::string>(option.names, [](const auto&) {}, option.help)->type_name(option.value)->take_last();
    out.push_back(made->group(option.group));
  }
  return out;
}

GivenOptions given_options(const Options& options, const std::vector<CLI::Option*>& parsed) {
  using Kind = tarry::Option::Kind;
  GivenOptions out;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (parsed[i]->count() == 0) continue;
    std::vector<std::string> values = parsed[i]->results();
    if (options[i].kind != Kind::kList) values.erase(values.begin(), values.end() - 1);
    if (options[i].kind == Kind::kFlag && values.back() == "false") continue;
    if ((options[i].kind == Kind::kFlag || options[i].kind == Kind::kFlagOrValue) && values.back() == "true") values.clear();
    out.set(options[i].name(), std::move(values));
  }
  return out;
}

CLI::Option* add_value(CLI::App& app, const std::string& names, const std::string& value, const std::string& help, Take take) {
  const std::string name = names.substr(names.rfind(',') + 1);
  const auto callback = [name, take = std::move(take)](const std::string& text) {
    if (const auto expected = take(text)) throw_usage_error(fmt::format("{}={} is not right: expected {}", name, text, *expected));
  };
  return app.add_option_function<std::string>(names, callback, help)->type_name(value)->take_last();
}

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

process::EndsWhenInterrupted ends_when_interrupted() {
  const std::string words = "tarry: interrupted before there was a verdict";
  return process::EndsWhenInterrupted([&](int signal) { return error_output("interrupt", words, 128 + signal); }, words + "\n");
}

void tell_errors_as_json() { g_errors_as_json = true; }

int refuse(const Diagnostic& diagnostic) { return complain("input", diagnostic.text, "", kBadInput); }

int admit(const std::string& message, const std::string& more) { return complain("internal", message, more, kOurFault); }

}  // namespace tarry::cli
