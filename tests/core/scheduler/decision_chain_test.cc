#include "core/scheduler/decision_chain.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr std::string_view kUid = "1b4e28ba-2fa1-11d2-883f-0016d3cca427";

PodInfoRef Victim(std::string_view uid) {
  return MakePodInfo(MakePod().Name("victim").Uid(uid).Ref(), Features());
}

std::string HashAfter(const ChainedDecision& decision, DecisionChain* chain) {
  std::string hash(DecisionChain::kDigits, ' ');
  chain->Add(decision, 0);
  chain->WriteHashes(&hash);
  return hash;
}

// Goal: the header is enough to compute the same hashes. Method: four decisions whose hashes were
// computed with Python's hashlib and struct; a message of 300 bytes needs two bytes for its size.
TEST(DecisionChain, HashesTheBytesThatTheHeaderNames) {
  const std::string long_message(300, 'x');
  const std::vector<PodInfoRef> victims = {Victim("v1"), Victim("v2")};
  constexpr DecisionResult kFailed = DecisionResult::kUnschedulable;
  struct {
    ChainedDecision decision;
    std::string_view want;
  } cases[] = {
      {{{1772366400, 250'000'000}, DecisionResult::kScheduled, kUid, "node-0"},
       "e0445c07525ed0580b889bf31c664dc8ddb5212300cb419e24c7f862610d3e67"},
      {{{-1, 999'999'000}, kFailed, "u", "", long_message, "node-1", victims},
       "3356e2152f25834290cd7f539d18496e879548ef24137ef2d8598eaec6b3ae67"},
      {{{-1, 999'999'000}, DecisionResult::kError, "u", "", "m"},
       "328192c8d30459c30a892936bf0a182391c3ed469eef08cd9f71867793a7fbba"},
      {{{1772366400, 250'001'000}, DecisionResult::kSkipped, "", "", "skip"},
       "4a4ce80209514979a4e2808f8d3cff7f3a3f3dcd582351ddf7130a8889d9963c"},
  };
  DecisionChain chain;
  EXPECT_EQ(chain.hash(), std::string(64, '0'));
  for (const auto& c : cases) {
    EXPECT_EQ(HashAfter(c.decision, &chain), c.want);
    EXPECT_EQ(chain.hash(), c.want);
  }
}

// Goal: decisions that are hashed together get the hashes of decisions that are hashed one by one,
// each at its place. Method: both, in a text with other characters, after an earlier decision.
TEST(DecisionChain, HashesDecisionsTogether) {
  const std::vector<ChainedDecision> decisions = {
      {{1, 0}, DecisionResult::kScheduled, kUid, "node-0"},
      {{2, 0}, DecisionResult::kUnschedulable, "u", "", std::string_view("no node")},
      {{3, 0}, DecisionResult::kError, "", "", "m"},
  };
  DecisionChain one_by_one;
  DecisionChain together;
  const ChainedDecision earlier{{0, 0}, DecisionResult::kScheduled, "first", "node-1"};
  EXPECT_EQ(HashAfter(earlier, &one_by_one), HashAfter(earlier, &together));

  std::string want;
  std::string text;
  for (const ChainedDecision& decision : decisions) {
    want += "hash:" + HashAfter(decision, &one_by_one) + ";";
    text += "hash:";
    together.Add(decision, text.size());
    text += std::string(DecisionChain::kDigits, '?') + ";";
  }
  EXPECT_EQ(together.num_waiting(), decisions.size());
  together.WriteHashes(&text);
  EXPECT_EQ(text, want);
  EXPECT_EQ(together.num_waiting(), 0u);
  EXPECT_EQ(together.hash(), one_by_one.hash());
}

// Goal: no two decisions have the same bytes. Method: texts with different boundaries.
TEST(DecisionChain, SeparatesTexts) {
  ChainedDecision decisions[] = {
      {{}, DecisionResult::kError, "ab"},
      {{}, DecisionResult::kError, "a", "b"},
      {{}, DecisionResult::kError, "", "ab"},
      {{}, DecisionResult::kError, "", "a", "b"},
      {{}, DecisionResult::kError, "", "", "", "ab"},
  };
  std::vector<std::string> hashes;
  for (const ChainedDecision& decision : decisions) {
    DecisionChain chain;
    std::string hash = HashAfter(decision, &chain);
    for (const std::string& other : hashes) EXPECT_NE(hash, other);
    hashes.push_back(std::move(hash));
  }
}

}  // namespace
}  // namespace stowage
