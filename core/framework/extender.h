// Extender is an external process that takes part in decisions, as the framework sees it (spec 05
// §12). It builds requests and parses answers; the scheduling cycle sends them and waits.
// Counterpart: staging/src/k8s.io/kube-scheduler/framework/extender.go, v1.36.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/extender.h"
#include "core/base/instant.h"
#include "core/base/result.h"
#include "core/framework/interface.h"
#include "core/framework/snapshot.h"
#include "core/loop/call.h"

namespace stowage {

// The pods that a preemption removes from one node.
struct PreemptionVictims {
  Symbol node;
  std::vector<PodInfoRef> pods;  // most important first
  int64_t num_pdb_violations = 0;
};

// What the rules compare to choose among the nodes on which preemption would help (spec 06 §7).
struct PreemptionCost {
  // The lowest is best: budget violations, the priority of the first victim, the sum of the
  // priorities, and the number of victims.
  std::array<int64_t, 4> amounts = {};
  // Among the victims of the highest priority. A pod that has not started counts as starting now.
  std::optional<Instant> earliest_start;
  bool has_waiting = false;

  Instant EarliestStart(Instant now) const {
    return has_waiting && (!earliest_start || now < *earliest_start) ? now : *earliest_start;
  }
  friend bool operator==(const PreemptionCost&, const PreemptionCost&) = default;
};

// The nodes that passed an extender, and its refusals.
struct ExtenderVerdict {
  std::vector<const NodeInfo*> nodes;
  LabelMap failed_nodes;  // node → reason
  LabelMap failed_and_unresolvable_nodes;
  // Owns the entries of `nodes` that are not the snapshot's.
  std::vector<std::shared_ptr<const NodeInfo>> made;
};

// Appears among the plugins that rejected a pod.
inline constexpr std::string_view kExtenderName = "Extender";

class Extender {
 public:
  virtual ~Extender() = default;

  // The URL prefix, as configured.
  virtual std::string_view Name() const = 0;
  virtual bool IsIgnorable() const = 0;
  virtual bool IsFilter() const = 0;
  virtual bool IsPrioritizer() const = 0;
  virtual bool SupportsPreemption() const = 0;
  virtual bool IsBinder() const = 0;
  // The factor of the extender's scores; 0 without a prioritize verb.
  virtual int64_t Weight() const = 0;
  // An extender without managed resources is interested in every pod. With managed resources it is
  // interested in pods with a container or init container that names one in its requests or limits.
  virtual bool IsInterested(const Pod& pod) const = 0;

  // Each verb has a pair of methods: one builds the request, one parses the answer. A fault is the
  // error that the reference's HTTP client would return.
  virtual Call FilterCall(const Pod& pod, NodeList nodes) const = 0;
  virtual Result<ExtenderVerdict, Status> FilterVerdict(const Completion& answer,
                                                        NodeList nodes) const = 0;
  virtual Call PrioritizeCall(const Pod& pod, NodeList nodes) const = 0;
  virtual Result<std::vector<HostPriority>, Status> Priorities(const Completion& answer) const = 0;
  virtual Call PreemptCall(const Pod& pod,
                           const std::vector<const PreemptionVictims*>& candidates) const = 0;
  // The candidates in the order of the answer.
  virtual Result<std::vector<PreemptionVictims>, Status> Candidates(
      const Completion& answer, const Snapshot& snapshot) const = 0;
  virtual Call BindCall(const Pod& pod, const Symbol& node) const = 0;
  // Success: the extender has bound the pod.
  virtual Status BindStatus(const Completion& answer) const = 0;
};

using Extenders = std::vector<std::unique_ptr<Extender>>;

}  // namespace stowage
