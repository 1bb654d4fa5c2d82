#include "core/scheduler/record_log.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/core/scheduler/json_tree.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

ScheduleResult PlacedOn(std::string_view node) {
  ScheduleResult result;
  result.host = Symbol(node);
  return result;
}

std::string TakeFrom(RecordLog* log) {
  std::string text;
  log->TakeInto(&text);
  return text;
}

JsonTree OneRecord(RecordLog* log) {
  std::string text = TakeFrom(log);
  EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
  return JsonTree::Parse(std::string_view(text).substr(0, text.size() - 1));
}

// The hash after one decision about a pod.
std::string HashOf(Instant at, const Pod& pod, const ScheduleResult& result) {
  RecordLog log({});
  log.set_now(at);
  Snapshot snapshot;
  log.WriteDecision({pod, 1, "active", {}, result}, snapshot);
  return log.hash();
}

TEST(RecordLog, HashesCoverTheDecision) {
  MakePod p = MakePod().Name("p");
  std::string hash = HashOf({5, 0}, p, PlacedOn("a"));
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(HashOf({5, 0}, p, PlacedOn("a")), hash);
  EXPECT_EQ(HashOf({5, 0}, MakePod(p).Label("k", "v"), PlacedOn("a")), hash);
  EXPECT_NE(HashOf({6, 0}, p, PlacedOn("a")), hash);
  EXPECT_NE(HashOf({5, 0}, p, PlacedOn("b")), hash);
  EXPECT_NE(HashOf({5, 0}, MakePod(p).Uid("q"), PlacedOn("a")), hash);
  EXPECT_NE(HashOf({5, 0}, MakePod(p).NominatedNodeName("a"), PlacedOn("a")), hash);
  ScheduleResult failed;
  failed.status = Status::Unschedulable("x");
  std::string failed_hash = HashOf({5, 0}, p, failed);
  failed.message = "x";
  EXPECT_NE(HashOf({5, 0}, p, failed), failed_hash);
}

// Goal: each record of a turn has the hash of its decision. Method: more decisions than are hashed
// together, with other records between them, taken at once and one by one.
TEST(RecordLog, HashesEachDecisionOfATurn) {
  RecordLog at_once({});
  RecordLog one_by_one({});
  Snapshot snapshot;
  std::string want;
  for (int number = 0; number < 150; ++number) {
    const Pod pod = MakePod().Name("p").Uid(std::to_string(number));
    const ScheduleResult result = PlacedOn("a");
    for (RecordLog* log : {&at_once, &one_by_one}) {
      uint64_t decision = log->WriteDecision({pod, 1, "active", {}, result}, snapshot);
      if (number % 2 == 0) log->WriteBinding({decision, pod, Symbol("a")});
    }
    want += TakeFrom(&one_by_one);
    if (number == 100) {
      EXPECT_EQ(at_once.hash(), one_by_one.hash());
    }
  }
  EXPECT_EQ(TakeFrom(&at_once), want);
  EXPECT_EQ(at_once.hash(), one_by_one.hash());
}

// Goal: members that are written as one text follow their values. Method: change one value after
// the other; a log without an earlier record writes the same members.
TEST(RecordLog, RepeatedMembersFollowTheirValues) {
  RecordLog log({});
  Snapshot snapshot;
  auto members_of = [&snapshot](RecordLog* one, const DecisionRecord& record) {
    one->WriteDecision(record, snapshot);
    std::string text = TakeFrom(one);
    return text.substr(text.find("\"pod\""), text.find("\"hash\"") - text.find("\"pod\""));
  };
  std::set<std::string> written;
  for (int change = 0; change < 16; ++change) {
    MakePod pod = MakePod().Name("p").SchedulerName(change == 1 ? "other" : "default-scheduler");
    if (change == 2) pod.NominatedNodeName("b");
    ScheduleResult result = PlacedOn("a");
    result.num_all_nodes = change == 3 ? 4 : 3;
    result.evaluated_nodes = change == 4 ? 3 : 2;
    result.feasible_nodes = change == 5 ? 2 : 1;
    if (change == 6) result.nominated_node_name = Symbol("b");
    if (change == 7) result.status = Status::Unschedulable("x");
    if (change == 8) result.hint = Symbol("a");
    const Pod object = pod;
    const DecisionRecord record{object,
                                change == 9 ? 2u : 1u,
                                change == 10   ? "backoff"
                                : change == 11 ? ""
                                               : "active",
                                {},
                                result};
    RecordLog anew({});
    const std::string members = members_of(&log, record);
    EXPECT_EQ(members, members_of(&anew, record)) << change;
    written.insert(members);
  }
  EXPECT_EQ(written.size(), 12u);
}

TEST(RecordLog, HashesAreChained) {
  RecordLog log({});
  Snapshot snapshot;
  Pod pod = MakePod().Name("p");
  EXPECT_EQ(log.hash(), std::string(64, '0'));
  ScheduleResult result = PlacedOn("a");
  std::vector<std::string> hashes;
  for (int count = 0; count < 3; ++count) {
    log.WriteDecision({pod, 1, "active", {}, result}, snapshot);
    JsonTree record = OneRecord(&log);
    EXPECT_EQ(record["hash"].text(), log.hash());
    hashes.push_back(record["hash"].text());
  }
  EXPECT_NE(hashes[0], hashes[1]);
  EXPECT_NE(hashes[1], hashes[2]);
}

