// ExistingTerms holds the affinity terms of all placed pods: each distinct term once, with the
// number of pods that have it by value of its topology key. An incoming pod is compared with terms
// instead of pods. Refresh reads only the rows that changed.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/table/affinity_terms.h"
#include "core/table/label_keys.h"
#include "core/table/topology_column.h"

namespace stowage {

// The number of pods that have a term, by value of a topology column. Most terms have few pods:
// such a term keeps only the values that occur.
class PodsByValue {
 public:
  int64_t At(uint32_t value) const {
    if (by_value_.empty()) return AtFew(value);
    return value < by_value_.size() ? by_value_[value] : 0;
  }
  // `num_values` is TopologyColumn::num_values().
  void Add(uint32_t value, size_t num_values);
  void Remove(uint32_t value);
  // Calls use(value, pods) for each value that has pods.
  template <typename Use>
  void ForEach(const Use& use) const {
    for (const auto& [value, pods] : few_) use(value, int64_t{pods});
    for (uint32_t value = 0; value < by_value_.size(); ++value) {
      if (by_value_[value] != 0) use(value, int64_t{by_value_[value]});
    }
  }

 private:
  int64_t AtFew(uint32_t value) const;
  // The index of the first entry of `few_` whose value is at least `value`.
  size_t PlaceAmongFew(uint32_t value) const;

  std::vector<std::pair<uint32_t, uint32_t>> few_;  // sorted; empty once by_value_ is used
  std::vector<uint32_t> by_value_;
};

class ExistingTerms {
 public:
  enum class Kind : uint8_t {
    kRequiredAffinity,
    kRequiredAntiAffinity,
    kPreferredAffinity,
    kPreferredAntiAffinity,
  };

  // One term. Pods on nodes without the topology key are not counted.
  struct Entry {
    Kind kind;
    AffinityTerm term;
    std::shared_ptr<TopologyColumn> column;
    PodsByValue pods;
    int64_t num_pods = 0;  // 0: the entry is unused and may hold another term later
  };

  const std::vector<Entry>& entries() const { return entries_; }
  // The number of entries with pods.
  size_t num_terms() const { return by_identity_.size(); }
  // Changes when a term comes, goes, or moves to another index of entries().
  uint64_t version() const { return version_; }

  // Reads what changed in `table` since the last call, and adds the label keys that the terms'
  // selectors name to `keys`.
  void Refresh(const NodeTable& table, TopologyColumns& columns, LabelKeys& keys);
  // Resets everything except the version, which rises.
  void Forget();

 private:
  // One pod's share of an entry.
  struct Share {
    uint32_t entry;
    uint32_t value;
  };
  struct Identity {
    Kind kind;
    Symbol term;
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct IdentityHash {
    size_t operator()(const Identity& identity) const {
      return SymbolHash()(identity.term) * 4 + static_cast<size_t>(identity.kind);
    }
  };

  void Follow(const NodeTable& table, TopologyColumns& columns);
  void Move(size_t rows);
  void Clear(size_t rows);
  void Read(const NodeTable& table, size_t row, TopologyColumns& columns);
  void AddPod(const AffinityTerms& terms, size_t row, TopologyColumns& columns);
  void RemovePod(const AffinityTerms& terms, size_t row);
  void AddTerms(Kind kind, const std::vector<AffinityTerm>& terms, size_t row,
                TopologyColumns& columns);
  void FindEntries(Kind kind, const std::vector<AffinityTerm>& terms,
                   std::vector<uint32_t>* entries) const;
  uint32_t EntryOf(Kind kind, const AffinityTerm& term, TopologyColumns& columns);
  void Drop(const Share& share);

  RowReplay replay_;
  uint64_t log_head_ = 0;    // the head of the table's PodLog at the last Refresh
  uint64_t nodes_head_ = 0;  // and of its log of changed Nodes
  std::vector<Entry> entries_;
  std::vector<uint32_t> unused_;  // indexes of entries without pods
  std::unordered_map<Identity, uint32_t, IdentityHash> by_identity_;
  std::vector<std::vector<Share>> shares_;  // by row
  uint64_t version_ = 0;
  uint64_t noted_version_ = 0;  // the version whose label keys were reported
};

}  // namespace stowage
