// Inspect returns objects as they were given, with the changes of the simulated API server.
#include <gtest/gtest.h>

#include <string>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

constexpr std::string_view kKeep = R"({"keepObjects":true})";

std::string NamesOf(const JsonTree& answer) {
  std::string names;
  for (size_t at = 0; at < answer["items"].size(); ++at) {
    const JsonTree& item = answer["items"][at];
    names += item["kind"].text() + "/" + item["metadata"]["name"].text() + " ";
  }
  return names;
}

TEST(StoredObjects, AreReturnedUnchanged) {
  Engine engine(kKeep);
  std::string set =
      R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"s","namespace":"default"},)"
      R"("spec":{"replicas":3,"unread":[1.50,null]}})";
  engine.Add({set, R"({"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"p",)"
                   R"("namespace":"other","uid":"u"},"spec":{"containers":[]}}]})"});
  EXPECT_EQ(engine.InspectText(R"({"objects":"ReplicaSet"})"), R"({"items":[)" + set + "]}");
  JsonTree pods = engine.Inspect(R"({"objects":"pods","name":"other/p"})");
  ASSERT_EQ(pods["items"].size(), 1u);
  EXPECT_EQ(pods["items"][0]["kind"].text(), "Pod") << "the list's items did not say it";
  EXPECT_EQ(pods["items"][0]["apiVersion"].text(), "v1");
}

TEST(StoredObjects, OmitMissingObjects) {
  Engine engine(kKeep);
  engine.Add({NodeText{"a"}});
  EXPECT_EQ(engine.InspectText(R"({"objects":"Node","name":"b"})"), R"({"items":[]})");
  EXPECT_EQ(engine.InspectText(R"({"objects":"CSINode"})"), R"({"items":[]})");
  EXPECT_EQ(engine.Inspect(R"({"objects":"Deployment"})", false)["message"].text(),
            "objects: the scheduler does not read the kind \"Deployment\"");
  Engine forgetful;
  EXPECT_EQ(forgetful.Inspect(R"({"objects":"Node"})", false)["message"].text(),
            "objects: the scheduler was created with keepObjects: false");
}

TEST(StoredObjects, ShowTheBindingOfAPod) {
  Engine engine(kKeep);
  engine.Add({NodeText{"a"}, PodText{.name = "p", .metadata = R"("labels":{"x":"y"})"}});
  engine.Run();
  JsonTree pod = engine.Inspect(R"({"objects":"Pod","name":"p"})")["items"][0];
  EXPECT_EQ(pod["metadata"]["labels"]["x"].text(), "y");
  EXPECT_EQ(pod["metadata"]["resourceVersion"].text(), "1");
  EXPECT_EQ(pod["spec"]["nodeName"].text(), "a");
  EXPECT_EQ(pod["status"]["phase"].text(), "Running");
  EXPECT_EQ(pod["status"]["startTime"].text(), "1970-01-12T13:46:40Z");
  EXPECT_EQ(pod["status"]["conditions"][0]["type"].text(), "PodScheduled");
  EXPECT_EQ(pod["status"]["conditions"][0]["status"].text(), "True");
}

TEST(StoredObjects, ShowAGracefullyEvictedPodAsTerminating) {
  Engine engine(R"({"keepObjects":true,"simulate":{"gracefulDeletion":true}})");
  engine.Add({NodeText{"a"}, PodText{.name = "low", .cpu = "4", .node = "a"},
              PodText{.name = "high", .cpu = "4", .priority = 9}});
  engine.Run();
  JsonTree low = engine.Inspect(R"({"objects":"Pod","name":"low"})")["items"][0];
  EXPECT_EQ(low["metadata"]["deletionTimestamp"].text(), "1970-01-12T13:46:40Z");
  JsonTree high = engine.Inspect(R"({"objects":"Pod","name":"high"})")["items"][0];
  EXPECT_EQ(high["status"]["nominatedNodeName"].text(), "a");
  EXPECT_EQ(high["status"]["conditions"][0]["reason"].text(), "Unschedulable");
}

TEST(StoredObjects, ListEveryKindInTheOrderForAnotherEngine) {
  Engine engine(kKeep);
  auto zone = [](const std::string& name) {
    return R"("labels":{"topology.kubernetes.io/zone":")" + name + "\"}";
  };
  engine.Add({PodText{.name = "z-low"}, PodText{.name = "a-bound", .node = "b"},
              NodeText{.name = "b", .metadata = zone("one")},
              NodeText{.name = "a", .metadata = zone("one")},
              NodeText{.name = "c", .metadata = zone("two")}, PodText{.name = "m", .priority = 5},
              R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}})"});
  EXPECT_EQ(NamesOf(engine.Inspect(R"({"objects":"*"})")),
            "Node/b Node/c Node/a Namespace/default Pod/m Pod/z-low Pod/a-bound ");
}

}  // namespace
}  // namespace stowage
