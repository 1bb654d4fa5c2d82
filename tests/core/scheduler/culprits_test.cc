// Goal: culprits name the pods in the way and the missing amounts, plugin by plugin; the nearest
// node comes first; without the option there are none. Method: one small cluster for each rule, and
// the text of its culprits.
#include "core/scheduler/culprits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

// The array "culprits" of the evaluation of `pod`, without its brackets.
std::string Culprits(Engine& engine, const std::string& pod,
                     std::string_view options = R"({"culprits":true,"preemption":false})") {
  std::string text;
  EXPECT_TRUE(engine.EvaluateText(options, &text, pod)) << text;
  constexpr std::string_view kKey = R"("culprits":[)";
  size_t begin = text.find(kKey);
  if (begin == std::string::npos) return "none";
  begin += kKey.size();
  size_t end = begin;
  for (size_t depth = 1; depth > 0 && end < text.size(); ++end) {
    if (text[end] == '[') ++depth;
    if (text[end] == ']') --depth;
  }
  return text.substr(begin, end - begin - 1);
}

std::string Labels(const std::string& members) { return R"("labels":{)" + members + "}"; }

std::string Storage(const std::string& kind, const std::string& metadata,
                    const std::string& members) {
  std::string version = kind == "StorageClass" || kind == "CSINode" ? "storage.k8s.io/v1" : "v1";
  return R"({"apiVersion":")" + version + R"(","kind":")" + kind + R"(","metadata":{)" + metadata +
         "}" + members + "}";
}

std::string Volumes(const std::string& claim) {
  return R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":")" + claim + R"("}}])";
}

std::string Term(const std::string& list, const std::string& key) {
  return R"("affinity":{")" + list +
         R"(":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":")" + key +
         R"(","labelSelector":{"matchLabels":{"app":"db"}}}]}})";
}

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

TEST(Culprits, NamesMissingAmountsAndTheLargestPods) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "small", .cpu = "500m", .node = "a"},
              PodText{.name = "large", .cpu = "3", .node = "a"}});
  EXPECT_EQ(Culprits(engine, PodText{.name = "p", .cpu = "1500m"}),
            R"({"node":"a","plugin":"NodeResourcesFit","reasons":["Insufficient cpu"],)"
            R"("resources":[{"resource":"cpu","asked":"1500m","allocatable":"4","taken":"3500m",)"
            R"("missing":"1","pods":[{"pod":"default/large","taken":"3"},)"
            R"({"pod":"default/small","taken":"500m"}]}]})");
}

// The members after the culprits.
std::string RefusedBy(Engine& engine, const std::string& pod, std::string_view options) {
  std::string text;
  EXPECT_TRUE(engine.EvaluateText(options, &text, pod)) << text;
  size_t begin = text.find(R"("culpritsOmitted")");
  if (begin == std::string::npos) begin = text.find(R"("refusedBy")");
  return begin == std::string::npos ? "none" : text.substr(begin);
}

TEST(Culprits, CountsNodesByThePluginsThatRefuseThem) {
  Engine engine;
  engine.Add(
      {NodeText{"a"}, NodeText{"b"}, NodeText{.name = "c", .spec = R"("unschedulable":true)"}});
  PodText pod{.name = "p", .cpu = "9"};
  std::string_view combinations =
      R"("refusedBy":[{"plugins":["NodeResourcesFit"],"count":2},)"
      R"({"plugins":["NodeUnschedulable","NodeResourcesFit"],"count":1}]})";
  EXPECT_EQ(RefusedBy(engine, pod, R"({"culprits":true,"preemption":false})"), combinations);
  EXPECT_EQ(RefusedBy(engine, pod, R"({"culprits":true,"culpritNodes":1,"preemption":false})"),
            R"("culpritsOmitted":2,)" + std::string(combinations));
  EXPECT_EQ(RefusedBy(engine, pod, R"({"preemption":false})"), "none");
}

