// TopologyPairSums adds up something per (topology key, value) pair.
// Counterpart: topologyToMatchedTermCount and scoreMap of framework/plugins/interpodaffinity,
// v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/framework/existing_terms.h"
#include "core/framework/pod_counts.h"
#include "core/framework/topology_column.h"

namespace stowage {

class TopologyPairSums {
 public:
  // The sums of one topology key.
  struct Key {
    std::shared_ptr<const TopologyColumn> column;
    std::vector<int64_t> by_value;

    int64_t At(uint32_t value) const { return value < by_value.size() ? by_value[value] : 0; }
    int64_t AtRow(size_t row) const { return At(column->At(row)); }
    int64_t At(const LabelMap& labels) const {
      const Symbol* value = labels.Find(column->key());
      return value == nullptr ? 0 : At(column->Find(*value));
    }
  };

  const std::vector<Key>& keys() const { return keys_; }
  // Null when nothing was added for the key.
  const Key* Find(const Symbol& topology_key) const {
    for (const Key& key : keys_) {
      if (key.column->key() == topology_key) return &key;
    }
    return nullptr;
  }
  // No pair has a sum other than 0.
  bool empty() const { return num_pairs_ == 0; }

  void Add(const std::shared_ptr<const TopologyColumn>& column, uint32_t value, int64_t amount) {
    Key& key = KeyOf(column);
    if (key.by_value.size() <= value) key.by_value.resize(column->num_values(), 0);
    int64_t& sum = key.by_value[value];
    if (sum != 0) --num_pairs_;
    sum += amount;
    if (sum != 0) ++num_pairs_;
  }
  // Each of the counted pods, at its row's value. Gives whether there was any.
  bool AddPods(const PodCounts& counts, const std::shared_ptr<const TopologyColumn>& column,
               size_t num_rows, int64_t weight) {
    bool has_any = false;
    if (counts.total() == 0) return has_any;
    for (size_t row = 0; row < num_rows; ++row) {
      if (counts.All(row) == 0 || column->At(row) == TopologyColumn::kMissing) continue;
      Add(column, column->At(row), counts.All(row) * weight);
      has_any = true;
    }
    return has_any;
  }
  // Each of the placed pods that carry the term.
  void AddTerm(const ExistingTerms::Entry& entry, int64_t weight) {
    for (uint32_t value = 0; value < entry.pods.size(); ++value) {
      if (entry.pods[value] > 0) Add(entry.column, value, entry.pods[value] * weight);
    }
  }

 private:
  Key& KeyOf(const std::shared_ptr<const TopologyColumn>& column) {
    for (Key& key : keys_) {
      if (key.column->key() == column->key()) return key;
    }
    return keys_.emplace_back(Key{column, {}});
  }

  std::vector<Key> keys_;
  size_t num_pairs_ = 0;
};

}  // namespace stowage
