// Goal: a cycle waits for extenders and decides by their answers as the reference does (spec 05
// §5.4, §6; 06 §6). Method: an engine whose calls are read, and whose answers are given, as data.
#include "core/scheduler/extender_rounds.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

std::string ExtenderText(std::string_view url, std::string_view more) {
  return R"({"urlPrefix":")" + std::string(url) + R"(","nodeCacheCapable":true,)" +
         std::string(more) + "}";
}

const std::string kFilter = ExtenderText("http://f", R"("filterVerb":"filter")");

std::string Configuration(const std::vector<std::string>& extenders) {
  std::string list;
  for (const std::string& one : extenders) list += (list.empty() ? "" : ",") + one;
  return R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",)"
         R"("extenders":[)" +
         list + "]}";
}

// The output of a turn: its calls with their bodies, then its records except those of bindings.
struct TurnOutput {
  std::vector<std::pair<JsonTree, std::string>> calls;
  std::vector<JsonTree> records;
};

TurnOutput Parse(const std::string& text) {
  TurnOutput turn;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find("\n", begin), text.size());
    JsonTree record = JsonTree::Parse(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    if (record["kind"].text() == "BindingResult") continue;
    if (record["kind"].text() != "Call") {
      turn.records.push_back(std::move(record));
      continue;
    }
    size_t size = std::stoul(record["bodyBytes"].text());
    turn.calls.emplace_back(std::move(record), text.substr(begin, size));
    begin += size;
  }
  return turn;
}

std::string Quoted(std::string_view body) {
  std::string text;
  AppendJsonString(body, &text);
  return text;
}

class ExtenderTest : public testing::Test {
 protected:
  Engine& Start(const std::vector<std::string>& extenders, std::string_view options = "{}") {
    engine_.emplace(options, Configuration(extenders));
    return engine_->Add({NodeText{"a"}, NodeText{"b"}, NodeText{"c"}});
  }
  TurnOutput Turn() { return Parse(engine_->RunText()); }
  // Answers a call and returns the output of the next turn.
  TurnOutput Answer(int call, std::string_view body, int status = 200) {
    engine_->Add({R"({"type":"COMPLETION","call":)" + std::to_string(call) + R"(,"status":)" +
                  std::to_string(status) + R"(,"body":)" + Quoted(body) + "}"});
    return Turn();
  }
  static std::string Verbs(const TurnOutput& turn) {
    std::string verbs;
    for (const auto& [call, body] : turn.calls) verbs += call["url"].text() + " ";
    return verbs;
  }

  std::optional<Engine> engine_;
};

TEST_F(ExtenderTest, FiltersTheNodesThatPassThePlugins) {
  Start({kFilter}).Add({PodText{"p"}});
  TurnOutput turn = Turn();
  ASSERT_EQ(Verbs(turn), "http://f/filter ");
  ASSERT_EQ(turn.records.size(), 1u) << "no decision yet";
  EXPECT_EQ(turn.records[0]["idle"].text(), "true") << "nothing can be done until it answers";
  EXPECT_EQ(turn.records[0]["nextDeadline"].text(), "1000005000000") << "5 s by default";
  const auto& [call, body] = turn.calls[0];
  EXPECT_EQ(call["pod"].text(), "default/p");
  EXPECT_EQ(call["verb"].text(), "filter");
  JsonTree sent = JsonTree::Parse(body);
  EXPECT_EQ(sent["Pod"]["metadata"]["name"].text(), "p");
  EXPECT_EQ(sent["NodeNames"].size(), 3u);
  turn = Answer(1, R"({"NodeNames":["c"],"FailedNodes":{"a":"busy","b":"busy"}})");
  ASSERT_EQ(turn.records.size(), 2u);
  EXPECT_EQ(turn.records[0]["node"].text(), "c");
  EXPECT_EQ(turn.records[0]["evaluatedNodes"].text(), "3");
  EXPECT_EQ(turn.records[1]["nextDeadline"].is_null(), true);
}

