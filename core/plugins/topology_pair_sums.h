// TopologyPairSums adds up weighted counts by (topology key, value). It refers to the index's sums,
// without copying them; changes by a dry run are kept beside them.
// Counterpart: topologyToMatchedTermCount and scoreMap of framework/plugins/interpodaffinity,
// v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/table/existing_terms.h"
#include "core/table/pod_sums.h"
#include "core/table/topology_column.h"

namespace stowage {

class TopologyPairSums {
 public:
  // The sums of one topology key.
  class Key {
   public:
    explicit Key(std::shared_ptr<const TopologyColumn> column) : column_(std::move(column)) {}

    const TopologyColumn& column() const { return *column_; }
    int64_t At(uint32_t value) const {
      int64_t sum = value < changes_.size() ? changes_[value] : 0;
      for (const WeightedPods& pods : pods_) sum += pods.sums->All(value) * pods.weight;
      for (const WeightedTerm& term : terms_) sum += term.term->pods.At(value) * term.weight;
      return sum;
    }
    int64_t AtRow(size_t row) const { return At(column_->At(row)); }
    int64_t At(const LabelMap& labels) const {
      const Symbol* value = labels.Find(column_->key());
      return value == nullptr ? 0 : At(column_->Find(*value));
    }

   private:
    friend class TopologyPairSums;

    struct WeightedPods {
      std::shared_ptr<const PodSums> sums;
      int64_t weight;
    };
    struct WeightedTerm {
      const ExistingTerms::Entry* term;
      int64_t weight;
    };

    // Whether the sum of any value differs from 0.
    bool HasAny() const {
      if (changes_.empty()) return !pods_.empty() || !terms_.empty();
      for (uint32_t value = 0; value < column_->num_values(); ++value) {
        if (At(value) != 0) return true;
      }
      return false;
    }

    std::shared_ptr<const TopologyColumn> column_;
    std::vector<WeightedPods> pods_;   // each has at least one pod
    std::vector<WeightedTerm> terms_;  // each has at least one pod
    std::vector<int64_t> changes_;     // by value
  };

  const std::vector<Key>& keys() const { return keys_; }
  // Null if nothing was added for the key.
  const Key* Find(const Symbol& topology_key) const {
    size_t place = PlaceOf(topology_key);
    return place == keys_.size() ? nullptr : &keys_[place];
  }
  // True if all sums are 0. Requires that all weights are 1.
  bool empty() const {
    for (const Key& key : keys_) {
      if (key.HasAny()) return false;
    }
    return true;
  }

  void Add(const std::shared_ptr<const TopologyColumn>& column, uint32_t value, int64_t amount) {
    Key& key = KeyOf(column);
    if (key.changes_.size() <= value) key.changes_.resize(column->num_values(), 0);
    CHECK(value < key.changes_.size());
    key.changes_[value] += amount;
  }
  // Adds `weight` for each pod of `sums`, at its row's value. `sums` must not be empty.
  void AddPods(std::shared_ptr<const PodSums> sums, int64_t weight) {
    Key& key = KeyOf(sums->column());
    key.pods_.push_back({std::move(sums), weight});
  }
  // Adds `weight` for each placed pod that carries the term. At least one does, and the term must
  // stay in place for the cycle.
  void AddTerm(const ExistingTerms::Entry& term, int64_t weight) {
    KeyOf(term.column).terms_.push_back({&term, weight});
  }
  // For keys with more than a few terms, adds the terms up once, so that look-ups need not iterate
  // them.
  void AddUpTerms() {
    constexpr size_t kFewTerms = 8;
    for (Key& key : keys_) {
      if (key.terms_.size() <= kFewTerms) continue;
      key.changes_.resize(key.column_->num_values(), 0);
      for (const Key::WeightedTerm& term : key.terms_) {
        term.term->pods.ForEach([&key, &term](uint32_t value, int64_t pods) {
          key.changes_[value] += pods * term.weight;
        });
      }
      key.terms_.clear();
    }
  }

 private:
  // With more keys than this, a hash table finds them: a pod may name any number of keys.
  static constexpr size_t kFewKeys = 16;

  // The index of the key in keys_; keys_.size() if it is new.
  size_t PlaceOf(const Symbol& topology_key) const {
    if (keys_.size() > kFewKeys) {
      auto known = places_.find(topology_key);
      return known == places_.end() ? keys_.size() : known->second;
    }
    size_t place = 0;
    while (place < keys_.size() && keys_[place].column().key() != topology_key) ++place;
    return place;
  }
  Key& KeyOf(const std::shared_ptr<const TopologyColumn>& column) {
    size_t known = PlaceOf(column->key());
    if (known < keys_.size()) return keys_[known];
    keys_.emplace_back(column);
    if (keys_.size() > kFewKeys) {
      for (size_t place = places_.size(); place < keys_.size(); ++place) {
        places_.emplace(keys_[place].column().key(), place);
      }
    }
    return keys_.back();
  }

  std::vector<Key> keys_;
  std::unordered_map<Symbol, size_t, SymbolHash> places_;  // used with more than kFewKeys keys
};

}  // namespace stowage
