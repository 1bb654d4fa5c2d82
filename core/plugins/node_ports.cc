#include "core/plugins/node_ports.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/api/host_ports.h"
#include "core/api/pod_helpers.h"
#include "core/table/host_port_info.h"

namespace stowage {
namespace {

struct PreFilterState {
  std::vector<HostPort> ports;
};

bool AreFree(const std::vector<HostPort>& ports, const HostPortInfo& used) {
  return std::none_of(ports.begin(), ports.end(),
                      [&used](const HostPort& port) { return used.CheckConflict(port); });
}

template <typename Ports>
HostPortInfo UsedBy(const Ports& ports) {
  HostPortInfo used;
  for (const HostPort& port : ports) used.Add(port);
  return used;
}

QueueingHint IsSchedulableAfterPodDeleted(const Pod& pod, const EventObjects& objects) {
  auto pods = objects.As<Pod>();
  if (!pods || pods->old_object == nullptr) return QueueingHint::kQueue;
  const Pod& deleted = *pods->old_object;
  if (!IsAssignedOrNominated(deleted)) return QueueingHint::kQueueSkip;
  std::vector<HostPort> released = HostPorts(deleted);
  if (released.empty()) return QueueingHint::kQueueSkip;
  return QueueIf(!AreFree(HostPorts(pod), UsedBy(released)));
}

}  // namespace

Status NodePorts::PreFilter(CycleState& state, const Pod& pod, NodeList, PreFilterResult*) const {
  std::vector<HostPort> ports = HostPorts(pod);
  if (ports.empty()) return Status::Skip();
  state.Write(PreFilterState{std::move(ports)});
  return Status::Success();
}

Status NodePorts::Filter(const CycleState& state, const Pod&, const NodeInfo& node) const {
  const auto* s = state.Read<PreFilterState>();
  if (s == nullptr) {
    return Status::Error("reading \"PreFilterNodePorts\" from cycleState: not found");
  }
  if (!AreFree(s->ports, node.used_ports())) return Status::Unschedulable(kReason);
  return Status::Success();
}

std::vector<ClusterEventWithHint> NodePorts::EventsToRegister() const {
  return {{{EventResource::kPod, action::kDelete}, IsSchedulableAfterPodDeleted},
          {{EventResource::kNode, action::kAdd}}};
}

// Writes each requested port with the pods that use it.
void NodePorts::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  json->Key("ports").BeginArray();
  for (const HostPort& port : HostPorts(refusal.pod)) {
    if (!refusal.node.used_ports().CheckConflict(port)) continue;
    json->BeginObject().IntMember("port", port.port);
    json->StringMember("protocol", port.protocol.view()).StringMember("hostIP", port.ip.view());
    json->Key("pods").BeginArray();
    for (const PodInfoRef& info : refusal.node.pods()) {
      if (AreFree({port}, UsedBy(info->host_ports))) continue;
      const ObjectMeta& holder = info->pod->metadata;
      json->NamespacedName(holder.namespace_.view(), holder.name.view());
    }
    json->EndArray().EndObject();
  }
  json->EndArray();
}

void NodePorts::SignPod(const Pod& pod, PodSignature* signature) const {
  std::set<int32_t> numbers;
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const Container& container : *containers) {
      for (const ContainerPort& port : container.ports) {
        if (port.host_port != 0) numbers.insert(port.host_port);
      }
    }
  }
  signature->AddCount(numbers.size());
  for (int32_t number : numbers) signature->Add(int64_t{number});
}

}  // namespace stowage
