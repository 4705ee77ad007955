// The example models, as tables, for tests that want programs a person wrote.
#pragma once

#include <string>
#include <vector>

#include <tarry/model_abi.h>

namespace tarry::test {

struct Example {
  std::string name;
  const abi::Model& model;
  std::uint64_t states;  // as in examples/models/expected.tsv; 0: it has a bug
};

const std::vector<Example>& examples();

}  // namespace tarry::test
