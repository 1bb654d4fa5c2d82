#include "core/preemption/pick_node.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/rng.h"
#include "tests/core/preemption/capacity_handle.h"

namespace stowage {
namespace {

constexpr Instant kNow{1000, 0};
constexpr int64_t kNoStart = -1;

struct Victim {
  int32_t priority;
  int64_t start_seconds;
};

PreemptionVictims Candidate(std::string_view node, int64_t violations,
                            std::initializer_list<Victim> victims) {
  PreemptionVictims candidate{Symbol(node), {}, violations};
  for (const Victim& victim : victims) {
    MakePod pod;
    pod.Priority(victim.priority);
    if (victim.start_seconds != kNoStart) pod.StartTime(victim.start_seconds);
    candidate.pods.push_back(MakePodInfo(pod.Ref(), Features()));
  }
  return candidate;
}

// Candidates with their costs, which must outlive them.
struct Rated {
  explicit Rated(const std::vector<const PreemptionVictims*>& victims) {
    for (const PreemptionVictims* one : victims) costs.push_back(CostOf(*one));
    for (size_t at = 0; at < victims.size(); ++at) list.push_back({victims[at], &costs[at]});
  }

  std::vector<PreemptionCost> costs;
  std::vector<PreemptionCandidate> list;
};

std::vector<std::string> Best(const std::vector<const PreemptionVictims*>& victims,
                              std::string* notes = nullptr) {
  Rated rated(victims);
  std::vector<std::string> names;
  for (const PreemptionCandidate& one : BestCandidates(rated.list, kNow, notes)) {
    names.push_back(one.victims->node.str());
  }
  return names;
}

// Goal: each rule decides only if those before it tie; candidates that tie under all rules keep
// their order. With notes, which are written rule by rule, the result is the same.
TEST(BestCandidates, DecidesRuleByRule) {
  constexpr int32_t kLow = std::numeric_limits<int32_t>::min();
  struct {
    std::string_view name;
    std::vector<PreemptionVictims> candidates;
    std::vector<std::string> want;
  } cases[] = {
      {"only one", {Candidate("a", 3, {{1, 1}})}, {"a"}},
      {"1: fewest violations",
       {Candidate("a", 1, {{1, 1}}), Candidate("b", 0, {{9, 1}, {9, 1}}),
        Candidate("c", 2, {{1, 1}})},
       {"b"}},
      {"2: lowest first victim",
       {Candidate("a", 0, {{5, 1}}), Candidate("b", 0, {{4, 1}, {4, 1}}),
        Candidate("c", 0, {{6, 1}})},
       {"b"}},
      {"2: the first victim, not the sum",
       {Candidate("a", 0, {{5, 1}, {-9, 1}}), Candidate("b", 0, {{4, 1}, {4, 1}, {4, 1}})},
       {"b"}},
      {"3: smallest sum",
       {Candidate("a", 0, {{5, 1}, {3, 1}}), Candidate("b", 0, {{5, 1}, {2, 1}})},
       {"b"}},
      {"3: fewer victims cost less, negative priorities included",
       {Candidate("a", 0, {{-1, 1}, {-9, 1}}), Candidate("b", 0, {{-1, 1}})},
       {"b"}},
      {"4: fewest victims",
       {Candidate("a", 0, {{5, 1}, {kLow, 1}}), Candidate("b", 0, {{5, 1}})},
       {"b"}},
      {"5: latest earliest start",
       {Candidate("a", 0, {{5, 10}, {5, 30}}), Candidate("b", 0, {{5, 20}, {5, 20}}),
        Candidate("c", 0, {{5, 19}, {5, 90}})},
       {"b"}},
      {"5: only victims of highest priority count",
       {Candidate("a", 0, {{5, 20}, {4, 1}}), Candidate("b", 0, {{5, 10}, {4, 90}})},
       {"a"}},
      {"5: a missing start is now",
       {Candidate("a", 0, {{5, 999}}), Candidate("b", 0, {{5, kNoStart}}),
        Candidate("c", 0, {{5, 1000}})},
       {"b", "c"}},
      {"a tie keeps the order",
       {Candidate("c", 0, {{5, 1}}), Candidate("a", 0, {{5, 1}}), Candidate("x", 1, {{5, 1}}),
        Candidate("b", 0, {{5, 1}})},
       {"c", "a", "b"}},
  };
  for (const auto& c : cases) {
    std::vector<const PreemptionVictims*> candidates;
    for (const PreemptionVictims& candidate : c.candidates) candidates.push_back(&candidate);
    std::string notes;
    EXPECT_EQ(Best(candidates), c.want) << c.name;
    EXPECT_EQ(Best(candidates, &notes), c.want) << c.name;
  }
}

// Goal: the notes list the criteria with all amounts, up to the one that decides, and a final tie.
TEST(BestCandidates, NotesTheAppliedCriteria) {
  const PreemptionVictims a = Candidate("a", 1, {{1, 1}});
  const PreemptionVictims b = Candidate("b", 0, {{2, 20}});
  const PreemptionVictims c = Candidate("c", 0, {{2, 10}});
  std::string notes;
  Best({&a, &b, &c}, &notes);
  EXPECT_EQ(
      notes,
      R"({"nodes":["a","b","c"],"criteria":[)"
      R"({"criterion":"fewest PDB violations","amounts":[1,0,0],"left":["b","c"]},)"
      R"({"criterion":"lowest priority of the most important victim","amounts":[1,2,2],)"
      R"("left":["b","c"]},)"
      R"({"criterion":"lowest sum of priorities, 2³¹ added to each",)"
      R"("amounts":[2147483649,2147483650,2147483650],"left":["b","c"]},)"
      R"({"criterion":"fewest victims","amounts":[1,1,1],"left":["b","c"]},)"
      R"({"criterion":"latest start of the most important victims","amounts":)"
      R"(["1970-01-01T00:00:01Z","1970-01-01T00:00:20Z","1970-01-01T00:00:10Z"],"left":["b"]}]})");
  notes.clear();
  Best({&b, &b}, &notes);
  EXPECT_TRUE(
      notes.ends_with(R"({"criterion":"the first that was met","amounts":[],"left":["b"]}]})"));
  notes.clear();
  Best({&a}, &notes);
  EXPECT_EQ(notes, R"({"nodes":["a"],"criteria":[]})");
}

// Goal: a search that keeps only the best candidate, and counts those that tie with it together,
// chooses like one that keeps all. Method: seeded candidates of few costs, some of them unlike all
// others.
TEST(CandidateSearch, KeepsTheFirstOfTheBest) {
  size_t num_counted = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed);
    std::vector<PreemptionVictims> victims;
    bool are_clean = rng.Below(2) == 0;
    for (size_t at = rng.Below(60) + 1; at > 0; --at) {
      int64_t violations = are_clean ? 0 : static_cast<int64_t>(rng.Below(2));
      Victim victim{static_cast<int32_t>(rng.Below(8) / 6), static_cast<int64_t>(rng.Below(8) / 6)};
      victims.push_back(Candidate("n" + std::to_string(at), violations, {victim}));
    }
    std::vector<const PreemptionVictims*> addresses;
    for (const PreemptionVictims& one : victims) addresses.push_back(&one);
    Rated rated(addresses);
    size_t want = rng.Below(40) + 1;
    CandidateSearch plain(want, true, kNow);
    CandidateSearch search(want, false, kNow);
    const PreemptionCost common = rated.costs[rng.Below(rated.costs.size())];
    for (const PreemptionCandidate& one : rated.list) {
      if (plain.HasEnough()) break;
      plain.Add(one);
      if (search.OnlyCounts(common) && *one.cost == common) {
        search.Count(1);
        ++num_counted;
      } else {
        search.Add(one);
      }
      ASSERT_EQ(search.HasEnough(), plain.HasEnough()) << "seed " << seed;
    }
    const PreemptionCandidate want_first = BestCandidates(plain.Take(), kNow).front();
    ASSERT_EQ(BestCandidates(search.Take(), kNow).front().victims, want_first.victims)
        << "seed " << seed;
  }
  EXPECT_GT(num_counted, 500u);
}

// Goal: start times are compared to the nanosecond.
TEST(BestCandidates, ComparesNanoseconds) {
  auto with_start = [](std::string_view node, Instant start) {
    Pod pod = MakePod();
    pod.status.start_time = start;
    PodInfoRef info = MakePodInfo(std::make_shared<const Pod>(pod), Features());
    return PreemptionVictims{Symbol(node), {info}, 0};
  };
  const PreemptionVictims earlier = with_start("a", {5, 1});
  const PreemptionVictims later = with_start("b", {5, 2});
  EXPECT_EQ(Best({&earlier, &later}), std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace stowage
