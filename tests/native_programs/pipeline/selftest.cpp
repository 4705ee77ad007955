#include "selftest.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "counts.h"
#include "dictionary.h"
#include "normalizer.h"
#include "report.h"
#include "search_index.h"
#include "source.h"
#include "spsc_ring.h"
#include "tokenizer.h"

namespace pipeline {
namespace {

int checks = 0;

void check(bool holds, const char* what) {
  ++checks;
  if (!holds) throw std::logic_error(std::string("failed: ") + what);
}

#define CHECK(condition) check((condition), #condition)

void test_ring() {
  SpscRing<std::unique_ptr<int>, 2> ring;
  auto one = std::make_unique<int>(1), two = std::make_unique<int>(2), three = std::make_unique<int>(3);
  CHECK(!ring.try_pop());
  CHECK(ring.try_push(one) && ring.try_push(two) && !ring.try_push(three));
  CHECK(three != nullptr && one == nullptr);
  CHECK(**ring.try_pop() == 1);
  CHECK(ring.try_push(three));
  CHECK(**ring.try_pop() == 2 && **ring.try_pop() == 3);
  CHECK(!ring.try_pop());
}

void test_ring_end() {
  SpscRing<int, 2> ring;
  CHECK(ring.push(1));
  ring.close();
  CHECK(ring.pop() == 1);
  CHECK(!ring.pop());
  CHECK(!ring.pop());
  SpscRing<int, 2> left;
  left.abandon();
  CHECK(!left.push(1));
}

void test_words() {
  const Sentence sentence = tokenize({7, "Threads, waiting: Locked."});
  CHECK(sentence.number == 7 && sentence.words.size() == 3);
  CHECK(stem(sentence.words[0]) == "thread");
  CHECK(stem(sentence.words[1]) == "wait");
  CHECK(stem(sentence.words[2]) == "lock");
  CHECK(stem("is") == "is");
  CHECK(tokenize({1, ""}).words.empty());
  int line = 0;
  try {
    tokenize({3, "\x02"});
  } catch (const TextError& error) {
    line = error.line();
    CHECK(std::string(error.what()) == "line 3: not a text");
  }
  CHECK(line == 3);
}

void test_dictionary() {
  Dictionary dictionary;
  const WordId a = dictionary.id("a"), b = dictionary.id("b");
  CHECK(a != b && dictionary.id("a") == a);
  CHECK(dictionary.word(b) == "b" && dictionary.size() == 2);
  bool refused = false;
  try {
    dictionary.word(9);
  } catch (const std::out_of_range&) {
    refused = true;
  }
  CHECK(refused);
}

void test_report() {
  Dictionary dictionary;
  const WordId x = dictionary.id("x"), y = dictionary.id("y"), z = dictionary.id("z");
  Counts counts;
  counts.add({y, x, y});
  counts.add({z});
  Counts more;
  more.add({x, y});
  counts.merge(more);
  const auto words = top_words(counts, dictionary, 2);
  CHECK(words.size() == 2 && words[0].text == "y" && words[0].count == 3 && words[1].text == "x");
  const auto pairs = top_pairs(counts, dictionary, 9);
  CHECK(pairs.size() == 2 && pairs[0].text == "x y" && pairs[0].count == 2);
  CHECK(counts.sentences == 3);
  CHECK(digest(counts, dictionary) != digest(more, dictionary));
}

void test_index() {
  SearchIndex index;
  index.add({3, {"a", "b"}});
  index.add({1, {"a", "a"}});
  CHECK(index.lines_with("a") == (std::vector<int>{1, 3}));
  CHECK(index.lines_with("c").empty());
  CHECK(index.lines_with_all({"a", "b"}) == std::vector<int>{3});
}

void test_source() {
  Source a(9), b(9);
  std::string x, y;
  int lines = 0;
  while (a.next(x)) {
    CHECK(b.next(y) && x == y);
    ++lines;
  }
  CHECK(lines == 9 && !b.next(y));
}

}  // namespace

int selftest() {
  checks = 0;
  test_ring();
  test_ring_end();
  test_words();
  test_dictionary();
  test_report();
  test_index();
  test_source();
  return checks;
}

}  // namespace pipeline
