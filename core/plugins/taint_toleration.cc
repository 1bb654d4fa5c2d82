#include "core/plugins/taint_toleration.h"

#include <functional>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/api/taints.h"
#include "core/api/well_known_labels.h"
#include "core/framework/signers.h"
#include "core/plugins/culprit_taint.h"
#include "core/plugins/helper_normalize_score.h"

namespace stowage {
namespace {

// Any change of the pod's tolerations queues it, whether it helps or not.
QueueingHint IsSchedulableAfterPodTolerationChange(const Pod& pod, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->new_object == nullptr) return QueueingHint::kQueue;
  return QueueIf(pods->new_object->metadata.uid == pod.metadata.uid);
}

}  // namespace

const Taint* TaintToleration::UntoleratedTaint(const Node& node, const Pod& pod) const {
  return FindMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations,
                                      DoNotScheduleTaintsFilter,
                                      features_.taint_toleration_comparison_operators);
}

bool TaintToleration::HasUntoleratedTaint(const Node& node, const Pod& pod) const {
  return UntoleratedTaint(node, pod) != nullptr;
}

Status TaintToleration::Filter(const CycleState&, const Pod& pod, const NodeInfo& node) const {
  if (node.node()->spec.taints.empty()) return Status::Success();
  const Taint* taint = UntoleratedTaint(*node.node(), pod);
  return taint == nullptr ? Status::Success() : RefusalBy(*taint);
}

Status TaintToleration::RefusalBy(const Taint& taint) const {
  static const Status kRefused = Status::UnschedulableAndUnresolvable(kReason);
  if (features_.behaviour.taint_reason_is_fixed) return kRefused;
  std::string reason = "node(s) had untolerated taint {";
  reason.append(taint.key.view()).append(": ").append(taint.value.view()).append("}");
  return Status::UnschedulableAndUnresolvable(reason);
}

Status TaintToleration::PreScore(CycleState& state, const Pod& pod, NodeList) const {
  PreScoreState s;
  for (const Toleration& toleration : pod.spec.tolerations) {
    if (toleration.effect.empty() || toleration.effect == kTaintEffectPreferNoSchedule) {
      s.tolerations.push_back(toleration);
    }
  }
  state.Write(std::move(s));
  return Status::Success();
}

Result<int64_t, Status> TaintToleration::Score(const CycleState& state, const Pod&,
                                               const NodeInfo& node) const {
  const auto* s = state.Read<PreScoreState>();
  if (s == nullptr) {
    return Status::Error("failed to read \"PreScoreTaintToleration\" from cycleState: not found");
  }
  int64_t intolerable = 0;
  ForEachScoredTaint(*s, node, [&intolerable](const Taint&) { ++intolerable; });
  return intolerable;
}

Status TaintToleration::NormalizeScore(const CycleState&, const Pod&,
                                       std::span<NodeScore> scores) const {
  DefaultNormalizeScore(kMaxNodeScore, true, scores);
  return Status::Success();
}

std::vector<ClusterEventWithHint> TaintToleration::EventsToRegister() const {
  return {
      {{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint},
       std::bind_front(&TaintToleration::IsSchedulableAfterNodeChange, this)},
      {{EventResource::kPod, action::kUpdatePodToleration}, IsSchedulableAfterPodTolerationChange}};
}

QueueingHint TaintToleration::IsSchedulableAfterNodeChange(const Pod& pod,
                                                           const EventObjects& objects) const {
  auto nodes = objects.As<Node>();
  if (!nodes || nodes->new_object == nullptr) return QueueingHint::kQueue;
  bool was_untolerated =
      nodes->old_object == nullptr || HasUntoleratedTaint(*nodes->old_object, pod);
  return QueueIf(was_untolerated && !HasUntoleratedTaint(*nodes->new_object, pod));
}

void TaintToleration::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const Taint* taint = UntoleratedTaint(*refusal.node.node(), refusal.pod);
  if (taint != nullptr) WriteTaint(*taint, json);
}

void TaintToleration::SignPod(const Pod& pod, PodSignature* signature) const {
  SignTolerations(pod, signature);
}

}  // namespace stowage
