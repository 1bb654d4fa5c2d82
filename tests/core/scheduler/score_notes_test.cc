// Goal: an evaluation explains the requested scores, and how preemption picks a node; without the
// option it does not. Method: small clusters, and the text of the members.
#include "core/scheduler/score_notes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/scheduler/engine.h"

namespace stowage {
namespace {

JsonTree Evaluate(Engine& engine, std::string_view options, const std::string& pod) {
  return engine.Evaluate(options, pod);
}

// "node/plugin " of each note.
std::string Noted(const JsonTree& evaluation) {
  std::string text;
  for (const JsonTree& one : evaluation["scoreNotes"].items()) {
    text += one["node"].text() + "/" + one["plugin"].text() + " ";
  }
  return text;
}

TEST(ScoreNotes, ExplainsTheSelectedScore) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{.name = "b", .allocatable = R"("cpu":"8","pods":"9")"}});
  JsonTree evaluation =
      Evaluate(engine, R"({"scoreNotes":{"plugin":"NodeResourcesFit","node":"b"}})", PodText{"p"});
  ASSERT_EQ(Noted(evaluation), "b/NodeResourcesFit ");
  const JsonTree& note = evaluation["scoreNotes"][0];
  EXPECT_EQ(note["raw"]["lines"].items().back().text(), "(87 × 1) / 1 = 87");
  EXPECT_EQ(note["raw"]["value"].number(), 87);
  EXPECT_EQ(note["normalized"]["lines"].Words(), "87: the scores are not normalized ");
  EXPECT_EQ(note["normalized"]["value"].number(), 87);
  EXPECT_EQ(note["weight"].number(), 1);
  EXPECT_EQ(note["weighted"].number(), 87);
}

TEST(ScoreNotes, CoversEveryPluginAndNodeByDefaultTheBestNodeFirst) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{.name = "b", .allocatable = R"("cpu":"8","pods":"9")"}});
  JsonTree evaluation = Evaluate(engine, R"({"scoreNotes":{}})", PodText{"p"});
  const std::vector<JsonTree>& notes = evaluation["scoreNotes"].items();
  ASSERT_EQ(notes.size(), 2 * evaluation["rawScores"].size());
  EXPECT_EQ(notes.front()["node"].text(), evaluation["node"].text());
  size_t compared = 0;
  for (const JsonTree& note : notes) {
    size_t position = note["node"].text() == "a" ? 0 : 1;
    const std::string& plugin = note["plugin"].text();
    EXPECT_EQ(note["raw"]["value"].number(), evaluation["rawScores"][plugin][position].number());
    EXPECT_EQ(note["weighted"].number(), evaluation["scores"][plugin][position].number());
    EXPECT_EQ(note["normalized"]["value"].number() * note["weight"].number(),
              note["weighted"].number());
    ++compared;
  }
  EXPECT_GT(compared, 8u);
  EXPECT_EQ(Noted(Evaluate(engine, R"({"scoreNotes":{"plugin":"none"}})", PodText{"p"})), "");
  EXPECT_FALSE(Evaluate(engine, "{}", PodText{"p"})["scoreNotes"].exists());
}

TEST(ScoreNotes, CountsNodesBeyondTheLimit) {
  Engine engine;
  std::vector<std::string> nodes;
  for (size_t index = 0; index < 130; ++index) {
    nodes.push_back(NodeText{"n" + std::to_string(index)});
  }
  engine.Add(nodes);
  JsonTree evaluation = Evaluate(
      engine, R"({"scoreNotes":{"plugin":"NodeResourcesFit"},"everyNode":true})", PodText{"p"});
  size_t feasible = evaluation["feasible"].size();
  ASSERT_GE(feasible, 100u);
  EXPECT_EQ(evaluation["scoreNotes"].size(), 100u);
  EXPECT_EQ(evaluation["scoreNotesOmitted"].number(), static_cast<int64_t>(feasible) - 100);
}

TEST(ScoreNotes, OmitsASingleNodeThatIsNotScored) {
  Engine engine;
  engine.Add({NodeText{"a"}});
  EXPECT_FALSE(Evaluate(engine, R"({"scoreNotes":{}})", PodText{"p"})["scoreNotes"].exists());
}

TEST(ScoreNotes, IsRefusedWithASummary) {
  Engine engine;
  JsonTree error =
      engine.Evaluate(R"({"detail":"summary","scoreNotes":{}})", std::string(PodText{"p"}), false);
  EXPECT_EQ(error["field"].text(), "scoreNotes");
}

TEST(PickNotes, ListsTheCriteriaUpToTheOneThatDecides) {
  Engine engine;
  engine.Add({NodeText{"a"}, NodeText{"b"}, NodeText{"c"},
              PodText{.name = "r1", .cpu = "4", .node = "a", .priority = 5},
              PodText{.name = "r2", .cpu = "4", .node = "b", .priority = 3},
              PodText{.name = "r3", .cpu = "2", .node = "c", .priority = 3},
              PodText{.name = "r4", .cpu = "2", .node = "c", .priority = 3}});
  std::string pod = PodText{.name = "p", .cpu = "4", .priority = 9};
  engine.Add({Event("ADDED", pod)});
  JsonTree evaluation = engine.Evaluate(R"({"pod":"default/p","scoreNotes":{}})");
  EXPECT_EQ(evaluation["preemption"]["nominatedNode"].text(), "b");
  const JsonTree& notes = evaluation["pickNotes"];
  ASSERT_EQ(notes["nodes"].size(), 3u);
  ASSERT_EQ(notes["criteria"].size(), 3u);
  EXPECT_EQ(notes["criteria"][0]["criterion"].text(), "fewest PDB violations");
  EXPECT_EQ(notes["criteria"][0]["left"].size(), 3u);
  EXPECT_EQ(notes["criteria"][1]["left"].size(), 2u);
  EXPECT_EQ(notes["criteria"][1]["amounts"].size(), 3u);
  EXPECT_EQ(notes["criteria"][2]["left"].Words(), "b ");
  EXPECT_FALSE(engine.Evaluate(R"({"pod":"default/p"})")["pickNotes"].exists());
}

}  // namespace
}  // namespace stowage
