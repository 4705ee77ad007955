// Renderers: the forms in which `tarry check` gives out its reports. Each registers itself from a file of its own in render/forms, before main.
// The command line makes an option of each, and knows nothing else about them: a new form is one file there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trace/render/report.h"
#include "trace/render/text.h"

namespace tarry {

struct Renderer {
  enum class To {
    kScreen,  // standard output, unless another one is asked for
    kOutput,  // `--name`: standard output, and nothing else there
    kFile,    // `--name FILE`: a file, written whole or not at all, beside what standard output gets
  };
  std::string name;
  To to = To::kFile;
  std::string help = {};
  /// For a screen, which shows each test as it goes: before a test of several, and after it. May be empty.
  std::function<std::string(const std::string& test, bool first)> begin = {};
  std::function<std::string(const Report& report, const RenderOptions& page)> each = {};
  /// All of them, at the end. Requires: there is one.
  std::function<std::string(const std::vector<Report>& reports)> whole;
};

/// Sorted by name.
const std::vector<Renderer>& renderers();
/// Requires: there is one of this name.
const Renderer& renderer(const std::string& name);

/// A file-scope constant that adds a renderer.
class RendererRegistration {
 public:
  explicit RendererRegistration(Renderer renderer);
};

}  // namespace tarry
