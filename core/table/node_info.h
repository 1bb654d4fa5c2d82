// NodeInfo is a node with the sums of what runs on it (spec 04 §2).
//
// The cache owns the live NodeInfos and a snapshot refers to them; dry runs work on clones. A clone
// shares what neither has changed. Each
// change takes a new generation, so that a snapshot refresh visits only what changed.
// Counterpart: framework.NodeInfo, v1.36.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/api/node.h"
#include "core/api/shared.h"
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

using ImageStates = SharedList<std::pair<Symbol, ImageStateSummary>>;  // sorted by name

class NodeInfo {
 public:
  explicit NodeInfo(Symbol name) : name_(std::move(name)) { content_.emplace(); }

  const Symbol& name() const { return name_; }
  // Null for a ghost: a node with known pods but without a Node object.
  const Node* node() const { return content_->node.get(); }
  const NodeRef& node_ref() const { return content_->node; }

  const std::vector<PodInfoRef>& pods() const { return content_->pods; }
  const std::vector<PodInfoRef>& pods_with_affinity() const { return content_->pods_with_affinity; }
  const std::vector<PodInfoRef>& pods_with_required_anti_affinity() const {
    return content_->pods_with_required_anti_affinity;
  }
  const std::vector<PodInfoRef>& pods_with_attachable_volumes() const {
    return content_->pods_with_attachable_volumes;
  }
  const HostPortInfo& used_ports() const { return content_->used_ports; }
  const Resource& requested() const { return content_->requested; }
  int64_t non_zero_milli_cpu() const { return content_->non_zero_milli_cpu; }
  int64_t non_zero_memory() const { return content_->non_zero_memory; }
  const Resource& allocatable() const { return content_->allocatable; }
  // status.declaredFeatures that the scheduler knows, sorted.
  const std::vector<Symbol>& declared_features() const { return content_->declared_features; }
  const ImageStates& image_states() const { return content_->image_states; }
  // Null if the node has not reported the image.
  const ImageStateSummary* FindImage(const Symbol& name) const;

  // The generation of the last change of the pods. Equal values: the same pods in the same order.
  uint64_t pod_list_generation() const { return content_->pod_list_generation; }
  // The generation of the last change that counting pods can see. Equal values: pods that count
  // alike (CountsAlike).
  uint64_t pod_generation() const { return content_->pod_generation; }
  // A pod was added or removed.
  void set_pod_generation(uint64_t generation) {
    Content& content = content_.Mutable();
    content.pod_generation = generation;
    content.pod_list_generation = generation;
  }
  // A pod was replaced by a version that counts alike.
  void set_pod_list_generation(uint64_t generation) {
    content_.Mutable().pod_list_generation = generation;
  }
  uint64_t generation() const { return content_->generation; }
  void set_generation(uint64_t generation) { content_.Mutable().generation = generation; }
  // Index in the snapshot's list and row of its NodeTable; meaningful only while listed.
  uint32_t row() const { return row_; }
  // The row is a place in a list and no part of the node's state, so readers of it may set it.
  void set_row(uint32_t row) const { row_ = row; }

  void SetNode(NodeRef node);
  void RemoveNode();
  void SetImageStates(ImageStates states) { content_.Mutable().image_states = std::move(states); }
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
  // All but the name and the place in a snapshot, which are read for every node when the list of
  // nodes changes. Copies of a NodeInfo share it until one of them is changed.
  struct Content {
    NodeRef node;
    std::vector<PodInfoRef> pods;  // removal moves the last pod into the hole, as upstream
    std::vector<PodInfoRef> pods_with_affinity;
    std::vector<PodInfoRef> pods_with_required_anti_affinity;
    std::vector<PodInfoRef> pods_with_attachable_volumes;
    HostPortInfo used_ports;
    Resource requested;
    int64_t non_zero_milli_cpu = 0;
    int64_t non_zero_memory = 0;
    Resource allocatable;
    std::vector<Symbol> declared_features;
    ImageStates image_states;
    uint64_t pod_generation = 0;
    uint64_t pod_list_generation = 0;
    uint64_t generation = 0;
  };

  Shared<Content> content_;
  Symbol name_;
  mutable uint32_t row_ = 0;
};

// The node features that the scheduler supports (NodeDeclaredFeatures), sorted by name.
const std::vector<Symbol>& KnownNodeFeatures();

}  // namespace stowage
