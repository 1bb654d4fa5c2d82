// Goal: requests and answers follow the protocol (spec 05 §12), for any answer. Method: one
// extender, one request, one answer.
#include "core/extender/http_extender.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

const TextPairs kGpu = {{"example.com/gpu", "1"}};

ExtenderConfig Config(bool node_cache_capable) {
  ExtenderConfig config;
  config.url_prefix = "http://gpu.local/scheduler//";
  config.filter_verb = "filter";
  config.prioritize_verb = "prioritize";
  config.preempt_verb = "preempt";
  config.weight = 3;
  config.http_timeout.nanos = 2'000'000'000;
  config.node_cache_capable = node_cache_capable;
  return config;
}

Pod WithSource(Pod pod) {
  pod.metadata.source = std::make_shared<const std::string>(R"({"metadata":{"name":")" +
                                                            pod.metadata.name.str() + R"("}})");
  return pod;
}

// Nodes a, b and c with one pod each, whose uid is "on-" followed by the node's name.
class HttpExtenderTest : public testing::Test {
 protected:
  HttpExtenderTest() {
    for (std::string name : {"a", "b", "c"}) {
      Node node = MakeNode().Name(name);
      node.metadata.source =
          std::make_shared<const std::string>(R"({"metadata":{"name":")" + name + R"("}})");
      cache_.AddNode(std::make_shared<const Node>(std::move(node)));
      Pod pod = WithSource(MakePod().Name("on-" + name).Node(name));
      pod.metadata.uid = Symbol("on-" + name);
      auto ref = std::make_shared<const Pod>(std::move(pod));
      EXPECT_TRUE(cache_.AddPod(MakePodInfo(ref, features_)).IsSuccess());
    }
    cache_.UpdateSnapshot(&snapshot_);
  }

  NodeList nodes() const { return snapshot_.nodes(); }
  static Completion Ok(std::string body) { return {CallFault::kNone, {}, 200, std::move(body)}; }
  static std::string NamesOf(const ExtenderVerdict& verdict) {
    std::string names;
    for (const NodeInfo* node : verdict.nodes) names += node->name().str() + " ";
    return names;
  }
  // The names that passed, or the error.
  std::string Filter(const HttpExtender& extender, const Completion& answer) const {
    auto verdict = extender.FilterVerdict(answer, nodes());
    return verdict.ok() ? NamesOf(*verdict) : verdict.fault().Message();
  }

  Features features_;
  Cache cache_;
  Snapshot snapshot_;
  Pod pod_ = WithSource(MakePod().Name("p"));
};

TEST_F(HttpExtenderTest, SendsNodeNamesIfNodeCacheCapable) {
  HttpExtender extender(Config(true), {});
  Call call = extender.FilterCall(pod_, nodes());
  EXPECT_EQ(call.kind, "extender");
  EXPECT_EQ(call.pod, "default/p");
  EXPECT_EQ(call.verb, "filter");
  EXPECT_EQ(call.method, "POST");
  EXPECT_EQ(call.url, "http://gpu.local/scheduler/filter");
  EXPECT_EQ(call.timeout_us, 2'000'000);
  EXPECT_EQ(call.body,
            R"({"Pod":{"metadata":{"name":"p"}},"Nodes":null,"NodeNames":["a","b","c"]})");
  EXPECT_EQ(extender.PrioritizeCall(pod_, nodes()).body, call.body);
  EXPECT_EQ(extender.PrioritizeCall(pod_, nodes()).url, "http://gpu.local/scheduler/prioritize");
}

TEST_F(HttpExtenderTest, SendsWholeNodesOtherwise) {
  HttpExtender extender(Config(false), {});
  EXPECT_EQ(extender.FilterCall(pod_, nodes().first(2)).body,
            R"({"Pod":{"metadata":{"name":"p"}},"Nodes":{"metadata":{},"items":[)"
            R"({"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]},"NodeNames":null})");
}

TEST_F(HttpExtenderTest, SendsTheCurrentPod) {
  pod_.status.nominated_node_name = Symbol("b");
  HttpExtender extender(Config(true), {});
  EXPECT_EQ(extender.FilterCall(pod_, {}).body,
            R"({"Pod":{"status":{"nominatedNodeName":"b"},"metadata":{"name":"p"}},)"
            R"("Nodes":null,"NodeNames":[]})");
}

