// The fields of Node that the scheduler reads (spec 01 §3). `status.capacity` is not read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/api/meta.h"
#include "core/api/resource_list.h"

namespace stowage {

struct Taint {
  Symbol key;
  Symbol value;
  Symbol effect;

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct ContainerImage {
  std::vector<Symbol> names;
  int64_t size_bytes = 0;

  friend bool operator==(const ContainerImage&, const ContainerImage&) = default;
};

struct NodeCondition {
  Symbol type;
  Symbol status;

  friend bool operator==(const NodeCondition&, const NodeCondition&) = default;
};

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
};

struct NodeStatus {
  ResourceList allocatable;
  std::vector<NodeCondition> conditions;
  std::vector<ContainerImage> images;
  std::vector<Symbol> declared_features;

  // Defined in the .cc file: inlined everywhere, they take long to compile.
  NodeStatus();
  NodeStatus(const NodeStatus&);
  NodeStatus(NodeStatus&&) noexcept;
  NodeStatus& operator=(const NodeStatus&);
  NodeStatus& operator=(NodeStatus&&) noexcept;
  ~NodeStatus();
};

struct Node {
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
};

using NodeRef = std::shared_ptr<const Node>;

}  // namespace stowage
