// Cache holds the scheduler's view of nodes and their pods; it is ahead of the API server by the
// pods that the scheduler has assumed (spec 04).
//
// Invariants: a pod uid is in at most one NodeInfo; the sums of a NodeInfo are those of its pods; a
// NodeInfo without a node and without pods does not exist.
//
// Failures are Error statuses in upstream's words. One has our words: a pod that is updated or
// removed on another node than it was added to, for which upstream exits. Failures change nothing,
// with one exception: RemoveNode for a node that is not in the zone of its labels removes the node
// from its NodeInfo but leaves it in the tree and the images, as upstream does.
// Counterpart: backend/cache/cache.go, v1.36.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/hash_map.h"
#include "core/base/revertible_map.h"
#include "core/cache/image_states.h"
#include "core/cache/node_items.h"
#include "core/cache/node_tree.h"
#include "core/framework/pod_group_states.h"
#include "core/framework/snapshot.h"
#include "core/framework/status.h"
#include "core/table/node_info.h"

namespace stowage {

class Cache {
 public:
  using NodesInOrder = std::span<const NodeInfo* const>;

  void AddNode(NodeRef node);
  void UpdateNode(const Node& old_node, NodeRef new_node);
  Status RemoveNode(const Node& node);

  // Makes room for so many pods, so that assuming one moves no others.
  void ExpectPods(size_t count) { pods_.Reserve(count); }
  // Adds the pod to the node in its spec.nodeName.
  Status AssumePod(const PodInfoRef& pod);
  Status ForgetPod(const Pod& pod);
  Status AddPod(const PodInfoRef& pod);
  Status UpdatePod(const Pod& old_pod, const PodInfoRef& new_pod);
  Status RemovePod(const Pod& pod);

  bool IsAssumedPod(const Symbol& uid) const;
  // The pods of groups: those on nodes, and those that the caller adds.
  PodGroupStates& pod_groups() { return pod_groups_; }
  const PodGroupStates& pod_groups() const { return pod_groups_; }
  // Null if the uid is unknown.
  PodInfoRef GetPod(const Symbol& uid) const;
  // Reads what finding or adding the pod will read (base/read_ahead.h).
  void ReadPodAhead(const Symbol& uid) const { pods_.ReadAhead(uid); }
  // In the order in which cycles visit the nodes, without ghosts.
  std::vector<Symbol> NodeNames() const { return tree_.List(); }
  // Sorted by name, ghosts included.
  std::vector<const NodeInfo*> NodeInfos() const;
  // Sorted by uid.
  std::vector<PodInfoRef> AssumedPods() const;
  // Null if neither a node nor a pod on it is known; may be a ghost.
  const NodeInfo* GetNodeInfo(const Symbol& name) const;

  size_t NumNodes() const { return tree_.NumNodes(); }  // without ghosts
  size_t NumNodeInfos() const { return nodes_.size(); }
  size_t NumPods() const { return pods_.size(); }
  size_t NumAssumedPods() const { return num_assumed_pods_; }

  // Makes `snapshot`, a copy of a snapshot of `other`, refer to the nodes of this cache, which is a
  // copy of `other`.
  void AdoptSnapshot(const Cache& other, Snapshot* snapshot) const;

  // The state that Restore goes back to. Savepoints nest: the latest one ends first.
  struct Savepoint;
  Savepoint Save(const Snapshot& snapshot);
  // Restores the cache and the snapshot. Nodes that have changed since count as changed in the
  // table again, because generations are used twice.
  void Restore(Savepoint savepoint, Snapshot* snapshot);
  // Keeps the changes since the savepoint.
  void Release(const Savepoint& savepoint);

  // Shows the pod no longer on its node, or again. Everything else still counts it; Restore undoes
  // it.
  void HidePod(const PodInfoRef& pod, bool is_hidden);

