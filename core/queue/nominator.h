// Nominator knows which pending pods are nominated to which node: preemptors whose victims are
// still leaving, and pods that somebody else nominated. Filters count them as if they were running
// there (spec 03 §8). Counterpart: backend/queue/nominator.go, v1.36.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/framework/handle.h"
#include "core/table/pod_info.h"

namespace stowage {

class Nominator final : public PodNominator {
 public:
  explicit Nominator(const Listers& listers) : listers_(listers) {}

  const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const override;
  const std::vector<Symbol>& NominatedNodes() const override { return nominated_nodes_; }
  size_t size() const override { return node_by_uid_.size(); }

  // Replaces any earlier nomination of the pod: by `node_override` where there is one (empty: by
  // none), else by what its status says. A pod that is gone or bound is nominated nowhere.
  void AddNominatedPod(const PodInfoRef& pod, const std::optional<Symbol>& node_override);
  // A nomination that was made here, and that neither version of the pod shows, stays.
  void UpdateNominatedPod(const Pod& old_pod, const PodInfoRef& new_pod);
  void DeleteNominatedPod(const Symbol& uid);
  // The pod has left the queue: until it is back only its name is known, and it counts as nothing.
  void ForgetPodInfo(const Pod& pod);

  // The nominated node of a pod, empty when it has none.
  Symbol NodeOf(const Symbol& uid) const;
  // In order of namespace and name.
  std::vector<std::pair<PodInfoRef, Symbol>> Nominations() const;

 private:
  const Listers& listers_;
  std::unordered_map<Symbol, std::vector<PodInfoRef>, SymbolHash> pods_by_node_;
  std::map<Symbol, Symbol> node_by_uid_;
  std::vector<Symbol> nominated_nodes_;  // in order
};

}  // namespace stowage
