#include "core/scheduler/pending_pods.h"

namespace stowage {
namespace {

ObjectKey KeyOf(const QueuedPodInfo& pod) { return ObjectKey::Of(pod.pod().metadata); }

}  // namespace

void PendingPods::AddOrUpdate(const PodInfoRef& pod) {
  QueuedPodRef queued = Take(ObjectKey::Of(pod->pod->metadata));
  if (queued == nullptr) {
    queued = std::make_shared<QueuedPodInfo>();
    queued->timestamp = pod->pod->metadata.creation_timestamp.value_or(Instant());
    queued->sequence = ++sequence_;
  }
  queued->pod_info = pod;
  Activate(std::move(queued));
}

void PendingPods::Delete(const ObjectKey& key) { Take(key); }

PendingPods::QueuedPodRef PendingPods::Pop() {
  if (active_.empty()) return nullptr;
  QueuedPodRef first = *active_.begin();
  active_.erase(active_.begin());
  by_key_.erase(KeyOf(*first));
  return first;
}

PendingPods::QueuedPodRef PendingPods::Take(const ObjectKey& key) {
  auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  QueuedPodRef pod = found->second.pod;
  if (found->second.is_active) active_.erase(pod);
  by_key_.erase(found);
  return pod;
}

void PendingPods::AddUnschedulable(QueuedPodRef pod) {
  ObjectKey key = KeyOf(*pod);
  by_key_[key] = {std::move(pod), false};
}

void PendingPods::Activate(QueuedPodRef pod) {
  by_key_[KeyOf(*pod)] = {pod, true};
  active_.insert(std::move(pod));
}

void PendingPods::MoveAllToActive() {
  if (NumUnschedulable() == 0) return;
  for (auto& [key, slot] : by_key_) {
    if (slot.is_active) continue;
    slot.is_active = true;
    active_.insert(slot.pod);
  }
}

std::vector<ObjectKey> PendingPods::ActiveKeys() const {
  std::vector<ObjectKey> keys;
  for (const auto& [key, slot] : by_key_) {
    if (slot.is_active) keys.push_back(key);
  }
  return keys;
}

std::vector<ObjectKey> PendingPods::UnschedulableKeys() const {
  std::vector<ObjectKey> keys;
  for (const auto& [key, slot] : by_key_) {
    if (!slot.is_active) keys.push_back(key);
  }
  return keys;
}

}  // namespace stowage
