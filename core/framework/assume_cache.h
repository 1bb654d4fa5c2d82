// AssumeCache is a layer over the stored objects of a kind: objects as the scheduler has changed
// them in memory, until the API server says more about them.
//
// An assumed object stands in for the stored one for as long as that is the one it was made from.
// Whether it is, is seen by whoever looks: nothing has to be told here when the stored one changes.
// Counterpart: plugins/volumebinding/passive_assume_cache.go, v1.36; spec
// plugins/volume-binding.md.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/api/meta.h"
#include "core/api/object_key.h"

namespace stowage {

// What speaks against assuming an object; nullopt when nothing does. `stored` is null when there is
// no such object; `resource` is its kind ("persistentvolumes").
std::optional<std::string> AssumeFault(const ObjectMeta* stored, const ObjectMeta& assumed,
                                       std::string_view resource);
// `persistentvolumes "NAME" not found`.
std::string NotStoredMessage(std::string_view resource, const ObjectKey& key);

template <typename T>
class AssumeCache {
 public:
  using Ref = std::shared_ptr<const T>;
  using StoredOf = std::function<Ref(const ObjectKey& key)>;

  // `stored_of` gives null where there is no object.
  AssumeCache(std::string_view resource, StoredOf stored_of)
      : resource_(resource), stored_of_(std::move(stored_of)) {}

  // As it is in force: assumed or stored; null when it is not stored.
  Ref Get(const ObjectKey& key) const { return Latest(stored_of_(key)); }
  // As the API server has it.
  Ref GetStored(const ObjectKey& key) const { return stored_of_(key); }
  // The object in force in the place of a stored one, which may be null.
  Ref Latest(const Ref& stored) const {
    if (stored == nullptr || entries_.empty()) return stored;
    auto found = entries_.find(ObjectKey::Of(stored->metadata));
    bool is_assumed = found != entries_.end() && found->second.IsMadeFrom(stored);
    return is_assumed ? found->second.assumed : stored;
  }

  // Puts a changed copy in the place of the stored object. Gives what speaks against it.
  std::optional<std::string> Assume(Ref object) {
    ObjectKey key = ObjectKey::Of(object->metadata);
    Ref stored = stored_of_(key);
    const ObjectMeta* metadata = stored == nullptr ? nullptr : &stored->metadata;
    std::optional<std::string> fault = AssumeFault(metadata, object->metadata, resource_);
    if (fault) return fault;
    entries_[std::move(key)] = Entry{std::move(stored), std::move(object)};
    if (entries_.size() >= prune_at_) Prune();
    return std::nullopt;
  }

  // The stored object counts again, unless another was assumed since.
  void Restore(const T& object) {
    auto found = entries_.find(ObjectKey::Of(object.metadata));
    if (found == entries_.end()) return;
    const ObjectMeta& assumed = found->second.assumed->metadata;
    if (assumed.resource_version == object.metadata.resource_version) entries_.erase(found);
  }

  // Those that stand in for nothing any more may be among them.
  size_t size() const { return entries_.size(); }

 private:
  static constexpr size_t kPruneAtLeast = 64;

  struct Entry {
    Ref stored;
    Ref assumed;

    // A stored object may be told of again.
    // DIVERGENCE(unversioned-objects): one without a version never saw an API server; it is always
    // another one, while upstream takes it for the same.
    bool IsMadeFrom(const Ref& current) const {
      if (current == stored) return true;
      const ObjectMeta& now = current->metadata;
      const ObjectMeta& then = assumed->metadata;
      return !now.resource_version.empty() && now.resource_version == then.resource_version &&
             now.uid == then.uid;
    }
  };

  void Prune() {
    std::erase_if(entries_, [this](const auto& item) {
      Ref stored = stored_of_(item.first);
      return stored == nullptr || !item.second.IsMadeFrom(stored);
    });
    prune_at_ = std::max(kPruneAtLeast, 2 * entries_.size());
  }

  std::string_view resource_;
  StoredOf stored_of_;
  std::unordered_map<ObjectKey, Entry, ObjectKeyHash> entries_;
  size_t prune_at_ = kPruneAtLeast;
};

}  // namespace stowage
