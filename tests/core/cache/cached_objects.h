// Pods and nodes for the tests of the cache.
#pragma once

#include <memory>
#include <string_view>

#include "core/cache/cache.h"
#include "core/config/features.h"
#include "tests/support/make_node.h"
#include "tests/support/make_pod.h"

namespace stowage {

inline PodInfoRef Info(const Pod& pod) {
  return MakePodInfo(std::make_shared<const Pod>(pod), Features());
}

inline Pod PodOn(std::string_view node) {
  return MakePod().Name("p").Uid("u").Node(node).Req({{"cpu", "1"}, {"memory", "1Gi"}});
}

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