// Goal: a node that PreFilter excludes is the nearest only if no other is left.
TEST(Culprits, ListNodesThatPreFilterExcludesLast) {
  Engine engine;
  std::string small = R"("cpu":"1","pods":"9")";
  engine.Add({NodeText{"a"}, NodeText{.name = "b", .allocatable = small},
              NodeText{.name = "c", .allocatable = small}});
  auto first = [&engine](std::string_view name) {
    PodText pod{
        .name = "p",
        .cpu = "2",
        .spec = R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
                R"({"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In",)"
                R"("values":[")" +
                std::string(name) + R"("]}]}]}}})"};
    std::string culprits =
        Culprits(engine, pod, R"({"culprits":true,"everyNode":true,"preemption":false})");
    return culprits.substr(0, culprits.find(R"(,"reasons")"));
  };
  EXPECT_EQ(first("b"), R"({"node":"b","plugin":"NodeResourcesFit")");
  EXPECT_EQ(first("c"), R"({"node":"c","plugin":"NodeResourcesFit")");
  EXPECT_EQ(first("gone"), R"({"node":"a","plugin":"NodeAffinity")");
}

TEST(Culprits, OfASummaryAreThoseOfNodes) {
  Engine engine;
  engine.Add(
      {NodeText{"a"}, NodeText{"b"}, NodeText{.name = "c", .spec = R"("unschedulable":true)"}});
  PodText pod{.name = "p", .cpu = "9"};
  std::string of_nodes = Culprits(engine, pod);
  // The second time the decision comes from the cache.
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(Culprits(engine, pod, R"({"detail":"summary","culprits":true,"preemption":false})"),
              of_nodes);
  }
  EXPECT_EQ(
      Culprits(engine, PodText{.name = "q", .cpu = "1"}, R"({"detail":"summary","culprits":true})"),
      "none");
}

TEST(Culprits, CountsPodsBeyondTheLimit) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .allocatable = R"("cpu":"4","pods":"1")"},
              PodText{.name = "r", .node = "a"}});
  EXPECT_EQ(Culprits(engine, PodText{"p"}),
            R"({"node":"a","plugin":"NodeResourcesFit","reasons":["Too many pods"],)"
            R"("resources":[{"resource":"pods","asked":"1","allocatable":"1","taken":"1",)"
            R"("missing":"1"}]})");
}

