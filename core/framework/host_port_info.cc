#include "core/framework/host_port_info.h"

#include <algorithm>

namespace stowage {

void HostPortInfo::Add(const HostPort& port) {
  if (port.port <= 0) return;
  if (std::find(ports_.begin(), ports_.end(), port) == ports_.end()) ports_.push_back(port);
}

void HostPortInfo::Remove(const HostPort& port) {
  auto place = std::find(ports_.begin(), ports_.end(), port);
  if (place != ports_.end()) ports_.erase(place);
}

bool HostPortInfo::CheckConflict(const HostPort& port) const {
  if (port.port <= 0) return false;
  return std::any_of(ports_.begin(), ports_.end(), [&](const HostPort& used) {
    bool is_same_port = used.protocol == port.protocol && used.port == port.port;
    return is_same_port && (used.IsWildcard() || port.IsWildcard() || used.ip == port.ip);
  });
}

}  // namespace stowage
