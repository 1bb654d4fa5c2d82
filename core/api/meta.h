// Object metadata and the small types that all kinds share: labels, owner references, label
// selectors.
//
// Only fields that the scheduler reads are kept (spec 01 §2–§4). Texts are Symbols, so equality is
// one comparison. `std::optional` marks fields for which absent (null) and empty differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/shared.h"
#include "core/api/sorted_entries.h"
#include "core/base/instant.h"
#include "core/base/symbol.h"

namespace stowage {

// A map from text to text (labels, annotations, node selectors), sorted by key, keys unique.
class LabelMap {
 public:
  using Entry = std::pair<Symbol, Symbol>;

  LabelMap() = default;
  LabelMap(std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
    for (const auto& [key, value] : entries) Set(Symbol(key), Symbol(value));
  }

  // Adds or replaces a value.
  void Set(Symbol key, Symbol value) {
    std::vector<Entry>& entries = entries_.Mutable();
    auto place =
        std::lower_bound(entries.begin(), entries.end(), key,
                         [](const Entry& entry, const Symbol& k) { return entry.first < k; });
    if (place != entries.end() && place->first == key) {
      place->second = std::move(value);
    } else {
      entries.insert(place, {std::move(key), std::move(value)});
    }
  }

  // Sets all of `entries`, given in any order, and clears it; for equal keys the last one counts.
  void SetAll(std::vector<Entry>* entries) {
    if (!entries->empty()) MergeEntries(entries, &entries_.Mutable());
  }

  // Null if the key is absent; a present key may have an empty value.
  const Symbol* Find(const Symbol& key) const { return FindEntry(entries_, key); }
  bool Has(const Symbol& key) const { return Find(key) != nullptr; }

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  void clear() { entries_.clear(); }

  // Whether it has all pairs of `other`, as if they were a selector (labels.SelectorFromSet).
  bool HasAll(const LabelMap& other) const {
    return std::all_of(other.begin(), other.end(), [this](const Entry& pair) {
      const Symbol* value = Find(pair.first);
      return value != nullptr && *value == pair.second;
    });
  }

  // Whether both are the same map; equal maps may differ.
  bool IsSame(const LabelMap& other) const { return entries_.IsSame(other.entries_); }
  friend bool operator==(const LabelMap&, const LabelMap&) = default;

 private:
  SharedList<Entry> entries_;
};

struct OwnerReference {
  Symbol api_version;
  Symbol kind;
  Symbol name;
  Symbol uid;
  bool controller = false;

  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

struct ObjectMeta {
  Symbol name;
  Symbol namespace_;
  Symbol uid;
  std::string resource_version;  // not interned, because no two are equal
  int64_t generation = 0;
  LabelMap labels;
  LabelMap annotations;
  SharedList<OwnerReference> owner_references;
  SharedList<Symbol> finalizers;  // only of ResourceClaims
  std::optional<Instant> creation_timestamp;
  std::optional<Instant> deletion_timestamp;
  // The whole object's JSON as it was given; null unless it is kept (DecodeLimits).
  std::shared_ptr<const std::string> source;
  // Whether extenders or plugins outside the core read the object: then any change of it counts.
  bool shows_source = false;

  // Defined in the .cc file: inlined everywhere, they take long to compile.
  ObjectMeta();
  ObjectMeta(const ObjectMeta&);
  ObjectMeta(ObjectMeta&&) noexcept;
  ObjectMeta& operator=(const ObjectMeta&);
  ObjectMeta& operator=(ObjectMeta&&) noexcept;
  ~ObjectMeta();
};

// One matchExpressions (or matchFields) entry. `op` is the given text: In, NotIn, Exists,
// DoesNotExist, Gt, Lt, or an invalid one.
struct SelectorExpression {
  Symbol key;
  Symbol op;
  std::vector<Symbol> values;

  friend bool operator==(const SelectorExpression&, const SelectorExpression&) = default;
};

// metav1.LabelSelector as given; core/api/selector.h compiles it. An absent (null) selector is a
// std::nullopt in its holder: null matches nothing, an empty one matches everything.
struct LabelSelector {
  LabelMap match_labels;
  std::vector<SelectorExpression> match_expressions;

  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

}  // namespace stowage