TEST(Culprits, WritesBytesAsBinaryAndExtendedResourcesAsDecimal) {
  Engine engine;
  engine.Add({NodeText{
      .name = "a",
      .allocatable =
          R"("cpu":"4","pods":"9","memory":"1Gi","ephemeral-storage":"2Ki","hugepages-2Mi":"4Mi",)"
          R"("example.com/gpu":"3")"}});
  std::string pod = PodText{
      .name = "p",
      .spec = R"("initContainers":[{"name":"i","resources":{"requests":{"memory":"1536Mi",)"
              R"("ephemeral-storage":"1Mi","hugepages-2Mi":"8Mi","example.com/gpu":"5000"}}}])"};
  std::string text = Culprits(engine, pod);
  for (std::string_view part :
       {R"("resource":"memory","asked":"1536Mi","allocatable":"1Gi","taken":"0","missing":"512Mi")",
        R"("resource":"ephemeral-storage","asked":"1Mi","allocatable":"2Ki","taken":"0",)"
        R"("missing":"1022Ki")",
        R"("resource":"example.com/gpu","asked":"5k","allocatable":"3","taken":"0",)"
        R"("missing":"4997")",
        R"("resource":"hugepages-2Mi","asked":"8Mi","allocatable":"4Mi","taken":"0",)"
        R"("missing":"4Mi")"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(Culprits, NamesTheTaint) {
  Engine engine;
  engine.Add({NodeText{.name = "a",
                       .spec = R"("taints":[{"key":"soft","effect":"PreferNoSchedule"},)"
                               R"({"key":"k","value":"v","effect":"NoExecute"}])"},
              NodeText{.name = "b", .spec = R"("unschedulable":true)"}});
  std::string text = Culprits(engine, PodText{"p"});
  EXPECT_NE(text.find(R"("taint":{"key":"k","value":"v","effect":"NoExecute"})"), std::string::npos)
      << text;
  EXPECT_NE(
      text.find(R"("taint":{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"})"),
      std::string::npos)
      << text;
}

TEST(Culprits, NamesThePodThatHoldsAPort) {
  Engine engine;
  auto port = [](const std::string& name, const std::string& members, const std::string& node) {
    return std::string(PodText{.name = name,
                               .cpu = "0",
                               .node = node,
                               .spec = R"("hostNetwork":false,"initContainers":[{"name":"i",)"
                                       R"("restartPolicy":"Always","ports":[{)" +
                                       members + "}]}]"});
  };
  engine.Add({NodeText{"a"}, port("other", R"("containerPort":1,"hostPort":81)", "a"),
              port("holder", R"("containerPort":1,"hostPort":80,"hostIP":"10.0.0.1")", "a")});
  EXPECT_EQ(Culprits(engine, port("p", R"("containerPort":1,"hostPort":80)", "")),
            R"({"node":"a","plugin":"NodePorts","reasons":)"
            R"(["node(s) didn't have free ports for the requested pod ports"],)"
            R"("ports":[{"port":80,"protocol":"TCP","hostIP":"0.0.0.0",)"
            R"("pods":["default/holder"]}]})");
}

TEST(Culprits, NamesTheRequirementsThatANodeDoesNotMeet) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .metadata = Labels(R"("disk":"hdd","zone":"x")")}});
  std::string selector =
      PodText{.name = "p", .spec = R"("nodeSelector":{"disk":"ssd","zone":"x"})"};
  EXPECT_EQ(Culprits(engine, selector),
            R"({"node":"a","plugin":"NodeAffinity","reasons":)"
            R"(["node(s) didn't match Pod's node affinity/selector"],"requirements":)"
            R"([{"field":"spec.nodeSelector","key":"disk","operator":"In","values":["ssd"],)"
            R"("value":"hdd"}]})");
  std::string terms = PodText{
      .name = "p",
      .spec = R"("affinity":{"nodeAffinity":{")" + std::string(kRequired) +
              R"(":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In",)"
              R"("values":["x"]},{"key":"gpu","operator":"Exists"}]},{"matchFields":[{"key":)"
              R"("metadata.name","operator":"NotIn","values":["a"]}]}]}}})"};
  std::string text = Culprits(engine, terms);
  EXPECT_NE(text.find(R"(nodeSelectorTerms[0]","key":"gpu","operator":"Exists","values":[],)"
                      R"("value":null},)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(nodeSelectorTerms[1]","key":"metadata.name","operator":"NotIn",)"
                      R"("values":["a"],"value":"a"})"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find(R"("key":"zone")"), std::string::npos) << "the node meets it";
}

TEST(Culprits, NamesThePodAndTheTermOfAnAntiAffinity) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .metadata = Labels(R"("zone":"z")")},
              NodeText{.name = "b", .metadata = Labels(R"("zone":"z")")},
              PodText{.name = "db", .node = "b", .metadata = Labels(R"("app":"db")")}});
  std::string text =
      Culprits(engine, PodText{.name = "p", .spec = Term("podAntiAffinity", "zone")});
  EXPECT_NE(text.find(R"("antiAffinity":[{"term":"spec.affinity.podAntiAffinity.)" +
                      std::string(kRequired) +
                      R"([0]","topologyKey":"zone","domain":"z","pods":["default/db"]}])"),
            std::string::npos)
      << text;
}

TEST(Culprits, NamesTheExistingPodWhoseTermRefuses) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .metadata = Labels(R"("zone":"z")")},
              NodeText{.name = "b", .metadata = Labels(R"("zone":"z")")},
              PodText{.name = "loner", .node = "b", .spec = Term("podAntiAffinity", "zone")}});
  std::string text = Culprits(engine, PodText{.name = "p", .metadata = Labels(R"("app":"db")")});
  EXPECT_NE(text.find(R"("existingAntiAffinity":[{"term":"spec.affinity.podAntiAffinity.)" +
                      std::string(kRequired) +
                      R"([0]","topologyKey":"zone","domain":"z","pod":"default/loner"}])"),
            std::string::npos)
      << text;
}

