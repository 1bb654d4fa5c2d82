#include "core/plugins/node_ports.h"

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

}  // namespace stowage
