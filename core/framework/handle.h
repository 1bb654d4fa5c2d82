// Handle is the framework as plugins see it: the snapshot, nominations, listers, and the filter
// runs for dry runs.
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
#include "core/framework/nomination_log.h"
#include "core/framework/pod_group_states.h"
#include "core/framework/snapshot.h"
#include "core/framework/waiting_pods.h"
#include "core/loop/spawner.h"
#include "core/table/topology_index.h"

namespace stowage {

// The nominations. Filters count the nominated pods as if they were running (spec 05 §5.3).
class PodNominator {
 public:
  virtual ~PodNominator() = default;
  // In the order of their nomination. The reference is valid until a nomination changes.
  virtual const std::vector<PodInfoRef>& NominatedPodsForNode(const Symbol& node) const = 0;
  // The nodes with nominated pods, in no particular order.
  virtual const std::vector<Symbol>& NominatedNodes() const = 0;
  // Number of nominated pods.
  virtual size_t size() const = 0;
  virtual const NominationLog& changes() const = 0;
};

// The result of a dry run on one node: the victims, or the status that says why preemption does not
// help.
struct DryRunResult {
  Symbol node;
  PreemptionVictims victims;  // valid if `status` is Success
  Status status;
  PreemptionCost cost = {};  // of the victims
};

using DryRunRef = std::shared_ptr<const DryRunResult>;

// The inputs and the result of the preemption for one pod, for records and evaluations.
struct PreemptionReport {
  // In the order in which the nodes were tried. Successes beyond the candidate limit are not
  // ranked. Empty unless Handle::reports_dry_runs.
  std::vector<DryRunRef> dry_runs;
  // Tied under all ranking rules, in candidate order; empty unless Handle::reports_dry_runs.
  std::vector<Symbol> admissible_nodes;
  std::optional<PreemptionVictims> selected;
  // Pods of lower priority that are nominated to the selected node and whose nomination is cleared,
  // in the order of their nomination.
  std::vector<PodInfoRef> cleared_nominations;
  std::string message;     // PostFilter's message, prefix included
  std::string pick_notes;  // in evaluations: how the node was picked, as JSON; else empty
};

// Activates pods for plugins.
class PodActivator {
 public:
  virtual ~PodActivator() = default;
  // Moves waiting pods to the active queue at once; ignores unknown pods.
  virtual void Activate(const std::vector<PodRef>& pods) = 0;
};

// The services for work outside of scheduling cycles: binding cycles and tasks of plugins.
struct Background {
  // Sends calls; their answers resume the waiting tasks between cycles.
  Calls& calls;
  Spawner& spawner;
  ApiClient& api;
  WaitingPods& waiting_pods;
  PodsInPreBind& pods_in_pre_bind;
  PodActivator& activator;
  // How often a waiting PreBind plugin checks what the watch delivered, in microseconds.
  int64_t pre_bind_poll_interval_us = 1'000'000;
};

class DraManager;

// The versions of what fragments read besides the pod.
struct FragmentSources {
  uint64_t term_keys = 0;     // of the placed pods' terms
  uint64_t service_keys = 0;  // of the Services' selectors
  uint64_t storage = 0;       // 0 for pods without claims
  bool has_terms = false;
  bool has_services = false;
  uint64_t device_classes = 0;  // Listers::device_class_version

  friend bool operator==(const FragmentSources&, const FragmentSources&) = default;
};

class Handle {
 public:
  virtual ~Handle() = default;

  // The profile's scheduler name.
  virtual const Symbol& profile_name() const = 0;
  virtual const Snapshot& snapshot() const = 0;
  // The index of the snapshot's pods.
  virtual TopologyIndex& topology_index() const = 0;
  virtual const PodGroupStates& pod_groups() const = 0;
  virtual const PodNominator& nominator() const = 0;
  virtual const Listers& listers() const = 0;
  // Claims and devices.
  virtual DraManager& dra() const = 0;
  // In calling order.
  virtual const Extenders& extenders() const = 0;
  // Sends the calls of the cycle.
  virtual Calls& calls() const = 0;
  // Null during an evaluation: it must not start or write anything.
  virtual Background* background() const = 0;
  // Counts what upstream counts, in the same places.
  virtual Metrics& metrics() const = 0;
  // The steps that the current evaluation may still take. A plugin spends steps if its work grows
  // with more than the pod, and gives up if none are left.
  virtual StepBudget& steps() const = 0;
  // How much work may run at the same time (configuration: parallelism).
  virtual int32_t parallelism() const = 0;
  // The cycle's time; constant within a cycle.
  virtual Instant now() const = 0;
  // Random draws of the reference. A scheduler always returns 0; a test may return other values.
  virtual size_t RandomBelow(size_t bound) = 0;

  // spec 05 §5.3. Does not change `state` and `node`.
  virtual Status RunFilterPluginsWithNominatedPods(const CycleState& state, const Pod& pod,
                                                   const NodeInfo& node) const = 0;
  virtual Status RunPreFilterExtensionAddPod(CycleState& state, const Pod& pod,
                                             const PodInfo& pod_to_add,
                                             const NodeInfo& node) const = 0;
  virtual Status RunPreFilterExtensionRemovePod(CycleState& state, const Pod& pod,
                                                const PodInfo& pod_to_remove,
                                                const NodeInfo& node) const = 0;

  // Appends the plugins' fragments for the pod. Returns the plugins whose verdicts depend on more
  // than their fragments and the node; if there are none, filters and extensions give equal
  // verdicts for every pod with these fragments.
  virtual PluginBits AppendFragments(const Pod&, PodSignature*) const { return ~PluginBits{0}; }
  // What the fragments of such pods depend on besides the pod. With equal sources, pods of one
  // template have equal fragments.
  virtual FragmentSources FragmentSourcesFor(const Pod&) const { return {}; }

  // Whether anything reads the dry runs and the admissible nodes of the report.
  virtual bool reports_dry_runs() const { return true; }
  // Stores the report of a PostFilter plugin, for the scheduling cycle to read.
  virtual void ReportPreemption(PreemptionReport report) = 0;
};

}  // namespace stowage
