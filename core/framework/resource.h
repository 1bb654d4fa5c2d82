// Resource is the scheduler's resource vector: five int64 parts (spec 01 §6).
// Counterpart: framework.Resource, v1.36.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/api/resource_list.h"
#include "core/base/symbol.h"

namespace stowage {

struct Resource {
  // Scalar resources (extended, hugepages-, attachable-volumes-, kubernetes.io/), sorted by name.
  using Scalars = std::vector<std::pair<Symbol, int64_t>>;

  int64_t milli_cpu = 0;
  int64_t memory = 0;
  int64_t ephemeral_storage = 0;
  int64_t allowed_pod_number = 0;
  Scalars scalars;

  // Adds a list: cpu in milli units rounded up, the rest rounded up; names that are no scalars are
  // ignored, and a scalar of 0 still makes an entry.
  void Add(const ResourceList& list);
  // Adds or subtracts part by part; entries are made as needed and stay when they become 0. The pod
  // number stays: a node counts its pods.
  void Add(const Resource& other);
  void Subtract(const Resource& other);

  // 0 when absent.
  int64_t Scalar(const Symbol& name) const;
  const int64_t* FindScalar(const Symbol& name) const;

  friend bool operator==(const Resource&, const Resource&) = default;
};

// The well-known names as symbols, made once.
struct ResourceNames {
  Symbol cpu{"cpu"};
  Symbol memory{"memory"};
  Symbol ephemeral_storage{"ephemeral-storage"};
  Symbol pods{"pods"};

  static const ResourceNames& Get();
};

}  // namespace stowage
