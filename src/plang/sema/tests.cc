// Tests and implementations: closed modules with a main machine, which can be run.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "plang/sema/modules.h"
#include "plang/sema/param_tests.h"
#include "plang/sema/phases.h"

namespace tarry::plang {
namespace {

/// Limit on links and observed interfaces of all tests together.
constexpr std::uint64_t kMostLinks = 50'000'000;

class TestMaker {
 public:
  explicit TestMaker(SemaContext& context) : context_(context), program_(context.program), modules_(context) {
    for (const Machine* machine : program_.machines) scenarios_ += machine->kind == Machine::Kind::kScenario ? 1 : 0;
  }

  void run() {
    modules_.evaluate_named();
    for (const auto& test : program_.tree.tests) {
      if (!program_.sources.file(test->name.place.file).included) make_test(*test);
    }
    for (const auto& implementation : program_.tree.implementations) make_implementation(*implementation);
    if (context_.global.tests.all().empty() && context_.global.implementations.all().empty()) make_default();
  }

 private:
  void make_test(const TestDecl& test) {
    const ModulePtr module = modules_.evaluate(*test.module);
    if (test.refines != nullptr) {
      modules_.evaluate(*test.refines);
      context_.error("E67", test.refines->place,
                     fmt::format("test '{}' is a refinement test, and those are not supported", test.name.text));
    }
    const auto instances = instances_of(context_, test);
    if (module == nullptr) return;
    const Interface* main = main_of(*module, test);
    check_closed(*module, "test", test.name);
    if (main == nullptr || !instances || context_.diagnostics.failed()) return;
    if (!has_room(*module, instances->size(), test.name)) return;
    for (const TestInstance& instance : *instances) {
      if (!names_.insert(instance.name).second) report_same_name(test, instance.name);
      program_.tests.push_back(test_case(*module, instance.name, test.name.place, main));
      program_.tests.back().params = instance.params;
    }
  }

  void report_same_name(const TestDecl& test, const std::string& name) const {
    context_.error("E03", test.name.place, fmt::format("an instance of this test is called '{}', and so is another test", name));
  }

  bool has_room(const Module& module, std::size_t tests, const Name& name) {
    std::uint64_t each = program_.interfaces.size() * program_.interfaces.size();
    for (const Module::Attached& one : module.monitors) each += one.interfaces->size();
    each += scenarios_ * module.bound.size();
    links_ += tests * each;
    if (links_ <= kMostLinks) return true;
    context_.error(
        "E67", name.place,
        fmt::format("the tests are too large: {} of this one with {} interfaces and {} monitors each; list fewer values", tests,
                    program_.interfaces.size(), module.monitors.size() + scenarios_));
    return false;
  }

  /// Returns the interface through which the main machine is created, or null after an error.
  const Interface* main_of(const Module& module, const TestDecl& test) const {
    const Interface* main = bound_to(module, test.main.text);
    if (main == nullptr) {
      report_no_main(test);
      return nullptr;
    }
    const Machine* machine = context_.global.machines.find(test.main.text);
    if (machine->payload->kind != TypeKind::kNull && machine->payload->kind != TypeKind::kError) {
      context_.error("E63", test.main.place,
                     fmt::format("main machine '{}' has a constructor that takes '{}', but no machine creates it, so it gets no argument",
                                 test.main.text, type_text(machine->payload)),
                     {{machine->start->entry->params[0]->name.place, "the parameter is here"}});
      return nullptr;
    }
    return main;
  }

  static const Interface* bound_to(const Module& module, std::string_view machine) {
    const auto at = std::find_if(module.bound.begin(), module.bound.end(),
                                 [&](const Module::Bound& one) { return one.machine->name.text == machine; });
    return at == module.bound.end() ? nullptr : at->interface;
  }

  void report_no_main(const TestDecl& test) const {
    const Name& name = test.main;
    const Machine* machine = context_.global.machines.find(name.text);
    if (machine == nullptr) {
      Suggestions suggestions(name.text);
      if (!context_.is_full()) suggestions.from(context_.global.machines);
      context_.error("E62", name.place, fmt::format("main machine '{}' does not exist{}", name.text, suggestions.text()));
    } else if (machine->is_monitor()) {
      context_.error("E62", name.place,
                     fmt::format("'{}' is a monitor; the main machine of a test has to be a machine", name.text),
                     declared_here(machine->name));
    } else {
      context_.error("E62", name.place,
                     fmt::format("main machine '{}' is not in the module of test '{}'; add it there", name.text, test.name.text),
                     declared_here(machine->name));
    }
  }

