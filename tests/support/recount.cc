#include "tests/support/recount.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace stowage {
namespace {

struct MatchingPods {
  int64_t all = 0;
  int64_t live = 0;
};

MatchingPods CountMatching(const NodeInfo& node, const std::vector<PodMatcher>& matchers) {
  MatchingPods found;
  for (const PodInfoRef& info : node.pods()) {
    bool matches = std::all_of(matchers.begin(), matchers.end(),
                               [&info](const PodMatcher& one) { return one.Matches(*info->pod); });
    found.all += matches ? 1 : 0;
    found.live += matches && !info->pod->metadata.deletion_timestamp ? 1 : 0;
  }
  return found;
}

// (kind, term, value of its key) → pods.
using CountedTerms = std::map<std::tuple<int, Symbol, Symbol>, int64_t>;

void CountTerms(ExistingTerms::Kind kind, const std::vector<AffinityTerm>& terms,
                const NodeInfo& node, CountedTerms* counted) {
  for (const AffinityTerm& term : terms) {
    const Symbol* value = node.node()->metadata.labels.Find(term.topology_key);
    if (value != nullptr) ++(*counted)[{static_cast<int>(kind), term.identity, *value}];
  }
}

CountedTerms RecountTerms(const Snapshot& snapshot) {
  using Kind = ExistingTerms::Kind;
  CountedTerms counted;
  for (const NodeInfo* node : snapshot.nodes()) {
    for (const PodInfoRef& info : node->pods()) {
      if (info->affinity_terms == nullptr) continue;
      const AffinityTerms& terms = *info->affinity_terms;
      CountTerms(Kind::kRequiredAffinity, terms.required_affinity, *node, &counted);
      CountTerms(Kind::kRequiredAntiAffinity, terms.required_anti_affinity, *node, &counted);
      CountTerms(Kind::kPreferredAffinity, terms.preferred_affinity, *node, &counted);
      CountTerms(Kind::kPreferredAntiAffinity, terms.preferred_anti_affinity, *node, &counted);
    }
  }
  return counted;
}

// A node keeps scalar resources whose sum became 0.
bool SameAmounts(const Resource& kept, const Resource& recounted) {
  if (kept.milli_cpu != recounted.milli_cpu || kept.memory != recounted.memory) return false;
  if (kept.ephemeral_storage != recounted.ephemeral_storage) return false;
  auto covers = [](const Resource& one, const Resource& other) {
    return std::all_of(one.scalars.begin(), one.scalars.end(), [&other](const auto& scalar) {
      return scalar.second == other.Scalar(scalar.first);
    });
  };
  return covers(kept, recounted) && covers(recounted, kept);
}

bool IsTrueOf(const NodeTable& table, const NodeInfo& node) {
  size_t row = node.row();
  return &table.info(row) == &node &&
         table.allocatable_milli_cpu()[row] == node.allocatable().milli_cpu &&
         table.allocatable_memory()[row] == node.allocatable().memory &&
         table.allocatable_ephemeral_storage()[row] == node.allocatable().ephemeral_storage &&
         table.allocatable_pods()[row] == node.allocatable().allowed_pod_number &&
         table.requested_milli_cpu()[row] == node.requested().milli_cpu &&
         table.requested_memory()[row] == node.requested().memory &&
         table.requested_ephemeral_storage()[row] == node.requested().ephemeral_storage &&
         table.non_zero_milli_cpu()[row] == node.non_zero_milli_cpu() &&
         table.non_zero_memory()[row] == node.non_zero_memory() &&
         table.pod_count()[row] == static_cast<int64_t>(node.pods().size()) &&
         (table.has_images()[row] != 0) == !node.image_states().empty() &&
         (table.unschedulable()[row] != 0) == node.node()->spec.unschedulable;
}

}  // namespace

