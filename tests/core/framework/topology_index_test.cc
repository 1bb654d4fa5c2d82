#include "core/framework/topology_index.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/random_cluster.h"

namespace stowage {
namespace {

constexpr std::string_view kKeys[] = {"zone", "kubernetes.io/hostname", "disk"};

PodMatcher Matching(std::string_view app) {
  return {{Symbol("default")}, false, Selector::FromSet({{"app", app}})};
}

// A cluster in motion, and what a walk over all of its pods finds.
class IndexUnderChange {
 public:
  explicit IndexUnderChange(uint64_t seed, size_t max_bytes)
      : random_(seed), index_(snapshot_.table(), max_bytes) {
    for (size_t count = 2 + random_.rng().Below(90); count > 0; --count) AddNode();
  }

  void Change() {
    switch (random_.rng().Below(8)) {
      case 0:
        if (random_.rng().Below(4) == 0) AddNode();
        break;
      case 1:
        Relabel();
        break;
      case 2:
      case 3:
        RemovePod();
        break;
      default:
        AddPod();
    }
  }

  void Check() {
    if (!pods_.empty() && random_.rng().Below(4) == 0) Ask();
    cache_.UpdateSnapshot(&snapshot_);
    CheckAll();
  }

 private:
  // A question in which a pod is gone, and after which the table is what it was before.
  void Ask() {
    PodInfoRef taken_off = cache_.GetPod(pods_[random_.rng().Below(pods_.size())]->metadata.uid);
    Cache::Question question = cache_.BeginQuestion(taken_off.get(), &snapshot_);
    CheckAll();
    cache_.EndQuestion(std::move(question), &snapshot_);
  }

  void CheckAll() {
    for (std::string_view key : kKeys) CheckColumn(Symbol(key));
    CheckCounts({Matching("web")});
    CheckCounts({Matching("db")});
    CheckCounts({Matching("web"), {{}, true, Selector::FromSet({{"level", "1"}})}});
    CheckTerms();
  }

  void AddNode() {
    std::string name = "n" + std::to_string(next_node_++);
    nodes_.push_back(std::make_shared<const Node>(random_.RandomNode(name)));
    cache_.AddNode(nodes_.back());
  }

  void Relabel() {
    NodeRef& node = nodes_[random_.rng().Below(nodes_.size())];
    auto changed = std::make_shared<const Node>(random_.RandomNode(node->metadata.name.view()));
    cache_.UpdateNode(*node, changed);
    node = changed;
  }

  void AddPod() {
    Pod pod = random_.RandomPod("p" + std::to_string(next_pod_++));
    pod.spec.node_name = nodes_[random_.rng().Below(nodes_.size())]->metadata.name;
    if (random_.rng().Below(6) == 0) pod.metadata.deletion_timestamp = Instant{1, 0};
    pods_.push_back(std::make_shared<const Pod>(std::move(pod)));
    ASSERT_TRUE(cache_.AddPod(MakePodInfo(pods_.back(), features_)).IsSuccess());
  }

  void RemovePod() {
    if (pods_.empty()) return;
    size_t at = random_.rng().Below(pods_.size());
    ASSERT_TRUE(cache_.RemovePod(*pods_[at]).IsSuccess());
    pods_.erase(pods_.begin() + static_cast<ptrdiff_t>(at));
  }

  void CheckColumn(const Symbol& key) {
    std::shared_ptr<const TopologyColumn> column = index_.Column(key);
    for (const NodeInfo* node : snapshot_.nodes()) {
      const Symbol* value = node->node()->metadata.labels.Find(key);
      uint32_t want = value == nullptr ? TopologyColumn::kMissing : column->Find(*value);
      ASSERT_EQ(column->At(node->row()), want);
      ASSERT_EQ(want == TopologyColumn::kMissing, value == nullptr);
      ASSERT_TRUE(value == nullptr || want < column->num_values());
    }
  }

  void CheckCounts(const std::vector<PodMatcher>& matchers) {
    std::shared_ptr<const PodCounts> counts = index_.Counts(matchers);
    int64_t total = 0;
    for (const NodeInfo* node : snapshot_.nodes()) {
      int64_t all = 0;
      int64_t live = 0;
      for (const PodInfoRef& info : node->pods()) {
        bool matches = true;
        for (const PodMatcher& matcher : matchers) matches &= matcher.Matches(*info->pod);
        all += matches ? 1 : 0;
        live += matches && !info->pod->metadata.deletion_timestamp ? 1 : 0;
      }
      ASSERT_EQ(counts->All(node->row()), all);
      ASSERT_EQ(counts->Live(node->row()), live);
      total += all;
    }
    ASSERT_EQ(counts->total(), total);
  }

  // (kind, term, value of its key) → pods.
  using Counted = std::map<std::tuple<int, Symbol, Symbol>, int64_t>;

  static void Count(int kind, const std::vector<AffinityTerm>& terms, const LabelMap& labels,
                    Counted* counted) {
    for (const AffinityTerm& term : terms) {
      const Symbol* value = labels.Find(term.topology_key);
      if (value != nullptr) ++(*counted)[{kind, term.identity, *value}];
    }
  }

  void CheckTerms() {
    Counted want;
    for (const NodeInfo* node : snapshot_.nodes()) {
      for (const PodInfoRef& info : node->pods_with_affinity()) {
        const LabelMap& labels = node->node()->metadata.labels;
        Count(0, info->affinity_terms->required_affinity, labels, &want);
        Count(1, info->affinity_terms->required_anti_affinity, labels, &want);
        Count(2, info->affinity_terms->preferred_affinity, labels, &want);
        Count(3, info->affinity_terms->preferred_anti_affinity, labels, &want);
      }
    }
    Counted actual;
    for (const ExistingTerms::Entry& entry : index_.Terms().entries()) {
      if (entry.num_pods == 0) continue;
      for (const NodeInfo* node : snapshot_.nodes()) {
        uint32_t number = entry.column->At(node->row());
        if (number >= entry.pods.size() || entry.pods[number] == 0) continue;
        const Symbol* value = node->node()->metadata.labels.Find(entry.term.topology_key);
        actual[{static_cast<int>(entry.kind), entry.term.identity, *value}] = entry.pods[number];
      }
    }
    ASSERT_EQ(actual, want);
  }

  RandomCluster random_;
  Features features_;
  Cache cache_;
  Snapshot snapshot_;
  TopologyIndex index_;
  std::vector<NodeRef> nodes_;
  std::vector<PodRef> pods_;
  size_t next_node_ = 0;
  size_t next_pod_ = 0;
};

// Goal: what is kept is what a recount finds. Method: random changes, a comparison after a few,
// with room for all counts and for one.
TEST(TopologyIndex, EqualsARecount) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    IndexUnderChange cluster(seed, seed % 2 == 0 ? 1 : size_t{1} << 20);
    for (size_t step = 0; step < 60; ++step) {
      for (size_t change = 0; change < 1 + seed % 5; ++change) cluster.Change();
      cluster.Check();
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace stowage
