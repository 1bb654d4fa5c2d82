#include "core/table/host_port_info.h"

#include <tuple>

namespace stowage {

bool HostPortInfo::Order::operator()(const HostPort& a, const HostPort& b) const {
  return std::tuple(a.port, a.protocol.id(), a.ip.id()) <
         std::tuple(b.port, b.protocol.id(), b.ip.id());
}

void HostPortInfo::Add(const HostPort& port) {
  if (port.port > 0) ports_.insert(port);
}

void HostPortInfo::Remove(const HostPort& port) { ports_.erase(port); }

bool HostPortInfo::CheckConflict(const HostPort& port) const {
  if (port.port <= 0 || ports_.empty()) return false;
  if (!port.IsWildcard()) {
    return ports_.contains(port) || ports_.contains(HostPort::Make({}, port.protocol, port.port));
  }
  // The empty ip has the lowest id.
  HostPort lowest{Symbol(), port.protocol, port.port};
  auto used = ports_.lower_bound(lowest);
  return used != ports_.end() && used->port == port.port && used->protocol == port.protocol;
}

}  // namespace stowage
