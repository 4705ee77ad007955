// The loop of a machine (4.2) and the treatment of events in its states; the treatment of events by monitors (4.9).
#include <optional>
#include <utility>

#include "tests/support/p_reference/execution.h"
#include "tests/support/p_reference/walk.h"

namespace tarry::plang::reference {

namespace {

void enter(Execution& execution, Instance& self, const State& state) {
  self.current = &state;
  execution.log("enter " + execution.name(self) + " " + state.name.text);
}

/// exit, then the function of the transition, then the entry of the target. One that ends early takes its request with it: only
/// an entry can raise or go elsewhere, but a halt may be received in any of them.
std::optional<Request> transition(Execution& execution, Instance& self, const State& target, const Function* with,
                                  const Value& payload) {
  if (auto request = run_handler(execution, self, self.current->exit, {Null{}})) return request;
  if (auto request = run_handler(execution, self, with, payload)) return request;
  enter(execution, self, target);
  return run_handler(execution, self, target.entry, payload);
}

class Life {
 public:
  Life(Execution& execution, MachineInstance& self) : execution_(execution), self_(self) {}

  void run() {
    enter(execution_, self_, *self_.current);
    self_.raised = run_handler(execution_, self_, self_.current->entry, self_.constructor_payload);
    while (self_.status != Status::kHalted) turn();
  }

 private:
  void turn() {
    if (self_.raised) {
      const Request request = *std::exchange(self_.raised, std::nullopt);
      const bool ignored = request.event != nullptr && self_.handles_as(*request.event, Handler::Kind::kIgnore);
      if (!ignored) {
        self_.raised = handle(request);
        return;
      }
    }
    const Event& null = *execution_.program().events[kNullEvent];
    const bool has_default = self_.handler(null) != nullptr;
    if (has_default) execution_.point(self_);
    if (const std::optional<Message> message = scan()) {
      if (!std::exchange(was_idle_, false)) execution_.point(self_);
      execution_.log("dequeue " + execution_.name(self_) + " " + message->event->name.text);
      self_.raised = handle({message->event, nullptr, message->payload});
    } else if (has_default) {
      execution_.point(self_);
      execution_.log("dequeue " + execution_.name(self_) + " null");
      self_.raised = handle({&null, nullptr, {Null{}}});
    } else {
      self_.status = Status::kIdle;
      execution_.point(self_);
      was_idle_ = true;
    }
  }

  std::optional<Message> scan() {
    for (auto at = self_.inbox.begin(); at != self_.inbox.end();) {
      if (self_.handles_as(*at->event, Handler::Kind::kIgnore)) {
        at = self_.inbox.erase(at);
      } else if (self_.handles_as(*at->event, Handler::Kind::kDefer)) {
        ++at;
      } else {
        Message out = std::move(*at);
        self_.inbox.erase(at);
        return out;
      }
    }
    return std::nullopt;
  }

  std::optional<Request> handle(const Request& request) {
    if (request.target != nullptr) return transition(execution_, self_, *request.target, nullptr, request.payload);
    const Handler* handler = self_.handler(*request.event);
    if (handler == nullptr) return unhandled(*request.event);
    switch (handler->kind) {
      case Handler::Kind::kDo: return run_handler(execution_, self_, handler->function, request.payload);
      case Handler::Kind::kGoto: return transition(execution_, self_, *handler->target, handler->function, request.payload);
      case Handler::Kind::kDefer:   // it was raised: lost
      case Handler::Kind::kIgnore:  // seen to before
        break;
    }
    return std::nullopt;
  }

  std::optional<Request> unhandled(const Event& event) {
    const State& state = *self_.current;
    if (auto request = run_handler(execution_, self_, state.exit, {Null{}})) return request;
    if (event.index != kHaltEvent) {
      fail("R02", state.name.place,
           "'" + execution_.name(self_) + "' does not handle '" + event.name.text + "' in state '" + state.name.text + "'");
    }
    self_.status = Status::kHalted;
    self_.inbox.clear();
    execution_.log("halt " + execution_.name(self_));
    return std::nullopt;
  }

  Execution& execution_;
  MachineInstance& self_;
  bool was_idle_ = false;  // and has dequeued nothing since
};

std::optional<Request> handle_in_monitor(Execution& execution, MonitorInstance& monitor, const Request& request) {
  if (request.target != nullptr) return transition(execution, monitor, *request.target, nullptr, request.payload);
  const State& state = *monitor.current;
  const Handler* handler = monitor.handler(*request.event);
  if (handler == nullptr) {
    fail("R03", state.name.place,
         "'" + execution.name(monitor) + "' does not handle '" + request.event->name.text + "' in state '" + state.name.text +
             "'");
  }
  if (handler->kind == Handler::Kind::kIgnore) return std::nullopt;
  if (handler->kind == Handler::Kind::kDo) return run_handler(execution, monitor, handler->function, request.payload);
  return transition(execution, monitor, *handler->target, handler->function, request.payload);
}

void settle(Execution& execution, MonitorInstance& monitor, std::optional<Request> request) {
  while (request) {
    execution.burn_fuel(monitor.current->name.place);
    const Request now = *std::exchange(request, std::nullopt);
    request = handle_in_monitor(execution, monitor, now);
  }
}

}  // namespace

void live(Execution& execution, MachineInstance& machine) { Life(execution, machine).run(); }

void start_monitor(Execution& execution, MonitorInstance& monitor) {
  enter(execution, monitor, *monitor.current);
  settle(execution, monitor, run_handler(execution, monitor, monitor.current->entry, {Null{}}));
}

void monitor_event(Execution& execution, MonitorInstance& monitor, const Message& message) {
  settle(execution, monitor, Request{message.event, nullptr, message.payload});
}

}  // namespace tarry::plang::reference
