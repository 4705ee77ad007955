// The registry of searches and explorers. Each registers itself from its own file, before main.
//
// Command line, help, lists, conformance tests and benchmarks read the registry; adding an entry changes nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/search.h"

namespace tarry {

/// A numeric parameter of a search or explorer; `--name N` on the command line.
struct Param {
  std::string name;
  std::int64_t fallback;
  std::int64_t min;
  std::int64_t max;
  std::string help;
};

using ParamValues = std::map<std::string, std::int64_t>;  // has every declared parameter

/// Options that only some searches support; all other options work for all searches.
inline const std::vector<std::string> kOwnLimits = {"max-delays", "max-preemptions", "samples", "strict-bound", "cache", "choice-cost", "fairness", "choices"};

/// A way in which the portfolio uses a search to look for bugs. A search may have several, with different explorers.
struct Hunt {
  int turn;  // the hunts of a round take turns, the smallest number first
  std::string explorer = {};                    // name; empty: the search takes no explorer
  std::optional<ChoiceCost> choice_cost = {};   // unset: as the user asked
};

template <class T>
struct Made;

template <>
struct Made<Search> {
  bool takes_explorer = false;
  bool decides_liveness = false;
  bool complete = false;  // ends with "verified" on finite programs
  bool runs = false;      // works on programs that can only be run (Program::captures is false), by re-execution
  bool reduces = false;   // partial-order reduction: needs Execution::watch_footprints
  std::string instead = {};  // if `runs` is false: the reason and the alternative, as a sentence
  std::vector<std::string> limits = {};  // the options of kOwnLimits that it honours
  std::vector<Hunt> hunts_states = {};      // in the portfolio for programs whose states are captured
  std::vector<Hunt> hunts_executions = {};  // in the portfolio for programs that can only be run
  std::function<std::unique_ptr<Search>(const ParamValues&)> make;
};

template <>
struct Made<Explorer> {
  std::function<std::unique_ptr<Explorer>(std::uint64_t seed)> make;
  bool remembers_all = false;  // its memo differs after different executions, wherever they lead
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
  static const std::vector<Entry<T>>& all();           // sorted by name
  static const Entry<T>* find(const std::string& name);  // nullptr if there is none

 private:
  template <class U>
  friend class Registration;
  static std::vector<Entry<T>>& entries();
  static void add(Entry<T> entry);
};

/// Adds an entry to the registry. Use it as a constant at file scope.
template <class T>
class Registration {
 public:
  explicit Registration(Entry<T> entry) { Registry<T>::add(std::move(entry)); }
};

/// Returns whether a search only samples: it follows executions one by one, as many as --samples says, and proves nothing.
bool only_samples(const Entry<Search>& search);

/// Returns the declared defaults, changed by `given`.
ParamValues with_defaults(const std::vector<Param>& params, const ParamValues& given);

}  // namespace tarry