TEST_F(HttpExtenderTest, ReadsTheNamesOfAFilterAnswer) {
  HttpExtender extender(Config(true), {});
  auto verdict =
      extender.FilterVerdict(Ok(R"({"NodeNames":["c","a"],"FailedNodes":{"b":"busy"},)"
                                R"("FailedAndUnresolvableNodes":{"x":"gone"},"Error":""})"),
                             nodes());
  ASSERT_TRUE(verdict.ok());
  EXPECT_EQ(NamesOf(*verdict), "c a ") << "in its order";
  EXPECT_EQ(*verdict->failed_nodes.Find(Symbol("b")), "busy");
  EXPECT_EQ(*verdict->failed_and_unresolvable_nodes.Find(Symbol("x")), "gone");
  EXPECT_EQ(verdict->nodes[1], nodes()[0]) << "the snapshot's own";
}

TEST_F(HttpExtenderTest, ReadsFilterAnswersLikeGo) {
  struct {
    std::string_view name;
    bool node_cache_capable;
    std::string_view body;
    std::string_view want;  // names, or the error
  } cases[] = {
      {"names in any case", true, R"({"nodenames":["b"]})", "b "},
      {"an exact name wins", true, R"({"nodenames":["b"],"NodeNames":["a"]})", "a "},
      {"no names, but nodes", true, R"({"Nodes":{"items":[{"metadata":{"name":"a"}}]}})", "a "},
      {"names that are null", true, R"({"NodeNames":null})", ""},
      {"names are not asked for", false, R"({"NodeNames":["a"]})", ""},
      {"nodes", false, R"({"Nodes":{"items":[{"metadata":{"name":"c"}}]}})", "c "},
      {"no nodes at all", false, R"({"Nodes":{"items":null}})", ""},
      {"nothing", true, "{}", ""},
      {"its own error", true, R"({"NodeNames":["a"],"Error":"out of order"})", "out of order"},
      {"a stranger by name", true, R"({"NodeNames":["a","x"]})",
       "extender \"http://gpu.local/scheduler//\" claims a filtered node \"x\" which is not found "
       "in the input node list"},
      {"a stranger as an object", false, R"({"Nodes":{"items":[{"metadata":{"name":"x"}}]}})",
       "extender \"http://gpu.local/scheduler//\" claims a filtered node \"x\" which is not found "
       "in the input node list"},
      {"a number for a name", true, R"({"NodeNames":[1]})",
       "NodeNames[0]: Invalid value: 1: must be a string, not a number"},
      {"a bad quantity", false,
       R"({"Nodes":{"items":[{"metadata":{"name":"a"},"status":{"allocatable":{"cpu":"x"}}}]}})",
       "Nodes.items[0].status.allocatable[cpu]: Invalid value: \"x\": quantities must match the "
       "regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
  };
  for (const auto& c : cases) {
    HttpExtender extender(Config(c.node_cache_capable), {});
    EXPECT_EQ(Filter(extender, Ok(std::string(c.body))), c.want) << c.name;
  }
}

TEST_F(HttpExtenderTest, ReportsFailedRequests) {
  struct {
    std::string_view name;
    Completion answer;
    std::string_view want;
  } cases[] = {
      {"status 500",
       {CallFault::kNone, {}, 500, "oops"},
       "failed filter with extender at URL http://gpu.local/scheduler/filter, code 500"},
      {"status 201 is not 200",
       {CallFault::kNone, {}, 201, "{}"},
       "failed filter with extender at URL http://gpu.local/scheduler/filter, code 201"},
      {"timeout",
       {CallFault::kTimeout, "x", 0, {}},
       "Post \"http://gpu.local/scheduler/filter\": context deadline exceeded (Client.Timeout "
       "exceeded while awaiting headers)"},
      {"network",
       {CallFault::kNetwork, "connection refused", 0, {}},
       "Post \"http://gpu.local/scheduler/filter\": connection refused"},
  };
  HttpExtender extender(Config(true), {});
  for (const auto& c : cases) EXPECT_EQ(Filter(extender, c.answer), c.want) << c.name;
  for (std::string_view garbage : {"", "<html>", "{\"NodeNames\":[", "[]"}) {
    EXPECT_FALSE(extender.FilterVerdict(Ok(std::string(garbage)), nodes()).ok()) << garbage;
  }
}

// Goal: nodes that such an extender returns are scored as if no pods ran there, as in v1.36, unless
// the quirk is off.
TEST_F(HttpExtenderTest, StripsPodsOfReturnedNodes) {
  const Completion answer = Ok(R"({"Nodes":{"items":[{"metadata":{"name":"b"},)"
                               R"("status":{"allocatable":{"cpu":"7"}}}]}})");
  auto stripped = HttpExtender(Config(false), {}).FilterVerdict(answer, nodes());
  ASSERT_TRUE(stripped.ok());
  ASSERT_EQ(stripped->nodes.size(), 1u);
  EXPECT_TRUE(stripped->nodes[0]->pods().empty());
  EXPECT_EQ(stripped->nodes[0]->allocatable().milli_cpu, 7000);
  EXPECT_EQ(stripped->nodes[0]->row(), nodes()[1]->row());
  EXPECT_EQ(HttpExtender(Config(false), {}).FilterCall(pod_, stripped->nodes).body,
            R"({"Pod":{"metadata":{"name":"p"}},"Nodes":{"metadata":{},"items":[)"
            R"({"metadata":{"name":"b"},"status":{"allocatable":{"cpu":"7"}}}]},)"
            R"("NodeNames":null})")
      << "the next one gets what this one sent";
  auto kept =
      HttpExtender(Config(false), {.nodes_without_pods = false}).FilterVerdict(answer, nodes());
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->nodes[0], nodes()[1]);
}

