// The registry: what searches and explorers there are. Each registers itself from its own file, before main.
//
// Command line, help, lists, conformance tests and benchmarks learn from here; nothing else has to change for a new one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/search.h"

namespace tarry {

/// A number that a search or explorer can be tuned with; `--name N` on the command line.
struct Param {
  std::string name;
  std::int64_t fallback;
  std::int64_t min;
  std::int64_t max;
  std::string help;
};

using ParamValues = std::map<std::string, std::int64_t>;  // every declared parameter is there

/// Options that only some searches have; all others are for all.
inline const std::vector<std::string> kOwnLimits = {"max-delays", "max-preemptions", "samples", "strict-bound", "cache", "choice-cost", "fairness", "choices"};

template <class T>
struct Made;

template <>
struct Made<Search> {
  bool takes_explorer = false;
  bool decides_liveness = false;
  bool complete = false;  // ends with "verified" on finite programs
  bool runs = false;      // works on programs that can only be run (Program::captures is false), by running them again and again
  bool reduces = false;   // of executions that differ only in the order of independent steps it runs one: needs Execution::watch_footprints
  std::string instead = {};  // if not: why, and what to use, as a sentence
  std::vector<std::string> limits = {};  // of kOwnLimits, those that it honours
  std::function<std::unique_ptr<Search>(const ParamValues&)> make;
};

template <>
struct Made<Explorer> {
  std::function<std::unique_ptr<Explorer>(std::uint64_t seed)> make;
  bool remembers_all = false;  // its memory differs after different executions, wherever they lead
};

template <class T>
struct Entry {
  std::string name;
  std::string summary;
  std::string paper;
  std::vector<Param> params = {};
  Made<T> kind = {};
};

template <class T>
class Registry {
 public:
  static const std::vector<Entry<T>>& all();           // by name
  static const Entry<T>* find(const std::string& name);  // or nullptr

 private:
  template <class U>
  friend class Registration;
  static std::vector<Entry<T>>& entries();
  static void add(Entry<T> entry);
};

/// A file-scope constant that adds an entry.
template <class T>
class Registration {
 public:
  explicit Registration(Entry<T> entry) { Registry<T>::add(std::move(entry)); }
};

/// The declared defaults, changed by `given`.
ParamValues with_defaults(const std::vector<Param>& params, const ParamValues& given);

}  // namespace tarry
