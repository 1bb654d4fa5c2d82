// The answer of Apply: the counts of a batch, and the errors of its items.
#include "core/scheduler/apply_batch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

std::string ScheduleOne(std::string_view pod) {
  return R"({"type":"SCHEDULE_ONE","pod":")" + std::string(pod) + R"("})";
}

TEST(Apply, CountsAppliedItems) {
  Engine engine;
  JsonTree result = engine.Apply(
      {NodeText{"a"}, Event("ADDED", PodText{"p"}), Event("DELETED", PodText{"never seen"})});
  EXPECT_EQ(result["applied"].number(), 3);
  EXPECT_EQ(result["ignored"].number(), 0);
  EXPECT_EQ(result["errors"].size(), 0u);
  EXPECT_EQ(result["unknownKinds"].size(), 0u);
  EXPECT_FALSE(result["resourceVersion"].exists());
  EXPECT_FALSE(result["status"].exists());
  result = engine.Apply({});
  EXPECT_EQ(result["applied"].number(), 0);
}

TEST(Apply, ReportsTheProgressOfAStream) {
  constexpr std::string_view kBookmark =
      R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"90"}}})";
  constexpr std::string_view kEnd =
      R"({"type":"SYNC_END","resource":"pods","resourceVersion":"80"})";
  std::string pod = PodText{.name = "p", .metadata = R"("resourceVersion":"70")"};
  struct {
    std::string_view name;
    std::vector<std::string> lines;
    std::string_view want;
  } cases[] = {
      {"of an object", {pod}, "70"},
      {"of a deleted object", {Event("DELETED", pod)}, "70"},
      {"of a bookmark", {pod, std::string(kBookmark)}, "90"},
      {"of the end of a list", {std::string(kEnd)}, "80"},
      {"the last one", {std::string(kBookmark), std::string(kEnd), pod}, "70"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Engine().Apply(c.lines)["resourceVersion"].text(), c.want) << c.name;
  }
}

TEST(Apply, PassesOnTheStatusOfAnErrorEvent) {
  Engine engine;
  JsonTree result = engine.Apply(
      {R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","code":410,"reason":"Expired"}})"});
  EXPECT_EQ(result["status"]["code"].number(), 410);
  EXPECT_EQ(result["status"]["reason"].text(), "Expired");
}

TEST(Apply, SkipsOnlyTheBadItem) {
  Engine engine;
  JsonTree result =
      engine.Apply({NodeText{"a"}, "{", PodText{.name = "bad", .cpu = "lots"}, PodText{"good"}});
  EXPECT_EQ(result["applied"].number(), 2);
  ASSERT_EQ(result["errors"].size(), 2u);
  EXPECT_EQ(result["errors"][0]["class"].text(), "InputError");
  EXPECT_EQ(result["errors"][0]["code"].text(), "MalformedJson");
  EXPECT_EQ(result["errors"][0]["index"].number(), 1);
  EXPECT_EQ(result["errors"][0]["line"].number(), 2);
  EXPECT_EQ(result["errors"][1]["code"].text(), "FieldValueInvalid");
  EXPECT_EQ(result["errors"][1]["kind"].text(), "Pod");
  EXPECT_EQ(result["errors"][1]["namespace"].text(), "default");
  EXPECT_EQ(result["errors"][1]["name"].text(), "bad");
  EXPECT_EQ(result["errors"][1]["field"].text(), "spec.containers[0].resources.requests[cpu]");
  EXPECT_EQ(result["errors"][1]["index"].number(), 2);
  EXPECT_EQ(engine.Decide(), "good@a ");
}

TEST(Apply, ReportsAnUnknownKindOnce) {
  Engine engine;
  std::string secret = R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}})";
  JsonTree result = engine.Apply({secret, secret, PodText{"p"}});
  EXPECT_EQ(result["ignored"].number(), 2);
  EXPECT_EQ(result["applied"].number(), 1);
  EXPECT_EQ(result["errors"].size(), 0u);
  EXPECT_EQ(result["unknownKinds"].Words(), "v1, Kind=Secret ");
  result = engine.Apply({secret, R"({"apiVersion":"v2","kind":"Secret","metadata":{"name":"s"}})"});
  EXPECT_EQ(result["ignored"].number(), 2);
  EXPECT_EQ(result["unknownKinds"].Words(), "v2, Kind=Secret ");
}

