// The resources that a node lacks for a request: the rule of NodeResourcesFit, shared by its Filter
// and its queueing hints.
// Counterpart: framework/plugins/noderesources/fit.go (fitsRequest), v1.36.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/table/resource.h"

namespace stowage {

// A node's allocatable resources and what its pods request of them. The rule takes any type with
// these members whose amounts have the members of Resource.
struct NodeRoom {
  const Resource& allocatable;
  const Resource& requested;
  size_t num_pods;
};

struct InsufficientResource {
  enum class Kind : uint8_t { kPods, kCpu, kMemory, kEphemeralStorage, kScalar };

  Kind kind;
  size_t scalar = 0;             // kScalar: its index in the request
  bool is_unresolvable = false;  // the request exceeds even the empty node
};

// For each scalar of a request, whether devices may serve it: then it is not checked on nodes where
// no device plugin offers it. May be empty: none.
using ServedScalars = std::vector<bool>;

// Calls `found` for each resource that the node lacks, in this order: pods, cpu, memory,
// ephemeral-storage, scalars by name.
template <typename Found, typename Room = NodeRoom>
void ForEachInsufficientResource(const Resource& request, const ServedScalars& served,
                                 const Room& room, Found found) {
  using Kind = InsufficientResource::Kind;
  if (static_cast<int64_t>(room.num_pods) + 1 > room.allocatable.allowed_pod_number) {
    found(InsufficientResource{Kind::kPods});
  }
  auto check = [&found](Kind kind, size_t scalar, int64_t amount, int64_t allocatable,
                        int64_t requested) {
    if (amount <= 0 || amount <= allocatable - requested) return;
    found(InsufficientResource{kind, scalar, amount > allocatable});
  };
  const auto& allocatable = room.allocatable;
  const auto& requested = room.requested;
  check(Kind::kCpu, 0, request.milli_cpu, allocatable.milli_cpu, requested.milli_cpu);
  check(Kind::kMemory, 0, request.memory, allocatable.memory, requested.memory);
  check(Kind::kEphemeralStorage, 0, request.ephemeral_storage, allocatable.ephemeral_storage,
        requested.ephemeral_storage);
  for (size_t index = 0; index < request.scalars.size(); ++index) {
    const auto& [name, amount] = request.scalars[index];
    if (!served.empty() && served[index] && allocatable.Scalar(name) <= 0) continue;
    check(Kind::kScalar, index, amount, allocatable.Scalar(name), requested.Scalar(name));
  }
}

}  // namespace stowage
