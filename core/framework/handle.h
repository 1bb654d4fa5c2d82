// Handle is what the framework offers to plugins: the snapshot, nominations, listers and the filter
// runs that a dry run needs.
// Counterpart: framework.Handle, v1.36.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/instant.h"
#include "core/base/step_budget.h"
#include "core/framework/api_client.h"
#include "core/framework/extender.h"
#include "core/framework/interface.h"
#include "core/framework/listers.h"
#include "core/framework/metrics.h"
#include "core/framework/snapshot.h"
#include "core/framework/waiting_pods.h"
#include "core/loop/spawner.h"
#include "core/table/topology_index.h"

namespace stowage {

// The nominations that filters must count as if those pods were running (spec 05 §5.3).
class PodNominator {
 public:
  virtual ~PodNominator() = default;
  // In the order in which they were nominated.
  virtual const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const = 0;
  // Those that have any, in order of their names.
  virtual const std::vector<Symbol>& NominatedNodes() const = 0;
  // Number of nominated pods.
  virtual size_t size() const = 0;
};

// One node on which a dry run was made: victims, or the status that says why it would not help.
struct DryRunResult {
  Symbol node;
  PreemptionVictims victims;  // meaningful when `status` is Success
  Status status;
};

using DryRunRef = std::shared_ptr<const DryRunResult>;

// What the preemption of one pod looked at and decided; kept for records and evaluation.
struct PreemptionReport {
  // In the order in which nodes were tried. A success beyond the candidate limit is not ranked.
  std::vector<DryRunRef> dry_runs;
  std::vector<Symbol> admissible_nodes;  // tied after all ranking rules, candidate order
  std::optional<PreemptionVictims> selected;
  // Pods of lower priority whose status.nominatedNodeName names the selected node and is to be
  // emptied, in the order of their nomination.
  std::vector<PodInfoRef> cleared_nominations;
  std::string message;     // as PostFilter said it, prefix included
  std::string pick_notes;  // of questions: how the node was picked, as JSON; else empty
};

// Moves pods on at a plugin's request.
class PodActivator {
 public:
  virtual ~PodActivator() = default;
  // Those that wait in the queue are to be tried at once; unknown ones are passed over.
  virtual void Activate(const std::vector<PodRef>& pods) = 0;
};

// What goes on beside scheduling cycles: the binding cycles and what plugins start.
struct Background {
  // Through which calls leave; whoever waits for them is resumed between cycles.
  Calls& calls;
  Spawner& spawner;
  ApiClient& api;
  WaitingPods& waiting_pods;
  PodsInPreBind& pods_in_pre_bind;
  PodActivator& activator;
  // How often a PreBind plugin that waits looks at what the watch brought.
  int64_t pre_bind_poll_interval_us = 1'000'000;
};

class Handle {
 public:
  virtual ~Handle() = default;

  // The scheduler name of the profile.
  virtual const Symbol& profile_name() const = 0;
  virtual const Snapshot& snapshot() const = 0;
  // Of the snapshot.
  virtual TopologyIndex& topology_index() const = 0;
  virtual const PodNominator& nominator() const = 0;
  virtual const Listers& listers() const = 0;
  // In the order in which they are asked.
  virtual const Extenders& extenders() const = 0;
  // Through which the cycle's calls leave.
  virtual Calls& calls() const = 0;
  // Null while a question is answered: nothing may be started or written then.
  virtual Background* background() const = 0;
  // What is counted, where upstream counts it.
  virtual Metrics& metrics() const = 0;
  // What the question that is answered may still cost. A plugin spends where its work grows with
  // more than the pod, and gives up when nothing is left.
  virtual StepBudget& steps() const = 0;
  // How many pieces of work may go on at once (configuration: parallelism).
  virtual int32_t parallelism() const = 0;
  // The cycle's time; constant within a cycle.
  virtual Instant now() const = 0;
  // What the reference leaves to chance, fixed: a scheduler always draws 0, a test what it likes.
  virtual size_t RandomBelow(size_t bound) = 0;

  // spec 05 §5.3. `state` and `node` are not changed.
  virtual Status RunFilterPluginsWithNominatedPods(const CycleState& state, const Pod& pod,
                                                   const NodeInfo& node) const = 0;
  virtual Status RunPreFilterExtensionAddPod(CycleState& state, const Pod& pod,
                                             const PodInfo& pod_to_add,
                                             const NodeInfo& node) const = 0;
  virtual Status RunPreFilterExtensionRemovePod(CycleState& state, const Pod& pod,
                                                const PodInfo& pod_to_remove,
                                                const NodeInfo& node) const = 0;

  // Appends what the plugins read of the pod. Gives the plugins whose verdicts about it depend on
  // more than that and the node; when none do, filters and extensions say the same of every pod
  // with these fragments.
  virtual PluginBits AppendFragments(const Pod&, PodSignature*) const { return ~PluginBits{0}; }

  // Where a PostFilter plugin leaves what it found; read by the scheduling cycle afterwards.
  virtual void ReportPreemption(PreemptionReport report) = 0;
};

}  // namespace stowage