TEST(Apply, RefusesTheUidOfAnotherPod) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .uid = "u"}});
  JsonTree result = engine.Apply(
      {R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"9"}}})",
       "{", PodText{.name = "q", .uid = "u"}, PodText{.name = "p", .uid = "u"}});
  EXPECT_EQ(result["applied"].number(), 1) << "p itself may change";
  ASSERT_EQ(result["errors"].size(), 2u);
  const JsonTree& error = result["errors"][1];
  EXPECT_EQ(error["code"].text(), "FieldValueDuplicate");
  EXPECT_EQ(error["field"].text(), "metadata.uid");
  EXPECT_EQ(error["namespace"].text(), "default");
  EXPECT_EQ(error["name"].text(), "q");
  EXPECT_EQ(error["index"].number(), 2);
  EXPECT_EQ(error["message"].text(),
            "metadata.uid: Duplicate value: \"u\": is the uid of pod default/p");
  EXPECT_EQ(engine.Decide(), "p@a ");
  engine.Add(
      {Event("DELETED", PodText{.name = "p", .uid = "u"}), PodText{.name = "q", .uid = "u"}});
  EXPECT_EQ(engine.Decide(), "q@a ");
}

// An object with several errors is reported by several errors with the same index.
TEST(Apply, CountsItemsNotErrors) {
  Engine engine;
  engine.Add({PodText{.name = "p", .uid = "u"}});
  JsonTree result = engine.Apply({R"({"apiVersion":"v1","kind":"Pod","metadata":{}})",
                                  NodeText{"b"}, R"({"type":"SYNC_BEGIN","resource":"nodes"})",
                                  NodeText{"a"}, R"({"type":"SYNC_END","resource":"nodes"})",
                                  PodText{.name = "q", .uid = "u"}, ScheduleOne("default/none")});
  ASSERT_EQ(result["errors"].size(), 5u) << engine.log();
  for (size_t index = 0; index < 3; ++index) {
    EXPECT_EQ(result["errors"][index]["index"].number(), 0);
  }
  EXPECT_EQ(result["errors"][3]["index"].number(), 5);
  EXPECT_EQ(result["errors"][4]["index"].number(), 6);
}

TEST(ScheduleOne, RefusesPodsThatCannotBeScheduled) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "bound", .node = "a"},
              PodText{.name = "theirs", .scheduler = "other"}});
  struct {
    std::string_view pod;
    std::string_view want_code;
    std::string_view want_field;
    std::string_view want_message;
  } cases[] = {
      {"default/none", "FieldValueInvalid", "pod", "pod: Not found"},
      {"default/bound", "FieldValueInvalid", "pod", "pod: is bound to node \"a\""},
      {"default/theirs", "FieldValueInvalid", "spec.schedulerName",
       "spec.schedulerName: no profile has the name \"other\""},
      {"none", "FieldValueInvalid", "pod", "pod: Invalid value: \"none\": must be namespace/name"},
  };
  for (const auto& c : cases) {
    JsonTree result = engine.Apply({ScheduleOne(c.pod)});
    EXPECT_EQ(result["applied"].number(), 0) << c.pod;
    ASSERT_EQ(result["errors"].size(), 1u) << c.pod;
    EXPECT_EQ(result["errors"][0]["code"].text(), c.want_code) << c.pod;
    EXPECT_EQ(result["errors"][0]["field"].text(), c.want_field) << c.pod;
    EXPECT_EQ(result["errors"][0]["message"].text(), c.want_message) << c.pod;
  }
  EXPECT_EQ(engine.Decide(), "");
}

TEST(ScheduleOne, RunsBeforeTheQueue) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "urgent", .priority = 9}, PodText{"p"}, PodText{"q"},
              ScheduleOne("default/q"), ScheduleOne("default/p")});
  EXPECT_EQ(engine.Decide(1), "q@a ");
  EXPECT_EQ(engine.Decide(), "p@a urgent@a ");
}

TEST(ScheduleOne, SchedulesAnUnschedulablePod) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{.name = "p", .cpu = "9"}});
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
  EXPECT_EQ(engine.Decide(), "");
  EXPECT_EQ(engine.Apply({ScheduleOne("default/p")})["applied"].number(), 1);
  EXPECT_EQ(engine.Decide(), "p:unschedulable ");
}

TEST(ScheduleOne, SkipsAPodThatWasPlacedMeanwhile) {
  Engine engine;
  engine.Add({NodeText{"a"}, PodText{"p"}, ScheduleOne("default/p"), ScheduleOne("default/p")});
  std::vector<JsonTree> records = engine.Run();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0]["node"].text(), "a");
  EXPECT_EQ(records[1]["result"].text(), "skipped");
  EXPECT_EQ(records[1]["message"].text(), "the pod is not pending");
}

}  // namespace
}  // namespace stowage