TEST_F(ExtenderTest, ReportsWhyNoNodeIsLeft) {
  Start({kFilter}).Add({PodText{"p"}});
  Turn();
  TurnOutput turn = Answer(1, R"({"NodeNames":[],"FailedNodes":{"a":"busy","b":"busy"},)"
                              R"("FailedAndUnresolvableNodes":{"b":"broken"}})");
  const JsonTree& decision = turn.records[0];
  EXPECT_EQ(decision["result"].text(), "unschedulable");
  EXPECT_EQ(decision["message"].text(),
            "0/3 nodes are available: 1 broken, 1 busy. no new claims to deallocate, preemption: "
            "0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption "
            "is not helpful for scheduling.");
  EXPECT_EQ(decision["unschedulablePlugins"][0].text(), "Extender");
}

TEST_F(ExtenderTest, FailsTheCycleUnlessItIsIgnorable) {
  Start({kFilter}).Add({PodText{"p"}});
  Turn();
  TurnOutput turn = Answer(1, "", 500);
  EXPECT_EQ(turn.records[0]["result"].text(), "error");
  EXPECT_EQ(turn.records[0]["message"].text(),
            "failed filter with extender at URL http://f/filter, code 500");
  engine_.reset();
  Start({ExtenderText("http://f", R"("filterVerb":"filter","ignorable":true)")})
      .Add({PodText{"p"}});
  Turn();
  turn = Answer(1, "", 500);
  EXPECT_EQ(turn.records[0]["result"].text(), "scheduled");
}

TEST_F(ExtenderTest, FiltersOneAfterAnother) {
  Start({ExtenderText("http://last", R"("filterVerb":"filter","ignorable":true)"),
         ExtenderText("http://first", R"("filterVerb":"filter")")})
      .Add({PodText{"p"}});
  EXPECT_EQ(Verbs(Turn()), "http://first/filter ");
  TurnOutput turn = Answer(1, R"({"NodeNames":["b","c"]})");
  ASSERT_EQ(Verbs(turn), "http://last/filter ");
  EXPECT_EQ(JsonTree::Parse(turn.calls[0].second)["NodeNames"].size(), 2u);
  turn = Answer(2, R"({"NodeNames":["b"]})");
  EXPECT_EQ(turn.records[0]["node"].text(), "b");
}

TEST_F(ExtenderTest, SkipsExtendersThatAreNotInterested) {
  Start({ExtenderText("http://f", R"("filterVerb":"filter","prioritizeVerb":"score","weight":1,)"
                                  R"("managedResources":[{"name":"example.com/gpu"}])")})
      .Add({PodText{"p"}});
  TurnOutput turn = Turn();
  EXPECT_EQ(Verbs(turn), "");
  EXPECT_EQ(turn.records[0]["result"].text(), "scheduled");
}

TEST_F(ExtenderTest, AddsTheScoresOfParallelCalls) {
  Start({ExtenderText("http://s", R"("prioritizeVerb":"score","weight":2)"),
         ExtenderText("http://t", R"("prioritizeVerb":"score","weight":1)")},
        R"({"detail":"nodes"})")
      .Add({PodText{"p"}});
  EXPECT_EQ(Verbs(Turn()), "http://s/score http://t/score ");
  EXPECT_TRUE(Answer(2, R"([{"Host":"a","Score":3}])").calls.empty());
  TurnOutput turn = Answer(1, R"([{"Host":"a","Score":1},{"Host":"b","Score":10}])");
  const JsonTree& decision = turn.records[0];
  EXPECT_EQ(decision["node"].text(), "b");
  EXPECT_EQ(decision["scores"]["http://s"][0].text(), "20");
  EXPECT_EQ(decision["scores"]["http://s"][1].text(), "200");
  EXPECT_EQ(decision["scores"]["http://s"][2].text(), "0");
  EXPECT_EQ(decision["rawScores"]["http://t"][0].text(), "3");
  EXPECT_EQ(decision["weights"]["http://t"].text(), "10");
}

TEST_F(ExtenderTest, IgnoresFailedScoreCalls) {
  Start({ExtenderText("http://s", R"("prioritizeVerb":"score","weight":2)")}).Add({PodText{"p"}});
  Turn();
  TurnOutput turn = Answer(1, "no JSON");
  EXPECT_EQ(turn.records[0]["result"].text(), "scheduled");
}

