#include "core/queue/gated_pods.h"

#include "core/api/pod_group.h"
#include "core/base/check.h"

namespace stowage {
namespace {

ObjectKey PodGroupOf(const Pod& pod) { return {pod.metadata.namespace_, PodGroupNameOf(pod)}; }

}  // namespace

GatedPods::GatedPods(bool is_by_pod_group, const ByName& pods) : is_by_pod_group_(is_by_pod_group) {
  for (const auto& [name, pod] : pods) Add(pod);
}

GatedPods::Key GatedPods::KeyOf(const QueuedPodInfo& pod) const {
  if (!is_by_pod_group_) return {};
  return {PodGroupOf(pod.pod()), pod.gating_message};
}

void GatedPods::Add(const QueuedPodRef& pod) {
  if (is_by_pod_group_ && !pod->pod().spec.scheduling_group) return;
  Alike& alike = alike_[KeyOf(*pod)];
  alike.pods[ObjectKey::Of(pod->pod().metadata)] = pod;
  if (!is_by_pod_group_) alike.unasked[ObjectKey::Of(pod->pod().metadata)] = pod;
}

void GatedPods::Remove(const QueuedPodRef& pod) {
  SettleLastMove(pod);
  if (is_by_pod_group_ && !pod->pod().spec.scheduling_group) return;
  auto found = alike_.find(KeyOf(*pod));
  CHECK(found != alike_.end());
  auto& [key, alike] = *found;
  CHECK(alike.pods.erase(ObjectKey::Of(pod->pod().metadata)) == 1);
  alike.unasked.erase(ObjectKey::Of(pod->pod().metadata));
  if (alike.pods.empty()) alike_.erase(found);
}

std::vector<GatedPods::Alike*> GatedPods::Of(const EventObjects& objects) {
  std::vector<Alike*> of_group;
  const Pod* pod = objects.New<Pod>();
  const auto* group = objects.New<PodGroup>();
  if (pod == nullptr && group == nullptr) return of_group;
  ObjectKey key = pod == nullptr ? ObjectKey::Of(group->metadata) : PodGroupOf(*pod);
  for (auto one = alike_.lower_bound({key, {}}); one != alike_.end(); ++one) {
    if (one->first.first != key) break;
    of_group.push_back(&one->second);
  }
  return of_group;
}

void GatedPods::SettleLastMove(const QueuedPodRef& pod) const {
  auto found = alike_.find(KeyOf(*pod));
  if (found == alike_.end() || found->second.moved <= pod->moved) return;
  if (!found->second.pods.contains(ObjectKey::Of(pod->pod().metadata))) return;
  pod->last_move = found->second.last_move;
  pod->moved = found->second.moved;
}

}  // namespace stowage
