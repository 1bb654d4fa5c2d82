#include "core/api/host_ports.h"

#include <utility>

#include "core/api/pod_helpers.h"

namespace stowage {
namespace {

struct Defaults {
  Symbol ip{"0.0.0.0"};
  Symbol protocol{"TCP"};

  static const Defaults& Get() {
    static const Defaults* defaults = new Defaults;
    return *defaults;
  }
};

void AppendPorts(const Container& container, std::vector<HostPort>& ports) {
  for (const ContainerPort& port : container.ports) {
    if (port.host_port <= 0) continue;
    ports.push_back(HostPort::Make(port.host_ip, port.protocol, port.host_port));
  }
}

}  // namespace

HostPort HostPort::Make(Symbol ip, Symbol protocol, int32_t port) {
  const Defaults& defaults = Defaults::Get();
  HostPort host_port;
  host_port.ip = ip.empty() ? defaults.ip : std::move(ip);
  host_port.protocol = protocol.empty() ? defaults.protocol : std::move(protocol);
  host_port.port = port;
  return host_port;
}

bool HostPort::IsWildcard() const { return ip == Defaults::Get().ip; }

std::vector<HostPort> HostPorts(const Pod& pod) {
  std::vector<HostPort> ports;
  for (const Container& container : pod.spec.init_containers) {
    if (IsRestartableInitContainer(container)) AppendPorts(container, ports);
  }
  for (const Container& container : pod.spec.containers) AppendPorts(container, ports);
  return ports;
}

}  // namespace stowage