std::string CompareColumn(const Snapshot& snapshot, const Symbol& key, TopologyIndex* index) {
  std::shared_ptr<const TopologyColumn> column = index->Column(key);
  size_t num_missing = 0;
  std::map<uint32_t, size_t> rows;  // by value
  for (const NodeInfo* node : snapshot.nodes()) {
    const Symbol* value = node->node()->metadata.labels.Find(key);
    uint32_t want = value == nullptr ? TopologyColumn::kMissing : column->Find(*value);
    num_missing += value == nullptr ? 1 : 0;
    ++rows[value == nullptr ? TopologyColumn::kEmptyValue : want];
    bool is_numbered = value == nullptr || want < column->num_values();
    if (column->At(node->row()) == want && is_numbered) continue;
    return fmt::format("column {}: {} has value {}, not {}", key.view(), node->name().view(),
                       column->At(node->row()), want);
  }
  for (uint32_t value = 0; value < column->num_values(); ++value) {
    if (column->NumRows(value) == rows[value]) continue;
    return fmt::format("column {}: {} rows are said to have value {}, not {}", key.view(),
                       column->NumRows(value), value, rows[value]);
  }
  auto occurring = static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [](const auto& entry) { return entry.second > 0; }));
  if (column->num_occurring() != occurring) {
    return fmt::format("column {}: {} values are said to occur, not {}", key.view(),
                       column->num_occurring(), occurring);
  }
  if (column->num_missing() == num_missing) return "";
  return fmt::format("column {}: {} rows are said to lack it, not {}", key.view(),
                     column->num_missing(), num_missing);
}

std::string CompareCounts(const Snapshot& snapshot, const std::vector<PodMatcher>& matchers,
                          TopologyIndex* index, size_t* counted) {
  std::shared_ptr<const PodCounts> counts = index->Counts(matchers);
  int64_t total = 0;
  for (const NodeInfo* node : snapshot.nodes()) {
    MatchingPods want = CountMatching(*node, matchers);
    total += want.all;
    size_t row = node->row();
    if (counts->All(row) == want.all && counts->Live(row) == want.live) continue;
    return fmt::format("{}: {} matching pods, {} live; a recount finds {} and {}",
                       node->name().view(), counts->All(row), counts->Live(row), want.all,
                       want.live);
  }
  *counted += static_cast<size_t>(total);
  if (counts->total() == total) return "";
  return fmt::format("{} matching pods in all; a recount finds {}", counts->total(), total);
}

std::string CompareSums(const Snapshot& snapshot, const Symbol& key,
                        const std::vector<PodMatcher>& matchers, TopologyIndex* index) {
  std::shared_ptr<const PodSums> sums = index->Sums(key, matchers);
  std::map<uint32_t, int64_t> want;
  for (const NodeInfo* node : snapshot.nodes()) {
    const Symbol* label = node->node()->metadata.labels.Find(key);
    uint32_t value = sums->column()->Find(label == nullptr ? Symbol() : *label);
    want[value] += CountMatching(*node, matchers).live;
  }
  for (uint32_t value = 0; value < sums->column()->num_values(); ++value) {
    if (sums->Live(value) == want[value]) continue;
    return fmt::format("{}: {} matching live pods with value {}; a recount finds {}", key.view(),
                       sums->Live(value), value, want[value]);
  }
  return "";
}

std::string CompareTerms(const Snapshot& snapshot, TopologyIndex* index) {
  CountedTerms kept;
  for (const ExistingTerms::Entry& entry : index->Terms().entries()) {
    if (entry.num_pods == 0) continue;
    for (const NodeInfo* node : snapshot.nodes()) {
      uint32_t number = entry.column->At(node->row());
      if (entry.pods.At(number) == 0) continue;
      const Symbol* value = node->node()->metadata.labels.Find(entry.term.topology_key);
      if (value == nullptr) return fmt::format("{} has no such key", node->name().view());
      kept[{static_cast<int>(entry.kind), entry.term.identity, *value}] = entry.pods.At(number);
    }
  }
  CountedTerms want = RecountTerms(snapshot);
  if (kept == want) return "";
  return fmt::format("{} (term, value) pairs of placed pods; a recount finds {}, or other numbers",
                     kept.size(), want.size());
}

std::string CompareNodes(const Snapshot& snapshot) {
  for (const NodeInfo* node : snapshot.nodes()) {
    Resource requested;
    int64_t non_zero_milli_cpu = 0;
    int64_t non_zero_memory = 0;
    for (const PodInfoRef& info : node->pods()) {
      requested.Add(info->requests);
      non_zero_milli_cpu += info->non_zero_milli_cpu;
      non_zero_memory += info->non_zero_memory;
    }
    bool is_equal = SameAmounts(node->requested(), requested) &&
                    node->non_zero_milli_cpu() == non_zero_milli_cpu &&
                    node->non_zero_memory() == non_zero_memory;
    if (!is_equal) return fmt::format("{}: its sums are not its pods'", node->name().view());
    if (!IsTrueOf(snapshot.table(), *node)) {
      return fmt::format("{}: its row says something else", node->name().view());
    }
  }
  return "";
}

}  // namespace stowage
