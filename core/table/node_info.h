// NodeInfo is a node with the sums of what runs on it (spec 04 §2).
//
// The cache owns the live NodeInfos and a snapshot refers to them; dry runs work on clones. Each
// change takes a new generation, so that a snapshot refresh visits only what changed.
// Counterpart: framework.NodeInfo, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/table/host_port_info.h"
#include "core/table/pod_info.h"
#include "core/table/resource.h"

namespace stowage {

// An image on a node, as of the last time the snapshot refreshed this node.
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
  // Null for a ghost: a node with known pods but without a Node object.
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
  // Null if the node has not reported the image.
  const ImageStateSummary* FindImage(const Symbol& name) const;

  // The generation of the last change of the pods. Equal values: the same pods in the same order.
  uint64_t pod_list_generation() const { return pod_list_generation_; }
  // The generation of the last change that counting pods can see. Equal values: pods that count
  // alike (CountsAlike).
  uint64_t pod_generation() const { return pod_generation_; }
  // A pod was added or removed.
  void set_pod_generation(uint64_t generation) {
    pod_generation_ = generation;
    pod_list_generation_ = generation;
  }
  // A pod was replaced by a version that counts alike.
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
  // Subtracts what AddPod added for the uid. False if the node has no pod with this uid.
  bool RemovePod(const Symbol& uid);
  // Whether all host ports of one of the node's pods are in used_ports(). Ports are a set: a port
  // that two pods share is freed when the first of them is removed.
  bool HasPortsOf(const PodInfo& pod) const;
  // Has the effect of RemovePod(`old_pod`) and AddPod(`new_pod`), which must count alike
  // (CountsAlike).
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

// The node features that the scheduler supports (NodeDeclaredFeatures), sorted by name.
const std::vector<Symbol>& KnownNodeFeatures();

}  // namespace stowage
