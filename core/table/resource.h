// Resource is the scheduler's resource vector (spec 01 §6): cpu in milli units, the rest in bytes
// or counts.
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

  // Adds a list: cpu in milli units, the rest in whole units, all rounded up. Other names that are
  // not scalar resources are ignored; a scalar of 0 makes an entry.
  void Add(const ResourceList& list);
  // Adds or subtracts each resource except allowed_pod_number (a node counts its pods). Scalars get
  // entries as needed, which stay when they become 0.
  void Add(const Resource& other);
  void Subtract(const Resource& other);

  // 0 if absent.
  int64_t Scalar(const Symbol& name) const;
  // Null if absent.
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
