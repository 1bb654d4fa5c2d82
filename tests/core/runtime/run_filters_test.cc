// PreEnqueue, PreFilter, Filter and PostFilter of a profile with fake plugins (spec 05 §5, §10.2).
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/core/runtime/fake_profile.h"
#include "tests/support/run_to_end.h"

namespace stowage {
namespace {

// A plugin's answer to PreFilter.
struct Answer {
  std::string name;
  Status status;
  std::optional<std::vector<Symbol>> node_names = std::nullopt;
};

// Each plugin appends its name to `calls` when it runs.
void AddPreFilters(const std::vector<Answer>& answers, std::string* calls, FakeProfile* profile) {
  for (const Answer& answer : answers) {
    profile->Add({.name = answer.name,
                  .pre_filter = [answer, calls](CycleState&, const Pod&, PreFilterResult* result) {
                    *calls += answer.name + " ";
                    result->node_names = answer.node_names;
                    return answer.status;
                  }});
  }
}

struct PreFilterCase {
  std::string_view name;
  std::vector<Answer> answers;
  Status want;
  std::string_view want_calls;
  std::optional<std::vector<Symbol>> want_names = std::nullopt;
  std::set<Symbol> want_plugins = {};
};

void ExpectPreFilter(const PreFilterCase& c) {
  FakeProfile profile;
  std::string calls;
  AddPreFilters(c.answers, &calls, &profile);
  CycleState state;
  PreFilterOutcome outcome = profile.framework().RunPreFilterPlugins(state, MakePod().Name("p"));
  EXPECT_EQ(outcome.status, c.want) << c.name << ": " << outcome.status.Message();
  EXPECT_EQ(calls, c.want_calls) << c.name;
  EXPECT_EQ(outcome.result.node_names, c.want_names) << c.name;
  EXPECT_EQ(outcome.plugins, c.want_plugins) << c.name;
}

TEST(RunPreFilterPlugins, StopsOrContinuesByStatusCode) {
  Symbol a("A");
  Symbol b("B");
  Status unschedulable = Status::Unschedulable("no");
  Status unresolvable = Status::UnschedulableAndUnresolvable("never");
  PreFilterCase cases[] = {
      {"no plugin", {}, {}, ""},
      {"all succeed", {{"A", {}}, {"B", {}}}, {}, "A B "},
      {"Skip is as good", {{"A", Status::Skip()}, {"B", {}}}, {}, "A B "},
      {"UnschedulableAndUnresolvable stops",
       {{"A", unresolvable}, {"B", {}}},
       unresolvable.WithPlugin(a),
       "A "},
      {"Unschedulable goes on",
       {{"A", unschedulable}, {"B", {}}},
       unschedulable.WithPlugin(a),
       "A B "},
      {"the last Unschedulable wins",
       {{"A", unschedulable}, {"B", unschedulable}, {"C", {}}},
       unschedulable.WithPlugin(b),
       "A B C "},
      {"UnschedulableAndUnresolvable wins over an earlier Unschedulable",
       {{"A", unschedulable}, {"B", unresolvable}},
       unresolvable.WithPlugin(b),
       "A B "},
      {"an Error is wrapped and stops",
       {{"A", unschedulable}, {"B", Status::Error("boom")}, {"C", {}}},
       Status::Error("running PreFilter plugin \"B\": boom"),
       "A B "},
      {"any other failure is an Error",
       {{"A", Status::WithReasons(Code::kWait, MakeSymbols({"later"}))}},
       Status::Error("running PreFilter plugin \"A\": later"),
       "A "},
      {"Pending is no answer to PreFilter",
       {{"A", Status::WithReasons(Code::kPending, MakeSymbols({"later"}))}, {"B", {}}},
       Status::Error("running PreFilter plugin \"A\": later"),
       "A "},
  };
  for (const auto& c : cases) ExpectPreFilter(c);
}

TEST(RunPreFilterPlugins, IntersectsNarrowings) {
  auto names = [](Texts texts) { return MakeSymbols(texts); };
  std::set<Symbol> a = {Symbol("A")};
  std::set<Symbol> a_and_b = {Symbol("A"), Symbol("B")};
  PreFilterCase cases[] = {
      {"one", {{"A", {}, names({"n2", "n1", "n2"})}}, {}, "A ", names({"n1", "n2"}), a},
      {"two",
       {{"B", {}, names({"n3", "n1", "n2"})}, {"A", {}, names({"n2", "n4", "n3"})}},
       {},
       "B A ",
       names({"n2", "n3"}),
       a_and_b},
      {"a plugin without one changes nothing",
       {{"A", {}, names({"n1"})}, {"C", {}}},
       {},
       "A C ",
       names({"n1"}),
       a},
      {"none left by one plugin",
       {{"A", {}, names({})}, {"B", {}}},
       Status::UnschedulableAndUnresolvable("node(s) didn't satisfy plugin A"),
       "A ",
       names({}),
       a},
      {"none left by several, sorted",
       {{"B", {}, names({"n1"})}, {"C", {}}, {"A", {}, names({"n2"})}, {"D", {}}},
       Status::UnschedulableAndUnresolvable(
           "node(s) didn't satisfy plugin(s) [A B] simultaneously"),
       "B C A ",
       names({}),
       a_and_b},
      {"an Unschedulable keeps the narrowing",
       {{"A", {}, names({"n1"})}, {"C", Status::Unschedulable("no")}},
       Status::Unschedulable("no").WithPlugin(Symbol("C")),
       "A C ",
       names({"n1"}),
       a},
  };
  for (const auto& c : cases) ExpectPreFilter(c);
}

// Goal: if a plugin refuses the pod itself, only its refusal is reported; plugins that only
// narrowed did not refuse.
TEST(RunPreFilterPlugins, ReportsOnlyThePluginThatRefusesThePod) {
  FakeProfile profile;
  std::string calls;
  AddPreFilters({{"A", {}, MakeSymbols({"n1"})}, {"B", Status::UnschedulableAndUnresolvable("no")}},
                &calls, &profile);
  CycleState state;
  PreFilterOutcome outcome = profile.framework().RunPreFilterPlugins(state, MakePod().Name("p"));
  EXPECT_EQ(outcome.status.plugin(), "B");
  EXPECT_TRUE(outcome.plugins.empty());
}

TEST(RunPreFilterPlugins, SkipDisablesFilterAndExtensions) {
  std::string calls;
  auto log = [&calls](std::string text) {
    calls += text + " ";
    return Status::Success();
  };
  FakeProfile profile;
  profile.AddNodes(1).Nominate("n0", MakePod().Name("nominee"));
  for (bool skips : {true, false}) {
    std::string name = skips ? "Skipping" : "Running";
    profile.Add({
        .name = name,
        .pre_filter = [skips](CycleState&, const Pod&,
                              PreFilterResult*) { return skips ? Status::Skip() : Status(); },
        .add_pod = [=](CycleState&, const PodInfo&, const NodeInfo&) { return log("+" + name); },
        .remove_pod = [=](CycleState&, const PodInfo&, const NodeInfo&) { return log("-" + name); },
        .filter = [=](const CycleState&, const Pod&, const NodeInfo&) { return log(name); },
    });
  }
  Framework& framework = profile.framework();
  CycleState state;
  Pod pod = MakePod().Name("p");
  EXPECT_TRUE(framework.RunPreFilterPlugins(state, pod).status.IsSuccess());
  EXPECT_TRUE(
      framework.RunFilterPluginsWithNominatedPods(state, pod, profile.node("n0")).IsSuccess());
  EXPECT_EQ(calls, "+Running Running Running ");
  calls.clear();
  PodInfoRef other = MakePodInfo(MakePod().Name("other").Ref(), Features());
  EXPECT_TRUE(
      framework.RunPreFilterExtensionRemovePod(state, pod, *other, profile.node("n0")).IsSuccess());
  EXPECT_EQ(calls, "-Running ");
}

TEST(RunFilterPlugins, ReturnsTheFirstRefusal) {
  Status no = Status::Unschedulable("no");
  Status never = Status::UnschedulableAndUnresolvable("never");
  Status pending = Status::WithReasons(Code::kPending, MakeSymbols({"later"}));
  auto error = [](std::string_view text) { return Status::Error(text).WithPlugin(Symbol("A")); };
  struct {
    std::string_view name;
    Status a;
    Status b;
    Status want;
    std::string_view want_calls;
  } cases[] = {
      {"both pass", {}, {}, {}, "A B "},
      {"the first refuses", no, never, no.WithPlugin(Symbol("A")), "A "},
      {"the second refuses", {}, never, never.WithPlugin(Symbol("B")), "A B "},
      {"Pending is a refusal", pending, {}, pending.WithPlugin(Symbol("A")), "A "},
      {"an Error is wrapped", Status::Error("boom"), no, error("running \"A\" filter plugin: boom"),
       "A "},
      {"no other code is an answer",
       Status::Skip(),
       {},
       error("running \"A\" filter plugin: "),
       "A "},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    std::string calls;
    for (const auto& [name, status] : {std::pair("A", c.a), std::pair("B", c.b)}) {
      profile.Add({.name = name, .filter = [=, &calls](const auto&...) {
                     calls += std::string(name) + " ";
                     return status;
                   }});
    }
    profile.AddNodes(1);
    Status status =
        profile.framework().RunFilterPlugins(CycleState(), MakePod().Name("p"), profile.node("n0"));
    EXPECT_EQ(status, c.want) << c.name << ": " << status.Message();
    EXPECT_EQ(calls, c.want_calls) << c.name;
  }
}

TEST(RunAllFilterPlugins, ReturnsEveryRefusal) {
  FakeProfile profile;
  profile.AddNodes(1);
  profile.Add({.name = "A", .filter = [](const auto&...) { return Status::Unschedulable("a"); }});
  profile.Add({.name = "B", .filter = [](const auto&...) { return Status::Success(); }});
  profile.Add({.name = "C",
               .pre_filter = [](const auto&...) { return Status::Skip(); },
               .filter = [](const auto&...) { return Status::Unschedulable("skipped"); }});
  profile.Add({.name = "D", .filter = [](const auto&...) { return Status::Unschedulable("d"); }});
  CycleState state;
  Pod pod = MakePod().Name("p");
  profile.framework().RunPreFilterPlugins(state, pod);
  std::vector<Status> want = {Status::Unschedulable("a").WithPlugin(Symbol("A")),
                              Status::Unschedulable("d").WithPlugin(Symbol("D"))};
  EXPECT_EQ(profile.framework().RunAllFilterPlugins(state, pod, profile.node("n0")), want);
}

// Goal: the chunk form gives every node the same verdict as the form by node. Method: three plugins
// that refuse at random, one of them with errors, over nodes that fill two chunks and part of a
// third.
TEST(RunFilterPluginsOnChunk, EqualsTheFormByNode) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    FakeProfile profile;
    profile.AddNodes(150);
    for (uint64_t plugin = 0; plugin < 3; ++plugin) {
      profile.Add({.name = "P" + std::to_string(plugin),
                   .pre_filter =
                       [=](const auto&...) {
                         return (seed + plugin) % 4 == 0 ? Status::Skip() : Status::Success();
                       },
                   .filter =
                       [=](const CycleState&, const Pod&, const NodeInfo& node) {
                         Rng rng(seed * 1000 + plugin * 500 + node.row());
                         if (rng.Below(3) != 0) return Status::Success();
                         if (plugin == 1) return Status::Error("boom");
                         return Status::Unschedulable("reason " + std::to_string(rng.Below(4)));
                       }});
    }
    Framework& framework = profile.framework();
    CycleState state;
    Pod pod = MakePod().Name("p");
    framework.RunPreFilterPlugins(state, pod);
    const NodeTable& table = profile.snapshot().table();
    Rng rng(seed);
    for (size_t first = 0; first < table.size(); first += NodeTable::kChunkRows) {
      NodeChunk chunk = table.Chunk(first / NodeTable::kChunkRows);
      uint64_t candidates = chunk.all() & (seed % 2 == 0 ? chunk.all() : rng.Next());
      ChunkStatuses statuses;
      uint64_t passed = framework.RunFilterPluginsOnChunk(state, pod, chunk, candidates, &statuses);
      EXPECT_EQ(passed & ~candidates, 0u);
      for (size_t offset = 0; offset < chunk.rows.size(); ++offset) {
        if ((candidates >> offset & 1) == 0) continue;
        Status want = framework.RunFilterPlugins(state, pod, chunk.node(offset));
        EXPECT_EQ((passed >> offset & 1) != 0, want.IsSuccess()) << seed << " " << first + offset;
        if (want.IsSuccess()) continue;
        EXPECT_EQ(statuses[offset], want) << seed << " " << first + offset;
      }
    }
  }
}

