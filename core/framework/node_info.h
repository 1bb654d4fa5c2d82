// NodeInfo is a node with the sums of what runs on it (spec 04 §2).
//
// The cache owns the live NodeInfos and a snapshot refers to them; a clone serves dry runs. Each
// change takes a fresh generation, so that a refresh visits only what changed.
// Counterpart: framework.NodeInfo, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/framework/host_port_info.h"
#include "core/framework/pod_info.h"
#include "core/framework/resource.h"

namespace stowage {

// What a node knows of an image, frozen when the snapshot last refreshed this node.
struct ImageStateSummary {
  int64_t size = 0;       // bytes
  int64_t num_nodes = 0;  // nodes that reported the image at that moment

  friend bool operator==(const ImageStateSummary&, const ImageStateSummary&) = default;
};

using ImageStates = std::vector<std::pair<Symbol, ImageStateSummary>>;  // sorted by name

class NodeInfo {
 public:
  explicit NodeInfo(Symbol name) : name_(std::move(name)) {}

  const Symbol& name() const { return name_; }
  // Null for a ghost: pods are known, the Node object is not.
  const Node* node() const { return node_.get(); }
  const NodeRef& node_ref() const { return node_; }

  const std::vector<PodInfoRef>& pods() const { return pods_; }
  const std::vector<PodInfoRef>& pods_with_affinity() const { return pods_with_affinity_; }
  const std::vector<PodInfoRef>& pods_with_required_anti_affinity() const {
    return pods_with_required_anti_affinity_;
  }
  const std::vector<PodInfoRef>& pods_with_attachable_volumes() const {
    return pods_with_attachable_volumes_;
  }
  const HostPortInfo& used_ports() const { return used_ports_; }
  const Resource& requested() const { return requested_; }
  int64_t non_zero_milli_cpu() const { return non_zero_milli_cpu_; }
  int64_t non_zero_memory() const { return non_zero_memory_; }
  const Resource& allocatable() const { return allocatable_; }
  // status.declaredFeatures that the scheduler knows, sorted.
  const std::vector<Symbol>& declared_features() const { return declared_features_; }
  const ImageStates& image_states() const { return image_states_; }
  // Null when the node has not reported the image.
  const ImageStateSummary* FindImage(const Symbol& name) const;

  // The generation of the last change of the pods; equal values mean the same pods in the same
  // order.
  uint64_t pod_list_generation() const { return pod_list_generation_; }
  // The same for those who count pods: equal values mean pods that count alike (CountsAlike).
  uint64_t pod_generation() const { return pod_generation_; }
  // Pods came or went.
  void set_pod_generation(uint64_t generation) {
    pod_generation_ = generation;
    pod_list_generation_ = generation;
  }
  // Pods were replaced.
  void set_pod_list_generation(uint64_t generation) { pod_list_generation_ = generation; }
  uint64_t generation() const { return generation_; }
  void set_generation(uint64_t generation) { generation_ = generation; }
  // Index in the snapshot's list and row of its NodeTable; meaningful only while listed.
  uint32_t row() const { return row_; }
  void set_row(uint32_t row) { row_ = row; }

  void SetNode(NodeRef node);
  void RemoveNode();
  void SetImageStates(ImageStates states) { image_states_ = std::move(states); }
  void AddPod(const PodInfoRef& pod);
  // False when no pod of that uid is here. Subtracts what was added for the uid.
  bool RemovePod(const Symbol& uid);
  // Whether the node has all host ports of a pod that is here: ports are a set, so that one which
  // two pods have goes with the first of them.
  bool HasPortsOf(const PodInfo& pod) const;
  // Removes `old_pod` and adds `new_pod`, where the two count alike (CountsAlike).
  void ReplacePod(const PodInfo& old_pod, const PodInfoRef& new_pod);

  std::unique_ptr<NodeInfo> Clone() const { return std::make_unique<NodeInfo>(*this); }

 private:
  Symbol name_;
  NodeRef node_;
  std::vector<PodInfoRef> pods_;  // removal moves the last pod into the hole, as upstream
  std::vector<PodInfoRef> pods_with_affinity_;
  std::vector<PodInfoRef> pods_with_required_anti_affinity_;
  std::vector<PodInfoRef> pods_with_attachable_volumes_;
  HostPortInfo used_ports_;
  Resource requested_;
  int64_t non_zero_milli_cpu_ = 0;
  int64_t non_zero_memory_ = 0;
  Resource allocatable_;
  std::vector<Symbol> declared_features_;
  ImageStates image_states_;
  uint64_t pod_generation_ = 0;
  uint64_t pod_list_generation_ = 0;
  uint64_t generation_ = 0;
  uint32_t row_ = 0;
};

// Node features that the scheduler knows (NodeDeclaredFeatures), sorted by name.
const std::vector<Symbol>& KnownNodeFeatures();

}  // namespace stowage