  void check_closed(const Module& module, std::string_view what, const Name& name) const {
    if (context_.creates_broken) return;
    std::unordered_set<const Interface*> bound;
    for (const Module::Bound& one : module.bound) bound.insert(one.interface);
    std::string missing;
    std::vector<Note> notes;
    std::size_t count = 0;
    for (const Interface* created : module.creates) {
      if (bound.contains(created) || ++count > 5) continue;
      missing += fmt::format("{}'{}'", missing.empty() ? "" : ", ", created->name.text);
      notes.push_back({created->name.place,
                       fmt::format("'{}' is declared here, and {} creates it", created->name.text, creator_of(module, created))});
    }
    if (count == 0) return;
    context_.error("E61", name.place,
                   fmt::format("{} '{}' is not closed: its machines create {}{}, but no machine of it is bound to {}", what,
                               name.text, missing, count > 5 ? ", ..." : "", count == 1 ? "that" : "those"),
                   std::move(notes));
  }

  static std::string creator_of(const Module& module, const Interface* created) {
    for (const Module::Bound& one : module.bound) {
      const auto& links = *one.links;
      if (std::any_of(links.begin(), links.end(), [&](const Module::Link& link) { return link.created == created; }))
        return fmt::format("'{}'", one.machine->name.text);
    }
    return "a machine";
  }

  // ---- Implementations. One without a main machine, or with a missing one, is checked but cannot be run.

  void make_implementation(const ImplementationDecl& implementation) {
    const ModulePtr module = modules_.evaluate(*implementation.module);
    if (module == nullptr) return;
    check_closed(*module, "implementation", implementation.name);
    add_implementation(*module, implementation.name, implementation.main.text.empty() ? "Main" : implementation.main.text);
  }

  void make_default() {
    const Machine* main = context_.global.machines.find("Main");
    if (main == nullptr || main->is_monitor()) return;
    const ModulePtr module = modules_.of_all_machines();
    const Name name{"DefaultImpl", main->name.place};
    check_closed(*module, "implementation", name);
    add_implementation(*module, name, "Main");
  }

  void add_implementation(const Module& module, const Name& name, const std::string& main) {
    const Interface* interface = bound_to(module, main);
    if (interface == nullptr || context_.diagnostics.failed() || !has_room(module, 1, name)) return;
    program_.tests.push_back(test_case(module, name.text, name.place, interface));
    program_.tests.back().params.resize(program_.params.size());
    program_.tests.back().is_implementation = true;
  }

  TestCase test_case(const Module& module, const std::string& name, Place place, const Interface* main) const {
    TestCase test{.name = name, .place = place, .main = main};
    test.bindings.resize(program_.interfaces.size(), nullptr);
    test.links.resize(program_.interfaces.size(), std::vector<const Interface*>(program_.interfaces.size(), nullptr));
    std::vector<const Interface*> all;
    for (const Module::Bound& one : module.bound) {
      test.bindings[one.interface->index] = one.machine;
      for (const Module::Link& link : *one.links) test.links[one.interface->index][link.named->index] = link.created;
      all.push_back(one.interface);
    }
    for (const Module::Attached& one : module.monitors) {
      if (one.monitor->kind != Machine::Kind::kScenario) test.monitors.push_back({one.monitor, *one.interfaces});
    }
    for (const Machine* machine : program_.machines) {
      if (machine->kind == Machine::Kind::kScenario) test.monitors.push_back({machine, all});
    }
    return test;
  }

  SemaContext& context_;
  CheckedProgram& program_;
  Modules modules_;
  std::unordered_set<std::string> names_;
  std::uint64_t scenarios_ = 0;
  std::uint64_t links_ = 0;
};

}  // namespace

void make_tests(SemaContext& context) { TestMaker(context).run(); }

}  // namespace tarry::plang
