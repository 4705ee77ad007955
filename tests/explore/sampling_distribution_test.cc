// Stratified sampling draws each execution with exactly the chance that figure 7 of FSE 2015 gives it: 1 / (l_1 … l_d), where l_i
// is the number of positions after the (i-1)-th delay. Theorem 3 only says that this is at least 1 / L^d, which other samplers
// satisfy as well; so the whole distribution is compared.
//
// Odds of a false alarm: below 1e-9 a fit (tests/support/chi_square.h), fewer than 100 fits a test, and the seeds are fixed.
#include <gtest/gtest.h>

#include <tarry/model.h>
#include "explore/random_policy.h"
#include "explore/stratified_sampling.h"
#include "tests/support/chi_square.h"
#include "tests/support/composed.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

/// Two processes of three steps.
struct Two {
  struct State {
    Upto<3> at[2];
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 3) return run.ended();
    ++s.at[p];
  }
};

/// Three processes; the first one draws twice, the last one waits for the second.
struct Drawing {
  struct State {
    Upto<2> at[3];
    Upto<2> drawn;
    TARRY_FIELDS(at, drawn)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 2) return run.ended();
    if (p == 2 && s.at[1] == 0) return run.idle();
    ++s.at[p];
    if (p == 0) s.drawn = run.flip() ? run.choose(3) : 0;
  }
};

/// One process makes two others; everybody sends to the next.
struct Making {
  struct State {
    Upto<3> made;
    Upto<2> at[3];
    TARRY_FIELDS(made, at)
  };
  static constexpr int max_processes = 3;
  int processes(const State& s) { return static_cast<int>(s.made); }
  State initial() {
    State s{};
    s.made = 1;
    return s;
  }
  void step(State& s, int p, Run& run) {
    if (s.at[p] == 2) return run.ended();
    ++s.at[p];
    if (p == 0) ++s.made;
    if (p == 1) run.moves_last(1);
    run.sends((p + 1) % 3);
  }
};

template <class Type>
const abi::Model& table() {
  static constexpr abi::Model kTable = detail::Adapter<Type>::table("sampled", __FILE__);
  return kTable;
}

using Schedule = std::vector<std::uint32_t>;  // each process and its values

/// ExecutePath of figure 7, and all that DelayBoundedSample can draw. Only positions count at which a delay leads elsewhere.
class Figure7 {
 public:
  Figure7(const abi::Model& model, const Explorer& explorer) : program_(model), explorer_(explorer) {}

  std::map<Schedule, double> chances;
  std::map<Schedule, std::uint64_t> delays;  // that an execution has; fewer than asked for where there was no more room
  std::uint64_t longest = 0;                 // L: the most points of an execution

  void enumerate(std::uint64_t db) {
    std::vector<std::uint64_t> path;
    sample(path, db, 1);
  }

 private:
  struct Executed {
    Schedule schedule;
    std::uint64_t positions;  // after the last delay
  };

  void sample(std::vector<std::uint64_t>& path, std::uint64_t db, double chance) {
    const Executed executed = execute(path);
    if (path.size() == db || executed.positions == 0) {
      chances[executed.schedule] += chance;
      delays[executed.schedule] = path.size();
      return;
    }
    for (std::uint64_t at = 0; at < executed.positions; ++at) {
      path.push_back(at);
      sample(path, db, chance / static_cast<double>(executed.positions));
      path.pop_back();
    }
  }

  Executed execute(const std::vector<std::uint64_t>& path) {
    Executed out{{}, 0};
    Words s = *program_.initial();
    Around around = program_.around(s);
    Memo d = explorer_.initial(around.alive());
    std::size_t i = 0;
    std::uint64_t j = 0, points = 0;  // positions since the last delay
    // How many delays to spend here. A position is a point with a choice left after those already spent at it.
    const auto spend = [&](std::uint32_t choices) {
      ++points;
      std::uint32_t spent = 0;
      for (; spent + 1 < choices; ++spent) {
        if (i < path.size() && j == path[i]) ++i, j = 0;
        else {
          ++j;
          break;
        }
      }
      return spent;
    };
    while (!around.open().empty()) {
      for (std::uint32_t n = spend(around.open().size()); n > 0; --n) d = explorer_.delay(d, around.open());
      const std::uint32_t process = index(explorer_.next(d, around.open()));
      out.schedule.push_back(process);
      std::vector<std::uint32_t> values;
      Moved moved = program_.take(s, process, values);
      while (moved.arity != 0) {
        values.push_back(spend(moved.arity));
        out.schedule.push_back(values.back());
        moved = program_.take(s, process, values);
      }
      const Around after = program_.around(moved.words);
      d = explorer_.step(d, Composed::step(process, around, after, moved));
      s = moved.words;
      around = after;
    }
    longest = std::max(longest, points);
    out.positions = j;
    return out;
  }

