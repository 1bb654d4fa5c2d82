// ResourcePools gathers the pools of each node, and keeps them until a slice changes (spec
// plugins/dynamic-resources-allocator "Pools for a node").
//
// Upstream walks the slices of a node, and all slices without a nodeName, in every call. Here
// slices are grouped by pool once. A pool is built once for all nodes for which the same of its
// slices are relevant, and each node has the list of its pools. A change of a slice costs a walk
// over all slices, and anew only the pools of the slice.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/api/pod.h"
#include "core/base/result.h"
#include "core/dra/pools.h"
#include "core/dra/resource_slices.h"

namespace stowage {

// The pools of a node, in the order in which an allocator tries them.
struct NodePools {
  std::vector<Pool*> pools;
  size_t num_devices = 0;  // of all pools
  bool has_invalid = false;
  NodeSelector only_this_node;

 private:
  friend class ResourcePools;
  LabelMap labels;         // of the node
  uint64_t of_slices = 0;  // the version of the slices for which `pools` is valid
};

// A device, by its place among those of the node.
struct DevicePlace {
  size_t pool = 0;
  size_t device = 0;  // in the pool
};

class ResourcePools {
 public:
  // `is_partitionable`: gate DRAPartitionableDevices. `slices` must outlive this.
  ResourcePools(const ResourceSlices& slices, bool is_partitionable)
      : slices_(slices), is_partitionable_(is_partitionable) {}
  ResourcePools(const ResourcePools&) = delete;
  ResourcePools& operator=(const ResourcePools&) = delete;

  // Valid until a slice changes, or until the next call for a node with this name. The fault is
  // that of an invalid node selector.
  Result<const NodePools*, std::string> Gather(const Node& node);

  // Appends the nodes for which an allocator may find other devices when devices of the pool are
  // allocated or freed. False: that may be any node.
  bool AppendNodesOf(const PoolId& id, std::vector<Symbol>* nodes);

  // The verdicts of an expression on the devices of a slice of gathered pools; valid as long as the
  // epoch stays.
  PoolSlice::Verdicts& VerdictsOf(const Symbol& expression, PoolSlice* slice);
  // Changes in Gather only.
  uint64_t epoch() const { return epoch_; }

 private:
  // A pool for the nodes for which these of its slices are relevant; null if they have none.
  struct Variant {
    std::vector<bool> is_relevant;
    std::unique_ptr<Pool> pool;
  };
  struct SlicesOfPool {
    PoolSlices slices;
    bool serves_several_nodes = false;
    bool shares_counter_table = false;  // with a pool of another driver
    std::vector<Variant> variants;
  };
  using ByPool = std::map<std::pair<Symbol, Symbol>, SlicesOfPool>;

  void Update();
  void Rebuild();
  std::map<Symbol, std::unique_ptr<PoolSlice>> ReplaceSlices();
  ByPool ReplaceGroups();
  void FindPoolsOfNodes();
  void FindSharedCounterTables();
  void GatherForeignPools();
  void BoundMemory();
  Result<Pool*, std::string> PoolFor(const Node* node, SlicesOfPool* slices);
  Result<NodePools, std::string> GatherAnew(const Node& node);
  bool IsValid(const NodePools& pools, const Node& node) const;

  const ResourceSlices& slices_;
  const bool is_partitionable_;
  std::optional<uint64_t> version_;  // of slices_
  uint64_t epoch_ = 0;
  size_t num_variants_ = 0;
  size_t num_verdicts_ = 0;
  std::map<Symbol, std::unique_ptr<PoolSlice>> pool_slices_;  // by name
  ByPool by_pool_;
  // Pools with slices of this node, without those for several nodes.
  std::unordered_map<Symbol, std::vector<SlicesOfPool*>, SymbolHash> of_node_;
  // Pools with slices that may serve several nodes.
  std::vector<SlicesOfPool*> of_several_nodes_;
  // Pools that are incomplete or invalid for nodes without a slice in them. They concern these
  // nodes too, because counters concern every node.
  std::vector<std::pair<SlicesOfPool*, Pool*>> foreign_;
  bool reads_labels_ = false;
  std::unordered_map<Symbol, NodePools, SymbolHash> node_pools_;  // by node
};

}  // namespace stowage
