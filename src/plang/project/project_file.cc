#include "plang/project/project_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <pugixml.hpp>

#include "trace/whole_file.h"

namespace tarry::plang {
namespace {

constexpr std::uint64_t kLongest = 16 << 20;  // bytes
constexpr std::string_view kBlanks = " \t\r\n";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? "" : std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

/// Returns the place of the '<'. The library counts from the name, and gives no position in some converted texts.
Place place_of(const pugi::xml_node& node) {
  return {0, static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(node.offset_debug() - 1, 0))};
}

ProjectFile::Entry entry_of(const pugi::xml_node& node) { return {trimmed(node.child_value()), place_of(node)}; }

void read_element(const pugi::xml_node& node, ProjectFile& out) {
  const std::string_view name = node.name();
  if (name == "ProjectName") {
    out.names.push_back(entry_of(node));
  } else if (name == "OutputDir") {
    out.output_dir = entry_of(node).text;
  } else if (name == "IncludeProject") {
    out.includes.push_back(entry_of(node));
  } else if (name == "InputFiles") {
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (child.name() == std::string_view("PFile")) out.inputs.push_back(entry_of(child));
      else out.unknown.push_back({child.name(), place_of(child)});
    }
  } else if (name != "Target" && name != "pobserve-package") {  // selects a back end of P; ignored here
    out.unknown.push_back({node.name(), place_of(node)});
  }
}

/// Returns the library's message in a form that fits into a sentence.
std::string description(const pugi::xml_parse_result& result) {
  std::string text = result.description();
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

Diagnostic ProjectFile::wrong(Place place, std::string_view what) const {
  place.offset = std::min(place.offset, static_cast<std::uint32_t>(source.file(0).text.size()));
  return {fmt::format("{}: error: {}", source.text(place), what)};
}

Result<ProjectFile> read_project_file(const std::filesystem::path& path) {
  Result<std::string> bytes = read_whole(path, kLongest);
  if (!bytes) return bytes.error();
  ProjectFile file;
  file.path = path;
  file.source.add(path.string(), std::move(*bytes));
  const std::string& text = file.source.file(0).text;
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (!result) {
    const auto offset = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(result.offset, 0));
    return file.wrong({0, offset}, fmt::format("wrong XML: {}", description(result)));
  }
  const pugi::xml_node root = document.document_element();
  file.project = entry_of(root);
  if (root.name() != std::string_view("Project"))
    return file.wrong(place_of(root), fmt::format("expected <Project>, found <{}>", root.name()));
  for (const pugi::xml_node& node : root.children())
    if (node.type() == pugi::node_element) read_element(node, file);
  return file;
}

}  // namespace tarry::plang