  Composed program_;
  const Explorer& explorer_;
};

/// What is needed to run executions outside of a search.
struct Workshop {
  explicit Workshop(const abi::Model& model)
      : program(make_model_program(model)), progress(std::make_unique<Progress>()), session(*program, options, nullptr, *progress),
        sampler(session), execution(session, 0) {}
  Schedule schedule() {
    Schedule out;
    for (const Choice& choice : choices_of(session.moves(), execution.moves_taken())) out.push_back(choice.number);
    return out;
  }
  std::unique_ptr<Program> program;
  std::unique_ptr<Progress> progress;
  SearchOptions options;
  Session session;
  Sampler sampler;
  Runner execution;
};

std::map<Schedule, std::uint64_t> draw(const abi::Model& model, const AskedExplorer& explorer, std::uint64_t delays, std::uint64_t samples) {
  Workshop shop(model);
  std::map<Schedule, std::uint64_t> counts;
  for (std::uint64_t number = 0; number < samples; ++number) {
    draw_sample(shop.sampler, shop.execution, number, explorer, Rng(99, number), delays);
    ++counts[shop.schedule()];
  }
  return counts;
}

template <class Type>
void compare(std::uint64_t samples) {
  for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
    const auto explorer = entry.kind.make(5);
    for (const std::uint64_t delays : {1u, 2u, 3u}) {
      SCOPED_TRACE(entry.name + ", " + std::to_string(delays) + " delays");
      Figure7 figure(table<Type>(), *explorer);
      figure.enumerate(delays);
      double sum = 0;
      for (const auto& [schedule, chance] : figure.chances) sum += chance;
      ASSERT_NEAR(sum, 1, 1e-9);
      ASSERT_GT(figure.chances.size(), 1u);
      // Theorem 3.
      const double most = std::pow(static_cast<double>(figure.longest), static_cast<double>(delays));
      for (const auto& [schedule, chance] : figure.chances) {
        if (figure.delays[schedule] != delays) continue;  // there was no room for as many
        ASSERT_GE(chance * most, 1 - 1e-9);
      }
      const Fit fits = fit(figure.chances, draw(table<Type>(), AskedExplorer(entry.kind.make(5)), delays, samples));
      EXPECT_TRUE(fits.good()) << fits.text();
    }
  }
}

TEST(StratifiedSamplingDistribution, IsThatOfFigure7ForTwoProcesses) { compare<Two>(30'000); }
TEST(StratifiedSamplingDistribution, IsThatOfFigure7WithDataChoices) { compare<Drawing>(30'000); }
TEST(StratifiedSamplingDistribution, IsThatOfFigure7WithProcessesThatAreCreated) { compare<Making>(30'000); }

// The power of the test: random walks, even if only those with the right number of delays are kept, are told apart.
TEST(StratifiedSamplingDistribution, IsNotThatOfARandomWalk) {
  const auto explorer = Registry<Explorer>::find("round-robin")->kind.make(1);
  for (const std::uint64_t delays : {1u, 2u, 3u}) {
    Figure7 figure(table<Two>(), *explorer);
    figure.enumerate(delays);
    Workshop shop(table<Two>());
    std::map<Schedule, std::uint64_t> counts;
    for (std::uint64_t number = 0; number < 30'000; ++number) {
      RandomPolicy policy(99, number);
      shop.execution.run(policy);
      const Schedule schedule = shop.schedule();
      if (figure.chances.contains(schedule)) ++counts[schedule];
    }
    EXPECT_FALSE(fit(figure.chances, counts).good()) << delays;
  }
}

// All chances by hand. Without a delay round robin runs 000111; a delay leads elsewhere at three points of it, those at which
// both can run. A delay before a step of 0 sends it to the tail: 1 runs to its end, and then the rest of 0.
TEST(StratifiedSamplingDistribution, Figure7ByHand) {
  const auto explorer = Registry<Explorer>::find("round-robin")->kind.make(1);
  Figure7 figure(table<Two>(), *explorer);
  figure.enumerate(1);
  const std::map<Schedule, double> by_hand = {
      {{1, 1, 1, 0, 0, 0}, 1.0 / 3}, {{0, 1, 1, 1, 0, 0}, 1.0 / 3}, {{0, 0, 1, 1, 1, 0}, 1.0 / 3}};
  ASSERT_EQ(figure.chances.size(), by_hand.size());
  for (const auto& [schedule, chance] : by_hand) EXPECT_DOUBLE_EQ(figure.chances[schedule], chance);
}

}  // namespace
}  // namespace tarry::test
