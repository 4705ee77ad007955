#include "explore/liveness/walk_nested.h"

#include "explore/liveness/nested.h"
#include "explore/liveness/parallel_nested.h"

namespace tarry {
namespace {

void walk_alone(Session& session, DeepGraph& deep, const std::function<void(const RunNested&)>& walk) {
  NestedSearch nested(session, deep);
  const WhereaboutsScope here(deep);
  const Inside inside(deep.graph().store().gate());
  if (deep.begin()) walk([&](std::uint64_t bound) { return nested.run(bound); });
}

void walk_together(Session& session, DeepGraph& deep, const std::function<void(const RunNested&)>& walk) {
  ParallelNested nested(session, deep);
  const auto begin = [&] {
    deep.on_this_thread();
    const WhereaboutsScope here(deep);
    const Inside inside(deep.graph().store().gate());
    return deep.begin();
  };
  if (begin()) walk([&](std::uint64_t bound) { return nested.run(bound); });
}

}  // namespace

void walk_nested(Session& session, Bound bound, const std::function<void(const RunNested&)>& walk) {
  std::vector<Word> words(session.program().shape().words);
  if (!start(session, words.data()) || too_many_copies(session)) return;
  DeepGraph deep(session, {.who_can_run = fair_copies(session)});
  session.options().jobs == 1 ? walk_alone(session, deep, walk) : walk_together(session, deep, walk);
  deep.conclude(bound);
}

}  // namespace tarry