  // Updates `snapshot`: visits only nodes that changed since its last refresh.
  void UpdateSnapshot(Snapshot* snapshot);
  // Shows the pods that were assumed or forgotten since the last refresh of this cycle.
  void RefreshPods(Snapshot* snapshot) { RefreshForCycle(snapshot); }
  // Restricts `snapshot` to some of its nodes, and lists others again, in visit order.
  void SetPlacement(NodesInOrder nodes, Snapshot* snapshot) const { snapshot->SetList(nodes); }
  // Updates a snapshot that only evaluations have read; the result is that of a first refresh.
  // Changes of pods are applied. After a change of a node the snapshot is rebuilt, since a refresh
  // would keep the earlier order of nodes and image counts.
  void UpdateSnapshotForEvaluations(Snapshot* snapshot);
  // Shows an evaluation between two cycles the pods that have come and gone since the first of
  // them. UpdateSnapshot, for the second cycle, visits their nodes again, so its result is the same
  // as without this call. Does nothing if the order of nodes or an image count would be frozen.
  void ShowPods(Snapshot* snapshot);
  // Makes the next refresh of `snapshot` a first one: it visits all nodes and lists them anew. Rows
  // that it finds unchanged stay as they are, so that readers need not read them again.
  static void ForgetSnapshot(Snapshot* snapshot) {
    snapshot->generation_ = snapshot->shown_generation_ = 0;
  }

  // The state that EndEvaluation restores.
  struct SavedState;
  // Updates `snapshot` for an evaluation, as if the pod `removed` (null: none) had just been
  // removed from its node. EndEvaluation must follow; it restores cache and snapshot, because a
  // refresh freezes image counts and the order of nodes, which would show in later decisions.
  // EndEvaluation returns whether the snapshot had changed in between.
  SavedState BeginEvaluation(const PodInfo* removed, Snapshot* snapshot);
  bool EndEvaluation(SavedState saved, Snapshot* snapshot);

 private:
  using Number = NodeItems::Number;
  using NodeItem = NodeItems::Item;
  struct PodState {
    PodInfoRef pod;
    bool is_assumed : 1 = false;
    Number node : 31 = 0;  // that has the pod
  };
  using Pods = RevertibleMap<Symbol, PodState, SymbolNumber>;

  Number GetOrCreate(const Symbol& name, bool* created);
  Number Create(const Symbol& name);
  // The node that has the pod, which must be one that the cache knows.
  Number NodeOf(const PodInfo& pod) const;
  void Touch(Number node);
  void Erase(Number node);
  // `state`: the pod's entry, which may be new.
  void AddPodToNode(const PodInfoRef& pod, bool is_assumed, PodState* state);
  void RemovePodFromNode(Pods::const_iterator state);
  void ReplacePod(const PodInfoRef& pod, Pods::const_iterator state);
  void AddPodAgain(const PodInfoRef& pod, Pods::const_iterator state);
  // Whether a refresh would change nothing.
  bool IsCurrent(const Snapshot& snapshot) const;
  // Whether the snapshot lists nodes that the cache no longer has.
  bool HasRemovedNodes(const Snapshot& snapshot) const {
    return snapshot.by_name_.size() > tree_.NumNodes();
  }
  // Whether since the last refresh no node has come, gone, changed its place in the order of nodes
  // or its images: then the others can be refreshed without a trace.
  bool CanReuseForEvaluations(const Snapshot& snapshot) const;
  void RemovePodForEvaluation(const Symbol& uid, Number node, Snapshot* snapshot);
  void RefreshImages(Number node);
  // Shows the nodes that have changed since the generation. Returns true if the list must be
  // rebuilt.
  bool RefreshChangedNodes(Snapshot* snapshot, uint64_t since);
  bool RefreshForCycle(Snapshot* snapshot);
  void RebuildList(Snapshot* snapshot);

  HashMap<Symbol, Number, SymbolNumber> nodes_;
  NodeItems items_;
  NodeTree tree_;
  ImageStateMap image_states_;
  Pods pods_;
  PodGroupStates pod_groups_;
  size_t num_assumed_pods_ = 0;
  uint64_t generation_ = 0;
  uint64_t num_node_changes_ = 0;
  uint64_t num_evaluations_ = 0;
  uint64_t num_listings_ = 0;
  uint64_t listing_ = 0;  // the last list that tree_ has visited
};

struct Cache::SavedState {
  struct SavedNode {
    Number node;
    NodeItem item;
  };

  std::optional<Snapshot> snapshot;  // unset if the evaluation changes nothing
  std::vector<SavedNode> nodes;
};

// All but the nodes and pods, whose changes NodeItems and RevertibleMap undo.
struct Cache::Savepoint {
  NodeItems::Savepoint items;
  HashMap<Symbol, Number, SymbolNumber> numbers;
  NodeTree tree;
  ImageStateMap image_states;
  PodGroupStates pod_groups;
  size_t num_assumed_pods;
  uint64_t generation;
  uint64_t num_node_changes;
  uint64_t listing;
  Snapshot snapshot;
};

}  // namespace stowage