// Goal: the chain covers decisions only; other records leave it unchanged.
TEST(RecordLog, OnlyAttemptsAreHashed) {
  RecordLog log({true, true});
  Snapshot snapshot;
  Pod pod = MakePod().Name("p");
  QueuedPodInfo queued;
  queued.pod_info = MakePodInfo(std::make_shared<const Pod>(pod), Features());
  queued.last_move = QueueMove{Symbol("NodeAdd"), Symbol("P"), "Queue", "active", {}};
  ScheduleResult none;
  log.WriteEvent(pod, {false, "r", "a", "n"});
  log.WriteMove(queued, "unschedulable");
  log.WriteInconsistency("AddPod", ObjectKey::Of(pod.metadata), "m");
  log.WriteBinding({1, pod, Symbol("a")});
  log.WriteDecision({pod, 0, {}, Status::Unschedulable("g"), none}, snapshot);
  log.WriteSkipped(ObjectKey::Of(pod.metadata), nullptr, "m");
  EXPECT_EQ(log.hash(), std::string(64, '0'));
  log.WriteSkipped(ObjectKey::Of(pod.metadata), &queued, "m");
  EXPECT_NE(log.hash(), std::string(64, '0'));
}

TEST(RecordLog, ReturnsTheRecordsSinceTheLastCall) {
  RecordLog log({});
  std::string text;
  for (std::string_view before : {"", "before\n"}) {
    for (std::string_view name : {"a", "b"}) {
      log.WriteInconsistency("AddPod", {Symbol(), Symbol(name)}, "m");
      text = before;
      log.TakeInto(&text);
      EXPECT_TRUE(text.starts_with(std::string(before) + "{")) << text;
      EXPECT_EQ(text.find('\n', before.size()), text.size() - 1) << text;
      EXPECT_NE(text.find("\"object\":\"" + std::string(name)), std::string::npos) << text;
    }
  }
}

TEST(RecordLog, WritesTheTimeOfTheTurn) {
  RecordLog log({});
  for (int64_t second : {5, 5, 7}) {
    log.set_now({second, 0});
    log.WriteInconsistency("AddPod", {Symbol(), Symbol("p")}, "m");
    EXPECT_EQ(OneRecord(&log)["at"].text(),
              "1970-01-01T00:00:0" + std::to_string(second) + ".000000Z");
  }
}

TEST(RecordLog, WritesEventsAndMovesOnRequest) {
  for (bool is_kept : {false, true}) {
    RecordLog log({is_kept, is_kept});
    Pod pod = MakePod().Name("p");
    QueuedPodInfo queued;
    queued.pod_info = MakePodInfo(std::make_shared<const Pod>(pod), Features());
    queued.last_move = QueueMove{Symbol("NodeAdd"), Symbol("P"), "Queue", "backoff", {}};
    queued.gating_plugin = Symbol("G");
    log.WriteMove(queued, "unschedulable");
    if (is_kept) {
      JsonTree move = OneRecord(&log);
      EXPECT_EQ(move["kind"].text(), "QueueMove");
      EXPECT_EQ(move["event"].text(), "NodeAdd");
      EXPECT_EQ(move["plugin"].text(), "P");
      EXPECT_EQ(move["hint"].text(), "Queue");
      EXPECT_EQ(move["from"].text(), "unschedulable");
      EXPECT_EQ(move["to"].text(), "backoff");
      EXPECT_EQ(move["gatingPlugin"].text(), "G");
    }
    log.WriteEvent(pod, {true, "r", "a", "n", "default/q"});
    if (is_kept) {
      JsonTree event = OneRecord(&log);
      EXPECT_EQ(event["type"].text(), "Warning");
      EXPECT_EQ(event["related"].text(), "default/q");
      EXPECT_EQ(event["seq"].number(), 2);
    }
    EXPECT_EQ(TakeFrom(&log), "");
  }
}

TEST(RecordLog, NamesTheResult) {
  Pod pod = MakePod().Name("p");
  struct {
    Status gated;
    Status status;
    std::string_view want;
  } cases[] = {
      {Status::Success(), Status::Success(), "scheduled"},
      {Status::Success(), Status::Unschedulable("x"), "unschedulable"},
      {Status::Success(), Status::UnschedulableAndUnresolvable("x"), "unschedulable"},
      {Status::Success(), Status::Error("x"), "error"},
      {Status::Unschedulable("x"), Status::Success(), "gated"},
  };
  for (const auto& c : cases) {
    ScheduleResult result;
    result.status = c.status;
    EXPECT_EQ(ResultName({pod, 1, {}, c.gated, result}), c.want);
  }
}

TEST(RecordLog, NamesObjectsWithAndWithoutNamespace) {
  RecordLog log({});
  log.WriteInconsistency("RemoveNode", {Symbol(), Symbol("a")}, "m");
  EXPECT_EQ(OneRecord(&log)["object"].text(), "a");
  log.WriteInconsistency("AddPod", {Symbol("default"), Symbol("p")}, "m");
  EXPECT_EQ(OneRecord(&log)["object"].text(), "default/p");
}

}  // namespace
}  // namespace stowage
