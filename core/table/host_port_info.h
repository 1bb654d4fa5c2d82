// HostPortInfo is the set of host ports in use on a node (spec 01 §7.3).
//
// A set, not a count: after two pods with the same port, one removal frees the port.
// Counterpart: framework.HostPortInfo, v1.36.
#pragma once

#include <cstddef>
#include <set>

#include "core/api/host_ports.h"

namespace stowage {

class HostPortInfo {
 public:
  // Ports of 0 and below are ignored: they are not kept and conflict with nothing.
  void Add(const HostPort& port);
  void Remove(const HostPort& port);

  // Whether exactly this port is in the set; true for a port that Add ignores.
  bool Has(const HostPort& port) const { return port.port <= 0 || ports_.contains(port); }
  // True if the protocol and port are in use on the same IP, or if either IP is the wildcard.
  bool CheckConflict(const HostPort& port) const;

  size_t size() const { return ports_.size(); }

 private:
  // Entries of one protocol and port are adjacent. Symbol ids order them; no output depends on it.
  struct Order {
    bool operator()(const HostPort& a, const HostPort& b) const;
  };

  std::set<HostPort, Order> ports_;
};

}  // namespace stowage
