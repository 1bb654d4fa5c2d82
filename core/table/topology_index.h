// TopologyIndex answers plugins' questions about pods by topology without walking all pods: the
// values of a topology key, the number of pods that selectors match, the terms of placed pods.
//
// Answers are cached and refreshed from the rows that changed; the cache affects speed only. What
// a cycle holds stays unchanged until the next snapshot is taken.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/step_budget.h"
#include "core/table/existing_terms.h"
#include "core/table/pod_counts.h"
#include "core/table/pod_sums.h"
#include "core/table/topology_column.h"

namespace stowage {

class TopologyIndex {
 public:
  // `max_bytes` bounds the cached counts and sums; the latest selection is always kept. Once
  // `steps` are used up, answers are wrong: the evaluation is refused, and Forget must be called.
  TopologyIndex(const NodeTable& table, StepBudget& steps, size_t max_bytes = size_t{64} << 20)
      : table_(table), steps_(steps), columns_(table), max_bytes_(max_bytes) {}

  std::shared_ptr<TopologyColumn> Column(const Symbol& key) { return columns_.Get(key); }
  // Whether some node has the topology key.
  bool HasKey(const Symbol& key) { return columns_.HasRows(key); }
  // The selected pods by row.
  std::shared_ptr<PodCounts> Counts(PodSelection selection);
  // The selected pods, summed by the values of a topology key.
  std::shared_ptr<PodSums> Sums(const Symbol& key, PodSelection selection);
  // The same for several keys: looks the selection, which may have many matchers, up once.
  std::vector<std::shared_ptr<PodSums>> Sums(const std::vector<Symbol>& keys,
                                             PodSelection selection);
  // The affinity terms of placed pods.
  const ExistingTerms& Terms();
  // The label keys that selectors of placed pods' terms have named.
  const LabelKeys& TermKeys() const { return term_keys_; }
  // Drops everything. Call it when the table is restored to an earlier state, because the change
  // logs do not record that.
  void Forget();

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<PodCounts> counts;
    std::vector<std::shared_ptr<PodSums>> sums;  // few

    size_t bytes() const;
  };

  Entry& Refreshed(PodSelection selection);
  // Null if the counts need no filter, or too few did so far.
  const LabelFilter* FilterFor(const PodCounts& counts);
  std::shared_ptr<PodSums> SumsOf(Entry& entry, const Symbol& key);
  void Evict();

  bool SpendOn(const PodSelection& selection);

  const NodeTable& table_;
  StepBudget& steps_;
  TopologyColumns columns_;
  ExistingTerms terms_;
  LabelKeys term_keys_;
  LabelFilter labels_;
  size_t num_full_reads_ = 0;  // that labels_ could have spared
  size_t max_bytes_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace stowage
