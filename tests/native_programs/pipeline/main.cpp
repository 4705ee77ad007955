// pipeline [SIZE [COUNTERS]]: makes a text of SIZE lines and sends it through a pipeline of threads: tokenize, normalize,
// collect. Then COUNTERS threads count words in rounds, and two tasks rank them. The same output on every schedule; exit code 0
// if all is as it must be.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "counts.h"
#include "dictionary.h"
#include "failures.h"
#include "normalizer.h"
#include "report.h"
#include "rounds.h"
#include "search_index.h"
#include "selftest.h"
#include "source.h"
#include "stage.h"
#include "tokenizer.h"

namespace {

using namespace pipeline;

/// Lines in, sentences out, in the order of the lines.
std::vector<Sentence> read_text(int lines, Failures& failures) {
  Ring<Line> texts;
  Ring<Sentence> tokenized, normalized;
  std::promise<std::vector<Sentence>> promise;
  std::future<std::vector<Sentence>> collected = promise.get_future();
  {
    std::jthread tokenizes =
        transform_stage<Line, Sentence>(failures, texts, tokenized, [](Line line) -> std::optional<Sentence> {
          Sentence sentence = tokenize(line);
          if (sentence.words.empty()) return std::nullopt;
          return sentence;
        });
    std::jthread normalizes = transform_stage<Sentence, Sentence>(failures, tokenized, normalized, [](Sentence sentence) {
      normalize(sentence);
      return std::optional<Sentence>(std::move(sentence));
    });
    std::jthread collects = run_stage(
        failures,
        [&normalized, &promise] {
          std::vector<Sentence> all;
          while (auto sentence = normalized.pop()) all.push_back(std::move(*sentence));
          promise.set_value(std::move(all));
        },
        [&normalized] { normalized.abandon(); });
    Source source(lines);
    Line line;
    while (source.next(line.text)) {
      ++line.number;
      if (!texts.push(line)) break;
    }
    texts.close();
  }
  failures.rethrow();
  return collected.get();
}

/// A stage that breaks: the run ends, nobody hangs, and the failure arrives here.
std::string run_broken(int lines) {
  Failures failures;
  Ring<Line> texts;
  Ring<Sentence> out;
  {
    std::jthread breaks = transform_stage<Line, Sentence>(failures, texts, out, [](const Line& line) -> std::optional<Sentence> {
      if (line.number == 2) throw std::domain_error("the stage broke at line 2");
      return Sentence{line.number, {}};
    });
    std::jthread drains = run_stage(
        failures,
        [&out] {
          while (out.pop()) {
          }
        },
        [&out] { out.abandon(); });
    for (int number = 1; number <= lines + 2; ++number)
      if (!texts.push({number, ""})) break;
    texts.close();
  }
  try {
    failures.rethrow();
  } catch (const std::domain_error& error) {
    return error.what();
  }
  return "nothing broke";
}

void print(const char* title, const std::vector<Ranked>& all) {
  std::printf("%s:", title);
  for (const Ranked& one : all) std::printf(" %s=%" PRIu64, one.text.c_str(), one.count);
  std::printf("\n");
}

void search(const std::vector<Sentence>& sentences) {
  SearchIndex index;
  fill_index(index, sentences, 2);
  std::vector<std::string> words;
  if (!sentences.empty()) words = {sentences.front().words.front(), sentences.front().words.back()};
  std::future<std::vector<int>> first = std::async(std::launch::async, [&] { return ask_index(index, {words.at(0)}); });
  const std::vector<int> both = ask_index(index, words);
  std::printf("'%s' is in %zu lines, with '%s' in %zu\n", words[0].c_str(), first.get().size(), words[1].c_str(), both.size());
  try {
    ask_index(index, {});
  } catch (const std::invalid_argument& error) {
    std::printf("refused: %s\n", error.what());
  }
}

void run(int lines, int counters) {
  std::printf("selftest: %d checks\n", selftest());
  Failures failures;
  const std::vector<Sentence> sentences = read_text(lines, failures);
  std::printf("%zu sentences, left out lines:", sentences.size());
  for (const int line : failures.lines()) std::printf(" %d", line);
  std::printf("\n");
  for (std::size_t i = 1; i < sentences.size(); ++i)
    if (sentences[i - 1].number >= sentences[i].number) throw std::logic_error("sentences are out of order");

  Dictionary dictionary;
  int rounds = 0;
  const Counts counts = count_in_rounds(sentences, dictionary, counters, 2, rounds);
  if (counts.sentences != sentences.size()) throw std::logic_error("sentences were lost");

  auto words = std::async(std::launch::async, [&] { return top_words(counts, dictionary, 5); });
  auto pairs = std::async(std::launch::async, [&] { return top_pairs(counts, dictionary, 3); });
  print("words", words.get());
  print("pairs", pairs.get());
  std::printf("%zu words known, digest %016" PRIx64 "\n", dictionary.size(), digest(counts, dictionary));
  search(sentences);
  std::printf("broken: %s\n", run_broken(lines).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const int lines = argc > 1 ? std::atoi(argv[1]) : 40;
  const int counters = argc > 2 ? std::atoi(argv[2]) : 3;
  if (lines < 1 || lines > 100000 || counters < 1 || counters > 32) {
    std::fprintf(stderr, "usage: pipeline [SIZE [COUNTERS]], SIZE from 1 to 100000, COUNTERS from 1 to 32\n");
    return 2;
  }
  try {
    run(lines, counters);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pipeline: %s\n", error.what());
    return 1;
  }
  return 0;
}