// Goal: ties among nodes that an extender scored are broken at random, by seed.
TEST_F(ExtenderTest, DrawsAmongTheNodesItScored) {
  std::set<std::string> hosts;
  for (int seed = 0; seed < 40; ++seed) {
    Start({ExtenderText("http://s", R"("prioritizeVerb":"score","weight":1)")},
          R"({"seed":)" + std::to_string(seed) + "}")
        .Add({PodText{"p"}});
    Turn();
    TurnOutput turn = Answer(1, R"([{"Host":"b","Score":0},{"Host":"c","Score":0}])");
    hosts.insert(turn.records[0]["node"].text());
    engine_.reset();
  }
  EXPECT_EQ(hosts, (std::set<std::string>{"b", "c"})) << "a has 0 for its draw";
}

// Goal: a waiting cycle decides on the cluster as it was, and later input is not lost.
TEST_F(ExtenderTest, KeepsInputThatArrivesDuringACycle) {
  Start({kFilter}).Add({PodText{"p"}});
  Turn();
  engine_->Add({PodText{"q"}, NodeText{"d"}, Event("DELETED", NodeText{"c"}),
                R"({"type":"SCHEDULE_ONE","pod":"default/missing"})"});
  EXPECT_EQ(engine_->Inspect("{}")["cache"]["nodes"].text(), "3");
  TurnOutput turn = Turn();
  EXPECT_TRUE(turn.calls.empty()) << "one cycle at a time";
  turn = Answer(1, R"({"NodeNames":["c"]})");
  ASSERT_EQ(turn.records.size(), 3u);
  EXPECT_EQ(turn.records[0]["node"].text(), "c") << "it was there when the cycle began";
  EXPECT_EQ(turn.records[1]["kind"].text(), "InputError");
  EXPECT_EQ(turn.records[1]["error"]["name"].text(), "missing");
  ASSERT_EQ(turn.calls.size(), 1u) << "the next pod's";
  JsonTree sent = JsonTree::Parse(turn.calls[0].second);
  EXPECT_EQ(sent["Pod"]["metadata"]["name"].text(), "q");
  EXPECT_EQ(sent["NodeNames"].size(), 3u) << "d came, c went";
}

TEST_F(ExtenderTest, TimesOutAtTheDeadline) {
  Start({ExtenderText("http://f", R"("filterVerb":"filter","httpTimeout":"100ms")")})
      .Add({PodText{"p"}});
  Turn();
  engine_->set_now({1'000'000, 100'000'000});
  TurnOutput turn = Turn();
  EXPECT_EQ(turn.records[0]["message"].text(),
            "Post \"http://f/filter\": context deadline exceeded (Client.Timeout exceeded while "
            "awaiting headers)");
  JsonTree late = engine_->Apply({R"({"type":"COMPLETION","call":1,"status":200,"body":"{}"})"});
  EXPECT_EQ(late["ignored"].text(), "1");
}

// Goal: while a cycle waits only its own deadline counts, because nothing else can run before it
// ends.
TEST_F(ExtenderTest, HidesOtherDeadlinesDuringACycle) {
  engine_.emplace(
      "{}",
      Configuration({ExtenderText("http://f", R"("filterVerb":"filter","httpTimeout":"100s")")}));
  engine_->Add({PodText{"early"}});
  EXPECT_EQ(Turn().records.back()["nextDeadline"].text(), "1000002000000") << "its backoff";
  engine_->Add({NodeText{"a"}, PodText{"p"}});
  Turn();
  engine_->set_now({1'000'005, 0});
  JsonTree turn = Turn().records.back();
  EXPECT_EQ(turn["waiting"].text(), "true");
  EXPECT_EQ(turn["nextDeadline"].text(), "1000100000000");
}

TEST_F(ExtenderTest, TakesPartInPreemption) {
  Start({ExtenderText("http://x", R"("preemptVerb":"preempt")")})
      .Add({PodText{"low-a", "4", "a"}, PodText{"low-b", "4", "b"}, PodText{"low-c", "4", "c"},
            PodText{.name = "p", .cpu = "2", .priority = 10}});
  TurnOutput turn = Turn();
  ASSERT_EQ(Verbs(turn), "http://x/preempt ");
  JsonTree sent = JsonTree::Parse(turn.calls[0].second);
  EXPECT_EQ(sent["NodeNameToMetaVictims"]["a"]["Pods"][0]["UID"].text(), "uid-low-a");
  turn = Answer(1, R"({"NodeNameToMetaVictims":{"b":{"Pods":[{"UID":"uid-low-b"}]}}})");
  EXPECT_EQ(turn.records[0]["preemption"]["nominatedNode"].text(), "b");
}

