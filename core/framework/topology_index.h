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

#include "core/framework/existing_terms.h"
#include "core/framework/pod_counts.h"
#include "core/framework/pod_sums.h"
#include "core/framework/topology_column.h"

namespace stowage {

class TopologyIndex {
 public:
  // `max_bytes` bounds the counts and sums that are kept; at least one's always are.
  explicit TopologyIndex(const NodeTable& table, size_t max_bytes = size_t{64} << 20)
      : table_(table), columns_(table), max_bytes_(max_bytes) {}

  std::shared_ptr<TopologyColumn> Column(const Symbol& key) { return columns_.Get(key); }
  // Pods that match every one of `matchers`, of which there is at least one.
  std::shared_ptr<PodCounts> Counts(std::vector<PodMatcher> matchers);
  // The same pods, added up by the values of a topology key.
  std::shared_ptr<PodSums> Sums(const Symbol& key, std::vector<PodMatcher> matchers);
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

  Entry& Refreshed(std::vector<PodMatcher> matchers);
  void Evict();

  const NodeTable& table_;
  TopologyColumns columns_;
  ExistingTerms terms_;
  LabelKeys term_keys_;
  size_t max_bytes_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace stowage
