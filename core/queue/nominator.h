// Nominator knows which pending pods are nominated to which node: preemptors whose victims are
// still leaving. Filters count them as if they were running there. Counterpart:
// backend/queue/nominator.go, v1.36.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/framework/handle.h"
#include "core/framework/pod_info.h"

namespace stowage {

class Nominator final : public PodNominator {
 public:
  const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const override;
  size_t size() const override { return node_by_uid_.size(); }

  // Replaces any earlier nomination of the pod. An empty node only removes it.
  void AddNominatedPod(const PodInfoRef& pod, const Symbol& node);
  void DeleteNominatedPod(const Symbol& uid);
  // The nominated node of a pod, empty when it has none.
  Symbol NodeOf(const Symbol& uid) const;

 private:
  std::unordered_map<Symbol, std::vector<PodInfoRef>, SymbolHash> pods_by_node_;
  std::unordered_map<Symbol, Symbol, SymbolHash> node_by_uid_;
};

}  // namespace stowage