TEST(Culprits, NamesTheDomainWhereAffinityFindsNoPod) {
  Engine engine;
  engine.Add(
      {NodeText{.name = "a", .metadata = Labels(R"("zone":"z")")},
       NodeText{
           .name = "b", .metadata = Labels(R"("zone":"y")"), .spec = R"("unschedulable":true)"},
       NodeText{"c"}, PodText{.name = "db", .node = "b", .metadata = Labels(R"("app":"db")")}});
  std::string text = Culprits(engine, PodText{.name = "p", .spec = Term("podAffinity", "zone")});
  std::string term = R"("affinity":[{"term":"spec.affinity.podAffinity.)" + std::string(kRequired);
  EXPECT_NE(text.find(term + R"([0]","topologyKey":"zone","domain":"z"}])"), std::string::npos)
      << text;
  EXPECT_NE(text.find(term + R"([0]","topologyKey":"zone","domain":null}])"), std::string::npos)
      << text;
  EXPECT_EQ(text.find(R"("domain":"y")"), std::string::npos) << "there db runs";
}

TEST(Culprits, CountsADomainAgainstTheSkew) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .metadata = Labels(R"("zone":"x")")},
              NodeText{.name = "b",
                       .allocatable = R"("cpu":"0","pods":"9")",
                       .metadata = Labels(R"("zone":"y")")},
              PodText{.name = "one", .node = "a", .metadata = Labels(R"("app":"web")")},
              PodText{.name = "two", .node = "a", .metadata = Labels(R"("app":"web")")}});
  std::string pod = PodText{
      .name = "p",
      .metadata = Labels(R"("app":"web")"),
      .spec = R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","minDomains":3,)"
              R"("whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":)"
              R"({"app":"web"}}}])"};
  std::string text = Culprits(engine, pod);
  EXPECT_NE(text.find(R"("constraints":[{"topologyKey":"zone","domain":"x","pods":2,"minimum":0,)"
                      R"("skew":3,"maxSkew":1,"minDomains":3,"domains":2}])"),
            std::string::npos)
      << text;
}

TEST(Culprits, NamesTheClaimAndItsVolume) {
  Engine engine;
  engine.Add(
      {NodeText{.name = "a", .metadata = Labels(R"("topology.kubernetes.io/zone":"x")")},
       Storage("PersistentVolumeClaim",
               R"("name":"c","namespace":"default","uid":"u",)"
               R"("annotations":{"pv.kubernetes.io/bind-completed":"yes"})",
               R"(,"spec":{"volumeName":"v"},"status":{"phase":"Bound"})"),
       Storage("PersistentVolume",
               R"("name":"v","uid":"v","labels":{"topology.kubernetes.io/zone":"y"})",
               R"(,"spec":{"claimRef":{"namespace":"default","name":"c","uid":"u"},"nodeAffinity":)"
               R"({"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"host",)"
               R"("operator":"In","values":["h"]}]}]}}},"status":{"phase":"Bound"})")});
  std::string text = Culprits(engine, PodText{.name = "p", .spec = Volumes("c")});
  EXPECT_NE(text.find(R"("claims":[{"claim":"c","reason":)"
                      R"("node(s) didn't match PersistentVolume's node affinity","volume":"v"}])"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("volumes":[{"claim":"c","volume":"v","key":"topology.kubernetes.io/zone",)"
                      R"("values":["y"],"value":"x"}])"),
            std::string::npos)
      << text;
}

TEST(Culprits, NamesTheHolderOfAReadWriteOncePodClaim) {
  Engine engine;
  engine.Add({NodeText{"a"},
              Storage("PersistentVolumeClaim",
                      R"("name":"c","namespace":"default","uid":"u",)"
                      R"("annotations":{"pv.kubernetes.io/bind-completed":"yes"})",
                      R"(,"spec":{"volumeName":"v","accessModes":["ReadWriteOncePod"]},)"
                      R"("status":{"phase":"Bound"})"),
              Storage("PersistentVolume", R"("name":"v","uid":"v")",
                      R"(,"spec":{"claimRef":{"namespace":"default","name":"c","uid":"u"}},)"
                      R"("status":{"phase":"Bound"})"),
              PodText{.name = "holder", .node = "a", .spec = Volumes("c")}});
  std::string text = Culprits(engine, PodText{.name = "p", .spec = Volumes("c")});
  EXPECT_NE(text.find(R"("plugin":"VolumeRestrictions")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("pods":["default/holder"])"), std::string::npos) << text;
}

TEST(Culprits, NamesTheLimitOfADriverAndTheAttachedVolumes) {
  Engine engine;
  engine.Add(
      {NodeText{"a"},
       Storage("CSINode", R"("name":"a")",
               R"(,"spec":{"drivers":[{"name":"d","nodeID":"a","allocatable":{"count":1}}]})"),
       Storage("StorageClass", R"("name":"s","uid":"s")",
               R"(,"provisioner":"d","volumeBindingMode":"WaitForFirstConsumer")"),
       Storage("PersistentVolumeClaim", R"("name":"c","namespace":"default","uid":"c")",
               R"(,"spec":{"storageClassName":"s"},"status":{"phase":"Pending"})"),
       Storage("PersistentVolumeClaim", R"("name":"d","namespace":"default","uid":"d")",
               R"(,"spec":{"storageClassName":"s"},"status":{"phase":"Pending"})"),
       PodText{.name = "holder", .node = "a", .spec = Volumes("d")}});
  std::string text = Culprits(engine, PodText{.name = "p", .spec = Volumes("c")});
  EXPECT_NE(text.find(R"("limits":[{"driver":"d","asked":1,"attached":1,"limit":1}])"),
            std::string::npos)
      << text;
}

std::string Devices(const std::string& kind, const std::string& name, const std::string& spec) {
  std::string place = kind == "ResourceClaim" ? R"(,"namespace":"default")" : "";
  return R"({"apiVersion":"resource.k8s.io/v1","kind":")" + kind + R"(","metadata":{"name":")" +
         name + R"(","uid":")" + name + "\"" + place + R"(},"spec":{)" + spec + "}}";
}