TEST_F(ExtenderTest, MayRemoveAllPreemptionCandidates) {
  struct {
    std::string_view name, more, answer, want;
  } cases[] = {
      {"nothing left", "", R"({"NodeNameToMetaVictims":{}})",
       "preemption: no candidate node for preemption"},
      {"no victims", "", R"({"NodeNameToMetaVictims":{"a":{"Pods":[]}}})",
       "preemption: expected at least one victim pod on node \"a\""},
      {"no victims, ignorable", R"(,"ignorable":true)",
       R"({"NodeNameToMetaVictims":{"a":{"Pods":[]}}})",
       "preemption: no candidate node for preemption"},
  };
  for (const auto& c : cases) {
    Start({ExtenderText("http://x", R"("preemptVerb":"preempt")" + std::string(c.more))})
        .Add({PodText{"low-a", "4", "a"}, PodText{"low-b", "4", "b"}, PodText{"low-c", "4", "c"},
              PodText{.name = "p", .cpu = "2", .priority = 10}});
    Turn();
    TurnOutput turn = Answer(1, c.answer);
    std::string message = turn.records[0]["message"].text();
    EXPECT_NE(message.find(c.want), std::string::npos) << c.name << ": " << message;
    engine_.reset();
  }
}

// Goal: an evaluation receives the answers that it asked for in an earlier try, and never waits.
TEST_F(ExtenderTest, TakesPartInEvaluations) {
  Start({kFilter, ExtenderText("http://s", R"("prioritizeVerb":"score","weight":1)")})
      .Add({PodText{"p"}});
  auto evaluate = [this](const std::string& answers) {
    std::string text;
    EXPECT_TRUE(engine_->EvaluateText(R"({"pod":"default/p","answers":[)" + answers + "]}", &text));
    return Parse(text);
  };
  TurnOutput asked = evaluate("");
  ASSERT_EQ(Verbs(asked), "http://f/filter ");
  std::string answers = R"({"key":")" + asked.calls[0].first["key"].text() +
                        R"(","status":200,"body":)" + Quoted(R"({"NodeNames":["b","c"]})") + "}";
  asked = evaluate(answers);
  ASSERT_EQ(Verbs(asked), "http://s/score ");
  answers += R"(,{"key":")" + asked.calls[0].first["key"].text() +
             R"(","error":"timeout","message":"slow"})";
  TurnOutput done = evaluate(answers);
  ASSERT_TRUE(done.calls.empty());
  EXPECT_EQ(done.records[0]["kind"].text(), "Evaluation");
  EXPECT_EQ(done.records[0]["feasible"].size(), 2u);
  EXPECT_EQ(engine_->Inspect("{}")["queues"]["active"].size(), 1u) << "nothing happened";
}

// Goal: the evaluation of a bound pod during a waiting cycle does not change what the cycle reads.
TEST_F(ExtenderTest, EvaluationsDoNotDisturbAWaitingCycle) {
  const std::string spread =
      R"("topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"kubernetes.io/hostname",)"
      R"("whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"x"}}}])";
  auto node = [](std::string name) {
    return NodeText{.name = name,
                    .metadata = R"("labels":{"kubernetes.io/hostname":")" + name + R"("})"};
  };
  std::string hosts[2];
  for (bool is_asked : {false, true}) {
    engine_.emplace("{}", Configuration({kFilter}));
    engine_->Add(
        {node("a"), node("b"),
         PodText{.name = "o", .cpu = "10m", .node = "a", .metadata = R"("labels":{"app":"x"})"},
         PodText{
             .name = "p", .cpu = "10m", .metadata = R"("labels":{"app":"x"})", .spec = spread}});
    Turn();
    if (is_asked) {
      std::string text;
      engine_->EvaluateText(R"({"pod":"default/o"})", &text);
    }
    TurnOutput turn = Answer(1, R"({"NodeNames":["a","b"]})");
    hosts[is_asked ? 1 : 0] = turn.records[0]["node"].text();
    engine_.reset();
  }
  EXPECT_EQ(hosts[0], "b");
  EXPECT_EQ(hosts[1], "b");
}

}  // namespace
}  // namespace stowage
