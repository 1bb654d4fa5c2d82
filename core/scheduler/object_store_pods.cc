#include <utility>

#include "core/scheduler/object_store.h"

namespace stowage {

PodRef ObjectStore::PutPod(const PodRef& pod) {
  ObjectKey key = ObjectKey::Of(pod->metadata);
  PodRef old = std::exchange(pods_[key], pod);
  if (old != nullptr) {
    if (old->metadata.uid == pod->metadata.uid) return old;
    pod_keys_by_uid_.erase(old->metadata.uid);
    if (removal_observer_ != nullptr) removal_observer_->OnPodRemoved(*old);
  }
  pod_keys_by_uid_[pod->metadata.uid] = key;
  return old;
}

std::optional<AnyObject> ObjectStore::RemovePod(const ObjectKey& key) {
  auto found = pods_.find(key);
  if (found == pods_.end()) return std::nullopt;
  PodRef old = found->second;
  pods_.erase(found);
  pod_keys_by_uid_.erase(old->metadata.uid);
  if (removal_observer_ != nullptr) removal_observer_->OnPodRemoved(*old);
  return old;
}

const ObjectKey* ObjectStore::FindPodByUid(const Symbol& uid) const {
  auto found = pod_keys_by_uid_.find(uid);
  return found == pod_keys_by_uid_.end() ? nullptr : &found->second;
}

PodRef ObjectStore::GetPod(const Symbol& namespace_, const Symbol& name) const {
  auto found = pods_.find(ObjectKey{namespace_, name});
  return found == pods_.end() ? nullptr : found->second;
}

}  // namespace stowage
