// AssumeCache is a layer over the stored objects of a kind. It holds objects as the scheduler has
// changed them in memory, until the API server reports a newer state.
//
// An assumed object replaces the stored one as long as the stored one is the object that it was
// made from. Readers check this, so the cache needs no notification when the stored object changes.
// Counterpart: plugins/volumebinding/passive_assume_cache.go, v1.36; spec
// plugins/volume-binding.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/meta.h"
#include "core/api/object_key.h"

namespace stowage {

// Why the object cannot be assumed; nullopt: it can. `stored` is null if there is no such object;
// `resource` is its plural ("persistentvolumes").
std::optional<std::string> AssumeFault(const ObjectMeta* stored, const ObjectMeta& assumed,
                                       std::string_view resource);
// `persistentvolumes "NAME" not found`.
std::string NotStoredMessage(std::string_view resource, const ObjectKey& key);

template <typename T>
class AssumeCache {
 public:
  using Ref = std::shared_ptr<const T>;
  using StoredOf = std::function<Ref(const ObjectKey& key)>;

  // `stored_of` returns null if there is no object.
  AssumeCache(std::string_view resource, StoredOf stored_of)
      : resource_(resource), stored_of_(std::move(stored_of)) {}

  // Takes the assumed objects of another cache.
  void CopyStateFrom(const AssumeCache& other) {
    entries_ = other.entries_;
    prune_at_ = other.prune_at_;
    ++version_;
  }

  // The current object, assumed or stored; null if it is not stored.
  Ref Get(const ObjectKey& key) const { return Latest(stored_of_(key)); }
  // The object as the API server has it.
  Ref GetStored(const ObjectKey& key) const { return stored_of_(key); }
  // The current object for a stored one, which may be null.
  Ref Latest(const Ref& stored) const {
    if (stored == nullptr || entries_.empty()) return stored;
    auto found = entries_.find(ObjectKey::Of(stored->metadata));
    bool is_assumed = found != entries_.end() && found->second.IsMadeFrom(stored);
    return is_assumed ? found->second.assumed : stored;
  }

  // The assumed objects that fulfil `condition` and replace a stored one, by key.
  template <typename Condition>
  std::vector<Ref> AssumedWith(const Condition& condition) const {
    std::vector<Ref> found;
    for (const auto& [key, entry] : entries_) {
      if (!condition(*entry.assumed)) continue;
      Ref stored = stored_of_(key);
      if (stored != nullptr && entry.IsMadeFrom(stored)) found.push_back(entry.assumed);
    }
    return found;
  }

  // Replaces the stored object by a changed copy. Returns why it cannot, or nullopt.
  std::optional<std::string> Assume(Ref object) {
    ObjectKey key = ObjectKey::Of(object->metadata);
    Ref stored = stored_of_(key);
    const ObjectMeta* metadata = stored == nullptr ? nullptr : &stored->metadata;
    std::optional<std::string> fault = AssumeFault(metadata, object->metadata, resource_);
    if (fault) return fault;
    entries_[std::move(key)] = Entry{std::move(stored), std::move(object)};
    ++version_;
    if (entries_.size() >= prune_at_) Prune();
    return std::nullopt;
  }

  // Drops the assumed object, unless another one has been assumed since.
  void Restore(const T& object) {
    auto found = entries_.find(ObjectKey::Of(object.metadata));
    if (found == entries_.end()) return;
    const ObjectMeta& assumed = found->second.assumed->metadata;
    if (assumed.resource_version != object.metadata.resource_version) return;
    entries_.erase(found);
    ++version_;
  }

  // Rises with every change of the assumed objects.
  uint64_t version() const { return version_; }
  // Includes outdated entries that have not been pruned yet.
  size_t size() const { return entries_.size(); }

 private:
  static constexpr size_t kPruneAtLeast = 64;

  struct Entry {
    Ref stored;
    Ref assumed;

    // A watch may deliver the stored object again as a new copy, so versions are compared.
    // DIVERGENCE(unversioned-objects): an object without a version did not come from an API server
    // and always counts as a different one, while upstream treats it as the same.
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
  std::map<ObjectKey, Entry> entries_;
  size_t prune_at_ = kPruneAtLeast;
  uint64_t version_ = 0;
};

}  // namespace stowage
