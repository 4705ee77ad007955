#include "core/registry.h"

#include <algorithm>

#include "base/assert.h"

namespace tarry {

template <class T>
std::vector<Entry<T>>& Registry<T>::entries() {
  static std::vector<Entry<T>> list;  // filled before main, read-only afterwards
  return list;
}

template <class T>
void Registry<T>::add(Entry<T> entry) {
  auto& list = entries();
  const auto at = std::lower_bound(list.begin(), list.end(), entry, [](const auto& a, const auto& b) { return a.name < b.name; });
  TARRY_ASSERT(at == list.end() || at->name != entry.name);
  list.insert(at, std::move(entry));
}

template <class T>
const std::vector<Entry<T>>& Registry<T>::all() {
  return entries();
}

template <class T>
const Entry<T>* Registry<T>::find(const std::string& name) {
  for (const auto& entry : entries())
    if (entry.name == name) return &entry;
  return nullptr;
}

template class Registry<Search>;
template class Registry<Explorer>;

bool only_samples(const Entry<Search>& search) {
  const auto& limits = search.kind.limits;
  return !search.kind.complete && std::find(limits.begin(), limits.end(), "samples") != limits.end();
}

ParamValues with_defaults(const std::vector<Param>& params, const ParamValues& given) {
  ParamValues out;
  for (const Param& param : params) {
    const auto at = given.find(param.name);
    out[param.name] = at == given.end() ? param.fallback : at->second;
  }
  return out;
}

}  // namespace tarry
