// PodGroupStates holds the pods of each pod group that the scheduler knows, and how far each one is
// (spec 04 §6). Counterpart: backend/cache/podgroupstate.go, v1.36.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "core/api/object_key.h"
#include "core/api/pod_group.h"
#include "core/base/hash_map.h"

namespace stowage {

struct PodGroupState {
  enum class Stage : uint8_t { kUnscheduled, kAssumed, kAssigned };
  struct Member {
    PodRef pod = {};  // with its node, if it is scheduled
    Stage stage = Stage::kUnscheduled;
  };

  std::map<Symbol, Member> members;  // by uid
  size_t num_scheduled = 0;          // assumed or assigned
};

class PodGroupStates {
 public:
  // Without GenericWorkload no group is known.
  void set_is_enabled(bool is_enabled) { is_enabled_ = is_enabled; }

  // Adds or replaces a pod that belongs to a group; other pods are ignored.
  void Put(const PodRef& pod, PodGroupState::Stage stage) {
    if (is_enabled_ && pod->spec.scheduling_group) PutMember(pod, stage);
  }
  // The pod is no longer assumed. Ignores a pod that has been removed.
  void Forget(const Pod& pod) {
    if (is_enabled_ && pod.spec.scheduling_group) ForgetMember(pod);
  }
  void Remove(const Pod& pod) {
    if (is_enabled_ && pod.spec.scheduling_group) RemoveMember(pod);
  }

  // The key of the pod's group.
  static ObjectKey KeyOf(const Pod& pod) { return {pod.metadata.namespace_, PodGroupNameOf(pod)}; }
  // Null if no pod of the group is known.
  const PodGroupState* Get(const ObjectKey& group) const {
    auto found = groups_.find(group);
    return found == groups_.end() ? nullptr : &found->second;
  }
  // While pods of a group are tried on nodes, those that were scheduled before are counted apart.
  void BeginTrial(const ObjectKey& group) {
    const PodGroupState* known = Get(group);
    num_before_trial_ = known == nullptr ? 0 : known->num_scheduled;
  }
  void EndTrial() { num_before_trial_.reset(); }
  bool is_in_trial() const { return num_before_trial_.has_value(); }
  // The group's scheduled pods, without those of a trial. A trial must be the group's own.
  size_t NumScheduled(const ObjectKey& group) const {
    const PodGroupState* known = Get(group);
    return num_before_trial_.value_or(known == nullptr ? 0 : known->num_scheduled);
  }
  // Sorted by namespace and name.
  std::map<ObjectKey, const PodGroupState*> Sorted() const;

 private:
  void PutMember(const PodRef& pod, PodGroupState::Stage stage);
  void ForgetMember(const Pod& pod);
  void RemoveMember(const Pod& pod);

  bool is_enabled_ = false;
  std::optional<size_t> num_before_trial_;
  HashMap<ObjectKey, PodGroupState, ObjectKeyNumber> groups_;
};

}  // namespace stowage
