#include "core/queue/unschedulable_pods.h"

#include <map>

#include "core/base/check.h"

namespace stowage {

UnschedulablePods::GroupKey UnschedulablePods::GroupKey::Of(const QueuedPodInfo& pod) {
  return {pod.pod().spec.scheduler_name, pod.unschedulable_plugins, pod.pending_plugins,
          pod.gating_plugin};
}

void UnschedulablePods::Add(const QueuedPodRef& pod) {
  groups_[GroupKey::Of(*pod)][ObjectKey::Of(pod->pod().metadata)] = pod;
  if (!pod->IsGated()) ages_.emplace(pod->timestamp, pod->sequence);
}

void UnschedulablePods::Remove(const QueuedPodRef& pod) {
  auto group = groups_.find(GroupKey::Of(*pod));
  CHECK(group != groups_.end());
  CHECK(group->second.erase(ObjectKey::Of(pod->pod().metadata)) == 1);
  if (group->second.empty()) groups_.erase(group);
  if (!pod->IsGated()) ages_.erase({pod->timestamp, pod->sequence});
}

size_t UnschedulablePods::size() const {
  size_t size = 0;
  for (const auto& [key, group] : groups_) size += group.size();
  return size;
}

std::vector<QueuedPodRef> UnschedulablePods::Pods() const {
  std::map<ObjectKey, QueuedPodRef> sorted;
  for (const auto& [key, group] : groups_) sorted.insert(group.begin(), group.end());
  std::vector<QueuedPodRef> pods;
  for (const auto& [name, pod] : sorted) pods.push_back(pod);
  return pods;
}

std::optional<Instant> UnschedulablePods::OldestTimestamp() const {
  if (ages_.empty()) return std::nullopt;
  return ages_.begin()->first;
}

}  // namespace stowage
