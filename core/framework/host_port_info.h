// HostPortInfo is the set of host ports in use on a node (spec 01 §7.3).
//
// A set, not a count: two pods with the same port and one removal leave it free.
// Counterpart: framework.HostPortInfo, v1.36.
#pragma once

#include <cstddef>
#include <set>

#include "core/api/host_ports.h"

namespace stowage {

class HostPortInfo {
 public:
  // Ports of 0 and below are neither kept nor in conflict with anything.
  void Add(const HostPort& port);
  void Remove(const HostPort& port);

  // Whether exactly this port is kept, or never would be.
  bool Has(const HostPort& port) const { return port.port <= 0 || ports_.contains(port); }
  // The same protocol and port is used on this ip, or either of the two is the wildcard.
  bool CheckConflict(const HostPort& port) const;

  size_t size() const { return ports_.size(); }

 private:
  // Of one protocol and port all are together. Nothing shows the order, which is that of ids.
  struct Order {
    bool operator()(const HostPort& a, const HostPort& b) const;
  };

  std::set<HostPort, Order> ports_;
};

}  // namespace stowage
