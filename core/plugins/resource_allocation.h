// The amounts that NodeResourcesFit and NodeResourcesBalancedAllocation compare: of each configured
// resource, what a node has, what it has given away, and what that becomes with the pod on it.
// Counterpart: framework/plugins/noderesources/resource_allocation.go, v1.36.
#pragma once

#include <cstdint>
#include <vector>

#include "core/api/resource_list.h"
#include "core/config/plugin_args.h"
#include "core/framework/node_info.h"
#include "core/framework/node_table.h"

namespace stowage {

// One resource of a node in a score. cpu in milli units, everything else in units.
struct ResourceUse {
  int64_t allocatable = 0;  // never 0
  int64_t allocated = 0;
  int64_t requested = 0;  // allocated, and the pod's own request
  int64_t weight = 1;
};

// A pod's request of each configured resource, in the order of the configuration.
using ResourceRequests = std::vector<int64_t>;

class ResourceAllocation {
 public:
  // Which of a node's sums count for cpu and memory; ephemeral storage and scalar resources always
  // count as requested.
  enum class Sums { kNonZeroRequested, kRequested };

  ResourceAllocation(const std::vector<ResourceSpec>& resources, Sums sums);

  size_t size() const { return resources_.size(); }
  ResourceRequests RequestsOf(const ResourceList& list) const;

  // The resources that take part in the score of `node` or of the table's `row`: all but those of
  // which the node has none, and scalar resources that the pod does not request. `*uses` is
  // replaced.
  void UsesOn(const NodeInfo& node, const ResourceRequests& requests,
              std::vector<ResourceUse>* uses) const;
  void UsesAt(const NodeTable& table, size_t row, const ResourceRequests& requests,
              std::vector<ResourceUse>* uses) const;

 private:
  enum class Kind : uint8_t { kCpu, kMemory, kEphemeralStorage, kScalar, kOther };
  struct Configured {
    Symbol name;
    Kind kind;
    int64_t weight;
  };
  struct Amounts {
    int64_t allocatable = 0;
    int64_t allocated = 0;
  };

  static Kind KindOf(const Symbol& name);
  Amounts AmountsOn(const NodeInfo& node, const Configured& resource) const;
  Amounts AmountsAt(const NodeTable& table, size_t row, const Configured& resource) const;
  template <typename AmountsOf>
  void Collect(const ResourceRequests& requests, const AmountsOf& amounts_of,
               std::vector<ResourceUse>* uses) const;

  std::vector<Configured> resources_;
  Sums sums_;
};

}  // namespace stowage
