// Nodes that share an image, to see when a snapshot counts it.
#pragma once

#include <string_view>

#include "core/cache/cache.h"
#include "tests/support/make_node.h"

namespace stowage {

// A node that reports one image, which all nodes share.
inline NodeRef NodeWithImage(std::string_view name, std::string_view zone = "") {
  MakeNode node;
  node.Name(name).Allocatable({{"cpu", "4"}}).Image("i", 1);
  if (!zone.empty()) node.Label("topology.kubernetes.io/zone", zone);
  return node.Ref();
}

// The number of nodes with the image, as the node's entry has it; 0 before a first snapshot.
inline int64_t NodesWithImage(const Cache& cache, std::string_view node) {
  const ImageStateSummary* image = cache.GetNodeInfo(Symbol(node))->FindImage(Symbol("i"));
  return image == nullptr ? 0 : image->num_nodes;
}

}  // namespace stowage