TEST_F(HttpExtenderTest, ReadsPriorities) {
  HttpExtender extender(Config(true), {});
  auto list = extender.Priorities(Ok(R"([{"Host":"a","Score":10},{"host":"b","score":3}])"));
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->size(), 2u);
  EXPECT_EQ((*list)[1].host, "b");
  EXPECT_EQ((*list)[1].score, 3);
  EXPECT_TRUE(extender.Priorities(Ok("null")).ok());
  EXPECT_FALSE(extender.Priorities(Ok(R"([{"Score":1.5}])")).ok());
  EXPECT_FALSE(extender.Priorities({CallFault::kNone, {}, 404, "[]"}).ok());
  EXPECT_EQ(extender.Weight(), 3);
  ExtenderConfig silent = Config(true);
  silent.prioritize_verb = "";
  EXPECT_EQ(HttpExtender(silent, {}).Weight(), 0);
}

TEST_F(HttpExtenderTest, SendsVictimsByUidOrWhole) {
  const PreemptionVictims victims{Symbol("a"), {nodes()[0]->pods()[0]}, 2};
  EXPECT_EQ(HttpExtender(Config(true), {}).PreemptCall(pod_, {&victims}).body,
            R"({"Pod":{"metadata":{"name":"p"}},"NodeNameToVictims":null,)"
            R"("NodeNameToMetaVictims":{"a":{"Pods":[{"UID":"on-a"}],"NumPDBViolations":2}}})");
  EXPECT_EQ(HttpExtender(Config(false), {}).PreemptCall(pod_, {&victims}).body,
            R"({"Pod":{"metadata":{"name":"p"}},"NodeNameToVictims":{"a":{"Pods":[)"
            R"({"spec":{"nodeName":"a"},"metadata":{"name":"on-a"}}],"NumPDBViolations":2}},)"
            R"("NodeNameToMetaVictims":null})");
}

TEST_F(HttpExtenderTest, ReadsTheRemainingCandidates) {
  HttpExtender extender(Config(true), {});
  auto left = extender.Candidates(
      Ok(R"({"NodeNameToMetaVictims":{"b":{"Pods":[{"UID":"on-b"}],"NumPDBViolations":1},)"
         R"("a":{"Pods":[]}}})"),
      snapshot_);
  ASSERT_TRUE(left.ok());
  ASSERT_EQ(left->size(), 2u);
  EXPECT_EQ((*left)[0].node, "b");
  EXPECT_EQ((*left)[0].pods[0], nodes()[1]->pods()[0]);
  EXPECT_EQ((*left)[0].num_pdb_violations, 1);
  EXPECT_TRUE((*left)[1].pods.empty());
  EXPECT_EQ(
      extender
          .Candidates(Ok(R"({"NodeNameToMetaVictims":{"a":{"Pods":[{"UID":"on-b"}]}}})"), snapshot_)
          .fault(),
      Status::Error("extender: http://gpu.local/scheduler// claims to preempt pod (UID: on-b) on "
                    "node: a, but the pod is not found on that node"));
  EXPECT_EQ(extender.Candidates(Ok(R"({"NodeNameToMetaVictims":{"x":{}}})"), snapshot_).fault(),
            Status::Error("nodeinfo not found for node name \"x\""));
}

