// TopologyIndex is what plugins ask about pods by topology, so that no decision walks the pods of
// the cluster: the values of a topology key, the pods that selectors match, the terms of placed
// pods.
//
// What is asked for is kept and brought up to date with the rows that changed since; it may change
// speed, never an answer. What a cycle holds stays as it is until the next snapshot is taken.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/step_budget.h"
#include "core/framework/existing_terms.h"
#include "core/framework/pod_counts.h"
#include "core/framework/pod_sums.h"
#include "core/framework/topology_column.h"

namespace stowage {

class TopologyIndex {
 public:
  // `max_bytes` bounds the counts and sums that are kept; at least one's always are. Where `steps`
  // are used up, answers are wrong: the question is refused, and then all has to be forgotten.
  TopologyIndex(const NodeTable& table, StepBudget& steps, size_t max_bytes = size_t{64} << 20)
      : table_(table), steps_(steps), columns_(table), max_bytes_(max_bytes) {}

  std::shared_ptr<TopologyColumn> Column(const Symbol& key) { return columns_.Get(key); }
  // Whether some node has the topology key: where none has, there is nothing to look up.
  bool HasKey(const Symbol& key) { return columns_.HasRows(key); }
  std::shared_ptr<PodCounts> Counts(PodSelection selection);
  // The selected pods, added up by the values of a topology key.
  std::shared_ptr<PodSums> Sums(const Symbol& key, PodSelection selection);
  // The same for several keys; the selection may have many matchers and is looked up once.
  std::vector<std::shared_ptr<PodSums>> Sums(const std::vector<Symbol>& keys,
                                             PodSelection selection);
  const ExistingTerms& Terms();
  // Those that selectors of placed pods' terms have named.
  const LabelKeys& TermKeys() const { return term_keys_; }
  // To be called when the table goes back to what it was: what has been read since is not true any
  // more, and no change log says so.
  void Forget();

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<PodCounts> counts;
    std::vector<std::shared_ptr<PodSums>> sums;  // few

    size_t bytes() const;
  };

  Entry& Refreshed(PodSelection selection);
  std::shared_ptr<PodSums> SumsOf(Entry& entry, const Symbol& key);
  void Evict();

  bool SpendOn(const PodSelection& selection);

  const NodeTable& table_;
  StepBudget& steps_;
  TopologyColumns columns_;
  ExistingTerms terms_;
  LabelKeys term_keys_;
  size_t max_bytes_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace stowage
