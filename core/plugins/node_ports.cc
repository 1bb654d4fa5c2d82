#include "core/plugins/node_ports.h"

#include <set>
#include <vector>

#include "core/api/host_ports.h"

namespace stowage {
namespace {

struct PreFilterState {
  std::vector<HostPort> ports;
};

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
  for (const HostPort& port : s->ports) {
    if (node.used_ports().CheckConflict(port)) return Status::Unschedulable(kReason);
  }
  return Status::Success();
}

bool NodePorts::AppendFragment(const Pod& pod, PodSignature* signature) const {
  std::vector<HostPort> ports = HostPorts(pod);
  signature->AddCount(ports.size());
  for (const HostPort& port : ports) {
    signature->Add(port.ip);
    signature->Add(port.protocol);
    signature->Add(int64_t{port.port});
  }
  return true;
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
