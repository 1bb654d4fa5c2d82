// NodePorts' code for the verdict cache.
#include <vector>

#include "core/api/host_ports.h"
#include "core/plugins/node_ports.h"

namespace stowage {

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
