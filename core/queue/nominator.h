// Nominator tracks which pending pods are nominated to which node: preemptors whose victims are
// still leaving, and pods that another component nominated. Filters count them as if they ran there
// (spec 03 §8). Counterpart: backend/queue/nominator.go, v1.36.
#pragma once

#include <optional>
#include <vector>

#include "core/base/hash_map.h"
#include "core/framework/handle.h"
#include "core/table/pod_info.h"

namespace stowage {

class Nominator final : public PodNominator {
 public:
  explicit Nominator(const Listers& listers) : listers_(listers) {}
  // Takes the nominations of another nominator.
  void CopyStateFrom(const Nominator& other);

  const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const override;
  const std::vector<Symbol>& NominatedNodes() const override { return nominated_nodes_; }
  size_t size() const override { return node_by_uid_.size(); }
  const NominationLog& changes() const override { return changes_; }

  // Replaces any earlier nomination of the pod with `node_override` if set (empty: none), else with
  // the nomination in its status. A deleted or bound pod gets no nomination.
  void AddNominatedPod(const PodInfoRef& pod, const std::optional<Symbol>& node_override);
  // Updates the pod and its nomination. A nomination made here stays if neither version of the pod
  // shows one.
  void UpdateNominatedPod(const Pod& old_pod, const PodInfoRef& new_pod);
  void DeleteNominatedPod(const Symbol& uid);
  // The pod has left the queue: until it returns, only its name is kept, and filters do not count
  // it.
  void ForgetPodInfo(const Pod& pod);

  // The node that the pod is nominated to; empty if there is none.
  Symbol NodeOf(const Symbol& uid) const;
  // Sorted by namespace and name.
  std::vector<std::pair<PodInfoRef, Symbol>> Nominations() const;

 private:
  struct NominatedNode {
    std::vector<PodInfoRef> pods;
    size_t place = 0;  // of the node in nominated_nodes_
  };
  using NominatedByName = HashMap<Symbol, NominatedNode, SymbolNumber>;

  void RemoveNode(NominatedByName::const_iterator node);

  const Listers& listers_;
  NominatedByName by_node_;
  HashMap<Symbol, Symbol, SymbolNumber> node_by_uid_;
  std::vector<Symbol> nominated_nodes_;
  NominationLog changes_;
};

}  // namespace stowage
