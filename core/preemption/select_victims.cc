#include "core/preemption/select_victims.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/api/pod_helpers.h"
#include "core/base/check.h"
#include "core/base/format.h"
#include "core/base/stable_sort.h"
#include "core/preemption/pick_node.h"

namespace stowage {
namespace {

// A copy of the node and of the cycle state, to which pods can be added and removed.
class NodeUnderTrial {
 public:
  NodeUnderTrial(const Preemptor& preemptor, const NodeInfo& node)
      : preemptor_(preemptor), node_(node.Clone()), state_(preemptor.state.Clone()) {}

  Status AddPod(const PodInfoRef& pod) {
    node_->AddPod(pod);
    return preemptor_.handle.RunPreFilterExtensionAddPod(state_, preemptor_.pod, *pod, *node_);
  }

  Status RemovePod(const PodInfoRef& pod) {
    CHECK(node_->RemovePod(pod->uid()));
    return preemptor_.handle.RunPreFilterExtensionRemovePod(state_, preemptor_.pod, *pod, *node_);
  }

  Status Filter() const {
    return preemptor_.handle.RunFilterPluginsWithNominatedPods(state_, preemptor_.pod, *node_);
  }

 private:
  const Preemptor& preemptor_;
  std::unique_ptr<NodeInfo> node_;
  CycleState state_;
};

std::vector<PodInfoRef> PodsOfLowerPriority(const NodeInfo& node, const Pod& preemptor) {
  std::vector<PodInfoRef> pods;
  for (const PodInfoRef& pod : node.pods()) {
    if (PodPriority(*pod->pod) < PodPriority(preemptor)) pods.push_back(pod);
  }
  return pods;
}

// Adds `pods` back one by one; those that do not fit beside the preemptor become victims.
Status Reprieve(const std::vector<PodInfoRef>& pods, NodeUnderTrial* trial,
                std::vector<PodInfoRef>* victims) {
  for (const PodInfoRef& pod : pods) {
    Status status = trial->AddPod(pod);
    if (!status.IsSuccess()) return status;
    if (trial->Filter().IsSuccess()) continue;
    status = trial->RemovePod(pod);
    if (!status.IsSuccess()) return status;
    victims->push_back(pod);
  }
  return Status::Success();
}

Status SelectVictims(const Preemptor& preemptor, const NodeInfo& node, PreemptionVictims* victims) {
  std::vector<PodInfoRef> potential = PodsOfLowerPriority(node, preemptor.pod);
  if (potential.empty()) return NoVictims();
  // Steps for the copy of the node, and for each of its pods against each budget.
  uint64_t num_budgets = preemptor.budgets.size();
  if (!preemptor.handle.steps().Spend(1 + num_budgets, node.pods().size())) {
    return Status::Error(StepBudget::kExhausted);
  }
  NodeUnderTrial trial(preemptor, node);
  for (const PodInfoRef& pod : potential) {
    Status status = trial.RemovePod(pod);
    if (!status.IsSuccess()) return status;
  }
  Status status = trial.Filter();
  if (!status.IsSuccess()) return status;

  // The reference leaves the order of equally important pods open; here it is the node's pod order.
  auto more_important = [now = preemptor.handle.now()](const PodInfoRef& a, const PodInfoRef& b) {
    return MoreImportantPod(*a->pod, *b->pod, now);
  };
  StableSort(&potential, more_important);
  PodsByViolation split = preemptor.budgets.Split(potential);
  status = Reprieve(split.violating, &trial, &victims->pods);
  if (!status.IsSuccess()) return status;
  victims->num_pdb_violations = static_cast<int64_t>(victims->pods.size());
  status = Reprieve(split.rest, &trial, &victims->pods);
  if (!status.IsSuccess()) return status;
  StableSort(&victims->pods, more_important);
  if (!victims->pods.empty()) return Status::Success();
  return Status::Error(
      Format("expected at least one victim pod on node \"{}\"", node.name().view()));
}

}  // namespace

const Status& NoVictims() {
  static const Status* status = new Status(
      Status::UnschedulableAndUnresolvable("No preemption victims found for incoming pod"));
  return *status;
}

DryRunResult SelectVictimsOnNode(const Preemptor& preemptor, const NodeInfo& node) {
  DryRunResult result{node.name(), {node.name(), {}, 0}, {}};
  result.status = SelectVictims(preemptor, node, &result.victims);
  if (result.status.IsSuccess()) result.cost = CostOf(result.victims);
  return result;
}

}  // namespace stowage
