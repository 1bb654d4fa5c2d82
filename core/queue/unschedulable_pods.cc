#include "core/queue/unschedulable_pods.h"

#include <array>
#include <bit>
#include <cstdint>

#include "core/base/check.h"
#include "core/base/cold.h"

namespace stowage {

UnschedulablePods::GroupKey UnschedulablePods::GroupKey::Of(const QueuedPodInfo& pod) {
  return {pod.pod().spec.scheduler_name, pod.unschedulable_plugins, pod.pending_plugins,
          pod.gating_plugin};
}

UnschedulablePods::SharedParts UnschedulablePods::SharedParts::Of(const Pod& pod) {
  return {pod.metadata.namespace_, pod.metadata.labels, pod.metadata.owner_references,
          pod.spec.affinity, pod.spec.topology_spread_constraints};
}

bool operator<(const UnschedulablePods::SharedParts& a, const UnschedulablePods::SharedParts& b) {
  auto addresses = [](const UnschedulablePods::SharedParts& parts) {
    const Affinity* affinity = parts.affinity ? &*parts.affinity : nullptr;
    std::array<const void*, 4> each = {parts.labels.begin(), parts.owner_references.begin(),
                                       affinity, parts.topology_spread_constraints.begin()};
    return std::bit_cast<std::array<uintptr_t, 4>>(each);
  };
  auto a_addresses = addresses(a);
  auto b_addresses = addresses(b);
  return a_addresses != b_addresses ? a_addresses < b_addresses : a.namespace_ < b.namespace_;
}

void UnschedulablePods::Add(const QueuedPodRef& pod) {
  Group& group = groups_[GroupKey::Of(*pod)];
  ObjectKey key = ObjectKey::Of(pod->pod().metadata);
  group.pods[key] = pod;
  group.alike[SharedParts::Of(pod->pod())][key] = pod;
  if (group.gated != nullptr) group.gated->Add(pod);
  if (!pod->IsGated()) ages_.emplace(pod->timestamp, pod->sequence);
}

void UnschedulablePods::Remove(const QueuedPodRef& pod) {
  auto group = groups_.find(GroupKey::Of(*pod));
  CHECK(group != groups_.end());
  auto& [pods, alike, gated] = group->second;
  if (gated != nullptr) gated->Remove(pod);
  ObjectKey key = ObjectKey::Of(pod->pod().metadata);
  auto shared = alike.find(SharedParts::Of(pod->pod()));
  CHECK(shared != alike.end() && shared->second.erase(key) == 1);
  CHECK(pods.erase(key) == 1);
  if (shared->second.empty()) alike.erase(shared);
  if (pods.empty()) groups_.erase(group);
  if (!pod->IsGated()) ages_.erase({pod->timestamp, pod->sequence});
}

GatedPods& UnschedulablePods::GatedPodsOf(const GroupKey& key, bool is_by_pod_group) {
  auto group = groups_.find(key);
  CHECK(group != groups_.end() && !key.gating_plugin.empty());
  auto& [pods, alike, gated] = group->second;
  if (gated == nullptr) gated = std::make_shared<GatedPods>(is_by_pod_group, pods);
  return *gated;
}

STOWAGE_COLD void UnschedulablePods::SettleLastMove(const QueuedPodRef& pod) const {
  for (const auto& [key, group] : groups_) {
    if (group.gated != nullptr) group.gated->SettleLastMove(pod);
  }
}

size_t UnschedulablePods::size() const {
  size_t size = 0;
  for (const auto& [key, group] : groups_) size += group.pods.size();
  return size;
}

std::vector<QueuedPodRef> UnschedulablePods::Pods() const {
  ByName sorted;
  for (const auto& [key, group] : groups_) sorted.insert(group.pods.begin(), group.pods.end());
  std::vector<QueuedPodRef> pods;
  for (const auto& [name, pod] : sorted) {
    SettleLastMove(pod);
    pods.push_back(pod);
  }
  return pods;
}

std::optional<Instant> UnschedulablePods::OldestTimestamp() const {
  if (ages_.empty()) return std::nullopt;
  return ages_.begin()->first;
}

}  // namespace stowage
