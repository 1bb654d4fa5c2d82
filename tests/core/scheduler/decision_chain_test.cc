#include "core/scheduler/decision_chain.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/config/features.h"
#include "tests/support/make_pod.h"

namespace stowage {
namespace {

constexpr std::string_view kUid = "1b4e28ba-2fa1-11d2-883f-0016d3cca427";

PodInfoRef Victim(std::string_view uid) {
  return MakePodInfo(MakePod().Name("victim").Uid(uid).Ref(), Features());
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
    chain.Add(c.decision);
    EXPECT_EQ(chain.hash(), c.want);
  }
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
    chain.Add(decision);
    for (const std::string& other : hashes) EXPECT_NE(chain.hash(), other);
    hashes.emplace_back(chain.hash());
  }
}

}  // namespace
}  // namespace stowage