std::string SliceOf(const std::string& node, const std::string& devices) {
  return Devices("ResourceSlice", node,
                 R"("driver":"d","nodeName":")" + node + R"(","pool":{"name":")" + node +
                     R"(","generation":1,"resourceSliceCount":1},"devices":[)" + devices + "]");
}

// Goal: a node with a tainted device is nearer than one without devices, and a selector that fails
// is named with its device although it ends the attempt.
TEST(Culprits, NamesTheDevicesOfARefusedClaim) {
  Engine engine;
  constexpr std::string_view kClaims = R"("resourceClaims":[{"name":"c","resourceClaimName":"c"}])";
  auto claim = [](const std::string& expression) {
    return Devices(
        "ResourceClaim", "c",
        R"("devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu",)"
        R"("allocationMode":"ExactCount","count":1,"selectors":[{"cel":{"expression":")" +
            expression + R"("}}]}}]})");
  };
  engine.Add({NodeText{"a"}, NodeText{"b"}, NodeText{"c"}, Devices("DeviceClass", "gpu", ""),
              SliceOf("b", R"({"name":"x","taints":[{"key":"k","effect":"NoSchedule"}]})"),
              SliceOf("c", R"({"name":"y","attributes":{"index":{"int":1}}})"),
              claim("device.attributes['d'].?index.orValue(0) == 0")});
  const PodText pod{.name = "p", .spec = std::string(kClaims)};
  constexpr std::string_view kEveryNode =
      R"({"culprits":true,"everyNode":true,"preemption":false})";
  std::string text = Culprits(engine, pod, kEveryNode);
  size_t tainted = text.find(R"({"node":"b","plugin":"DynamicResources")");
  EXPECT_EQ(tainted, 0u) << text;
  EXPECT_LT(text.find(R"("node":"a")"), text.find(R"("node":"c")")) << text;
  EXPECT_NE(text.find(R"("refused":[{"rule":"selector","devices":1,"device":"d/c/y",)"
                      R"("expression":"device.attributes['d'].?index.orValue(0) == 0"}])"),
            std::string::npos)
      << text;
  engine.Add({claim("device.attributes['d'].none == 1")});
  text = Culprits(engine, pod, kEveryNode);
  EXPECT_NE(text.find(R"({"rule":"fault","devices":1,"device":"d/c/y","message":)"
                      R"("claim default/c: selector #0: CEL runtime error: no such key: none"})"),
            std::string::npos)
      << text;
}

