#include "core/framework/pod_group_states.h"

namespace stowage {

using Stage = PodGroupState::Stage;

void PodGroupStates::PutMember(const PodRef& pod, Stage stage) {
  PodGroupState& group = groups_[KeyOf(*pod)];
  PodGroupState::Member& member = group.members[pod->metadata.uid];
  if (member.stage != Stage::kUnscheduled) --group.num_scheduled;
  if (stage != Stage::kUnscheduled) ++group.num_scheduled;
  member = {pod, stage};
}

void PodGroupStates::ForgetMember(const Pod& pod) {
  auto found = groups_.find(KeyOf(pod));
  if (found == groups_.end()) return;
  PodGroupState& group = groups_.Mutable(found);
  auto member = group.members.find(pod.metadata.uid);
  if (member == group.members.end() || member->second.stage != Stage::kAssumed) return;
  member->second.stage = Stage::kUnscheduled;
  --group.num_scheduled;
}

void PodGroupStates::RemoveMember(const Pod& pod) {
  auto found = groups_.find(KeyOf(pod));
  if (found == groups_.end()) return;
  PodGroupState& group = groups_.Mutable(found);
  auto member = group.members.find(pod.metadata.uid);
  if (member == group.members.end()) return;
  if (member->second.stage != Stage::kUnscheduled) --group.num_scheduled;
  group.members.erase(member);
  if (group.members.empty()) groups_.erase(found);
}

std::map<ObjectKey, const PodGroupState*> PodGroupStates::Sorted() const {
  std::map<ObjectKey, const PodGroupState*> sorted;
  const auto& unordered = groups_;
  for (const auto& entry : unordered) sorted.emplace(entry.first, &entry.second);
  return sorted;
}

}  // namespace stowage
