#include "core/plugins/scheduling_gates.h"

#include <string_view>
#include <vector>

#include "core/base/format.h"

namespace stowage {
namespace {

QueueingHint IsSchedulableAfterUpdatePodSchedulingGatesEliminated(const Pod& pod,
                                                                  const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->new_object == nullptr) return QueueingHint::kQueue;
  return QueueIf(pods->new_object->metadata.uid == pod.metadata.uid);
}

}  // namespace

Status SchedulingGates::PreEnqueue(const Pod& pod) const {
  if (pod.spec.scheduling_gates.empty()) return Status::Success();
  std::vector<std::string_view> gates;
  for (const PodSchedulingGate& gate : pod.spec.scheduling_gates) gates.push_back(gate.name.view());
  return Status::UnschedulableAndUnresolvable(
      Format("waiting for scheduling gates: [{}]", Join(gates, " ")));
}

std::vector<ClusterEventWithHint> SchedulingGates::EventsToRegister() const {
  return {{{EventResource::kPod, action::kUpdatePodSchedulingGatesEliminated},
           IsSchedulableAfterUpdatePodSchedulingGatesEliminated}};
}

}  // namespace stowage
