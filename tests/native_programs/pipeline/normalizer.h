// Words as they are in the dictionary: small letters, without endings.
#pragma once

#include <string>

#include "tokenizer.h"

namespace pipeline {

std::string stem(std::string word);
void normalize(Sentence& sentence);

}  // namespace pipeline