TEST_F(HttpExtenderTest, SendsABinding) {
  ExtenderConfig config = Config(true);
  EXPECT_FALSE(HttpExtender(config, {}).IsBinder());
  config.bind_verb = "bind";
  HttpExtender extender(config, {});
  EXPECT_TRUE(extender.IsBinder());
  Call call = extender.BindCall(pod_, Symbol("b"));
  EXPECT_EQ(call.verb, "bind");
  EXPECT_EQ(call.url, "http://gpu.local/scheduler/bind");
  EXPECT_EQ(call.body, R"({"PodName":"p","PodNamespace":"default","PodUID":"p","Node":"b"})");
}

TEST_F(HttpExtenderTest, ReadsTheResultOfABinding) {
  ExtenderConfig config = Config(true);
  config.bind_verb = "bind";
  HttpExtender extender(config, {});
  EXPECT_TRUE(extender.BindStatus(Ok("{}")).IsSuccess());
  EXPECT_TRUE(extender.BindStatus(Ok(R"({"Error":""})")).IsSuccess());
  EXPECT_EQ(extender.BindStatus(Ok(R"({"Error":"no"})")), Status::Error("no"));
  EXPECT_FALSE(extender.BindStatus(Ok("")).IsSuccess());
  EXPECT_EQ(extender.BindStatus({CallFault::kNone, {}, 500, "{}"}).code(), Code::kError);
  EXPECT_EQ(extender.BindStatus({CallFault::kTimeout, {}, 0, {}}).code(), Code::kError);
}

TEST(NewExtenders, PutsIgnorableExtendersLast) {
  ExtenderConfig may_fail = Config(true);
  may_fail.ignorable = true;
  may_fail.url_prefix = "http://first";
  ExtenderConfig second = Config(true);
  second.url_prefix = "http://second";
  ExtenderConfig third = Config(true);
  third.url_prefix = "http://third";
  std::string order;
  for (const auto& extender : NewExtenders({may_fail, second, third}, {})) {
    order += std::string(extender->Name()) + " ";
  }
  EXPECT_EQ(order, "http://second http://third http://first ");
}

bool IsInterested(const std::vector<ExtenderManagedResource>& resources, const Pod& pod) {
  ExtenderConfig config;
  config.managed_resources = resources;
  return HttpExtender(config, {}).IsInterested(pod);
}

const std::vector<ExtenderManagedResource> kManaged = {{Symbol("example.com/fpga"), false},
                                                       {Symbol("example.com/gpu"), true}};

TEST(IsInterested, InEveryPodWithoutManagedResources) {
  EXPECT_TRUE(IsInterested({}, MakePod().Name("p")));
}

TEST(IsInterested, InPodsThatNameAManagedResource) {
  EXPECT_FALSE(IsInterested(kManaged, MakePod().Name("p").Req({{"cpu", "1"}})));
  EXPECT_TRUE(IsInterested(kManaged, MakePod().Req({{"cpu", "1"}}).Req(kGpu)));
  EXPECT_TRUE(IsInterested(kManaged, MakePod().InitReq(kGpu)));
  EXPECT_FALSE(IsInterested(kManaged, MakePod().Overhead(kGpu)));
  EXPECT_FALSE(IsInterested(kManaged, MakePod().PodLevelReq(kGpu)));
}

TEST(IsInterested, InPodsWithOnlyLimits) {
  Pod pod = MakePod().Req({{"cpu", "1"}});
  pod.spec.containers.Mutable()[0].resources.limits = MakeResourceList(kGpu);
  EXPECT_TRUE(IsInterested(kManaged, pod));
}

}  // namespace
}  // namespace stowage