// A PostFilter plugin's answer.
struct PostAnswer {
  std::string name;
  Status status;
  std::optional<Symbol> nomination = std::nullopt;
};

TEST(RunPostFilterPlugins, CombinesStatusesAndResults) {
  Status a = Status::Unschedulable("a");
  Status b = Status::Unschedulable("b");
  Status pending = Status::WithReasons(Code::kPending, MakeSymbols({"x", "y"}));
  Status unresolvable = Status::UnschedulableAndUnresolvable("never");
  Symbol n("n");
  Symbol m("m");
  auto refusal = [](Texts reasons) {
    return Status::WithReasons(Code::kUnschedulable, MakeSymbols(reasons)).WithPlugin(Symbol("A"));
  };
  struct {
    std::string_view name;
    std::vector<PostAnswer> answers;
    Status want;
    std::optional<Symbol> want_nomination;
    std::string_view want_calls;
  } cases[] = {
      {"no plugin", {}, Status::WithReasons(Code::kUnschedulable, {}), {}, ""},
      {"success ends it", {{"A", {}, n}, {"B", b, m}}, {}, n, "A "},
      {"success after a refusal", {{"A", a, m}, {"B", {}, n}}, {}, n, "A B "},
      {"success without a nomination drops the kept one", {{"A", a, m}, {"B", {}}}, {}, {}, "A B "},
      {"UnschedulableAndUnresolvable ends it",
       {{"A", a}, {"B", unresolvable, n}, {"C", {}}},
       unresolvable.WithPlugin(Symbol("B")),
       n,
       "A B "},
      {"reasons add up under the first plugin",
       {{"A", a}, {"B", pending}, {"C", b}},
       refusal({"a", "x", "y", "b"}),
       {},
       "A B C "},
      {"the last override is kept",
       {{"A", a, n}, {"B", b, Symbol()}, {"C", a}},
       refusal({"a", "b", "a"}),
       Symbol(),
       "A B C "},
      {"an Error ends it without a result",
       {{"A", a, n}, {"B", Status::Error("not found"), m}, {"C", {}}},
       Status::Error("not found").WithPlugin(Symbol("B")),
       {},
       "A B "},
      {"any other code is an Error",
       {{"A", Status::WithReasons(Code::kWait, MakeSymbols({"hm"})), n}, {"B", {}}},
       Status::Error("hm").WithPlugin(Symbol("A")),
       {},
       "A "},
  };
  for (const auto& c : cases) {
    FakeProfile profile;
    std::string calls;
    for (const PostAnswer& answer : c.answers) {
      profile.Add({.name = answer.name,
                   .post_filter = [answer, &calls](const NodeToStatus&, PostFilterResult* result) {
                     calls += answer.name + " ";
                     result->nominated_node_name = answer.nomination;
                     return answer.status;
                   }});
    }
    CycleState state;
    Pod pod = MakePod().Name("p");
    NodeToStatus statuses;
    PostFilterOutcome outcome =
        RunToEnd(profile.framework().RunPostFilterPlugins(state, pod, statuses));
    EXPECT_EQ(outcome.status, c.want) << c.name << ": " << outcome.status.Message();
    EXPECT_EQ(outcome.result.nominated_node_name, c.want_nomination) << c.name;
    EXPECT_EQ(calls, c.want_calls) << c.name;
  }
}

TEST(RunPreEnqueuePlugins, ReturnsTheFirstGate) {
  FakeProfile profile;
  profile.Add({.name = "A", .pre_enqueue = [](const Pod&) { return Status::Success(); }});
  profile.Add({.name = "B", .pre_enqueue = [](const Pod& pod) {
                 return pod.metadata.name == "held" ? Status::Unschedulable("b") : Status();
               }});
  profile.Add({.name = "C", .pre_enqueue = [](const Pod& pod) {
                 return pod.metadata.name == "free" ? Status() : Status::Unschedulable("c");
               }});
  const Framework& framework = profile.framework();
  EXPECT_TRUE(framework.RunPreEnqueuePlugins(MakePod().Name("free")).IsSuccess());
  EXPECT_EQ(framework.RunPreEnqueuePlugins(MakePod().Name("held")),
            Status::Unschedulable("b").WithPlugin(Symbol("B")));
  EXPECT_EQ(framework.RunPreEnqueuePlugins(MakePod().Name("other")),
            Status::Unschedulable("c").WithPlugin(Symbol("C")));
}

}  // namespace
}  // namespace stowage
