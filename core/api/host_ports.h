// The host ports that a pod uses (spec 01 §7.3, plugins/00 "Host ports").
// Counterpart: component-helpers/scheduling "GetHostPorts", v1.36.
#pragma once

#include <cstdint>
#include <vector>

#include "core/api/pod.h"

namespace stowage {

// Always normalized: an empty ip becomes "0.0.0.0", an empty protocol "TCP".
struct HostPort {
  static HostPort Make(Symbol ip, Symbol protocol, int32_t port);

  // "0.0.0.0" uses the port on all addresses. "::" has no special meaning.
  bool IsWildcard() const;

  Symbol ip;
  Symbol protocol;
  int32_t port = 0;

  friend bool operator==(const HostPort&, const HostPort&) = default;
};

// Ports with hostPort > 0 of the restartable init containers, then of the containers, in order.
// Ordinary init containers are ignored.
std::vector<HostPort> HostPorts(const Pod& pod);

}  // namespace stowage