// Goal: b is refused for a smaller amount than a, and by fewer plugins than c.
TEST(Culprits, ListsTheNearestNodeFirst) {
  Engine engine;
  engine.Add({NodeText{.name = "a", .allocatable = R"("cpu":"1","pods":"9")"},
              NodeText{.name = "b", .allocatable = R"("cpu":"3","pods":"9")"},
              NodeText{.name = "c",
                       .allocatable = R"("cpu":"3","pods":"9")",
                       .spec = R"("unschedulable":true)"}});
  JsonTree evaluation =
      engine.Evaluate(R"({"culprits":true})", std::string(PodText{.name = "p", .cpu = "4"}));
  std::string order;
  for (const JsonTree& one : evaluation["culprits"].items()) {
    order += one["node"].text() + ":" + one["plugin"].text() + " ";
  }
  EXPECT_EQ(order, "b:NodeResourcesFit a:NodeResourcesFit c:NodeUnschedulable c:NodeResourcesFit ");
  EXPECT_FALSE(evaluation["culpritsOmitted"].exists());
}

// Goal: resources reserved for a nominated pod count as used by it.
TEST(Culprits, CountsANominatedPod) {
  Engine engine;
  engine.Add(
      {NodeText{"a"},
       PodText{.name = "kept", .cpu = "3", .priority = 9, .status = R"("nominatedNodeName":"a")"}});
  std::string text = Culprits(engine, PodText{.name = "p", .cpu = "2"});
  EXPECT_NE(text.find(R"("taken":"3","missing":"1","pods":[{"pod":"default/kept","taken":"3"}])"),
            std::string::npos)
      << text;
}

TEST(Culprits, AreOptional) {
  Engine engine;
  engine.Add({NodeText{"a"}});
  std::string pod = PodText{.name = "p", .cpu = "9"};
  EXPECT_EQ(Culprits(engine, pod, "{}"), "none");
  EXPECT_EQ(Culprits(engine, PodText{"fits"}), "");
  JsonTree refused =
      engine.Evaluate(R"({"culprits":true,"culpritNodes":101})", std::string(pod), false);
  EXPECT_EQ(refused["field"].text(), "culpritNodes");
}

TEST(Culprits, WritesTheNearestHundredNodes) {
  Engine engine;
  std::vector<std::string> nodes;
  for (int index = 0; index < 130; ++index) {
    nodes.push_back(NodeText{.name = "n" + std::to_string(index)});
  }
  engine.Add(nodes);
  std::string pod = PodText{.name = "p", .cpu = "9"};
  JsonTree evaluation = engine.Evaluate(R"({"culprits":true,"everyNode":true})", pod);
  EXPECT_EQ(evaluation["culprits"].size(), 100u);
  EXPECT_EQ(evaluation["culpritsOmitted"].number(), 30);
}

// Goal: the search for pods in the way spends steps.
TEST(Culprits, SpendsSteps) {
  Engine engine;
  std::vector<std::string> objects;
  for (int index = 0; index < 40; ++index) {
    std::string number = std::to_string(index);
    objects.push_back(NodeText{.name = "n" + number, .metadata = Labels(R"("zone":"z")")});
    objects.push_back(
        PodText{.name = "r" + number, .node = "n" + number, .metadata = Labels(R"("app":"x")")});
  }
  objects.push_back(PodText{.name = "db", .node = "n39", .metadata = Labels(R"("app":"db")")});
  engine.Add(objects);
  std::string pod = PodText{.name = "p", .spec = Term("podAntiAffinity", "zone")};
  auto steps = [&](std::string_view options) {
    return engine.Evaluate(options, std::string(pod))["steps"].number();
  };
  int64_t without = steps(R"({"preemption":false,"maxSteps":1000000})");
  int64_t with = steps(R"({"preemption":false,"maxSteps":1000000,"culprits":true})");
  EXPECT_GT(with, without + 40 * 40);
  JsonTree refused = engine.Evaluate(
      R"({"preemption":false,"culprits":true,"maxSteps":)" + std::to_string(without + 1000) + "}",
      pod, false);
  EXPECT_EQ(refused["code"].text(), "TooManySteps");
}

}  // namespace
}  // namespace stowage
