#include "trace/render/renderer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tarry {
namespace {

std::vector<Renderer>& all() {
  static std::vector<Renderer> all;
  return all;
}

}  // namespace

const std::vector<Renderer>& renderers() { return all(); }

const Renderer& renderer(const std::string& name) {
  const auto found = std::find_if(all().begin(), all().end(), [&](const Renderer& one) { return one.name == name; });
  if (found == all().end()) throw std::logic_error("there is no renderer '" + name + "'");
  return *found;
}

RendererRegistration::RendererRegistration(Renderer renderer) {
  const auto at = std::lower_bound(all().begin(), all().end(), renderer, [](const Renderer& a, const Renderer& b) { return a.name < b.name; });
  if (at != all().end() && at->name == renderer.name) throw std::logic_error("two renderers are called '" + renderer.name + "'");
  all().insert(at, std::move(renderer));
}

}  // namespace tarry
