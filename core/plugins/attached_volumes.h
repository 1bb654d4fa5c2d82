// AttachedVolumes follows what the pods of each node attach, for nodes that limit it. It reads only
// the pods and claims that have changed since the last Refresh.
//
// What it returns is what CollectAttachable would read now: a test compares both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/framework/interface.h"
#include "core/framework/snapshot.h"
#include "core/plugins/attachable_volumes.h"
#include "core/table/row_replay.h"

namespace stowage {

bool HasLimits(const CsiNode& csi_node);

class AttachedVolumes {
 public:
  AttachedVolumes();

  void Refresh(const Listers& listers, const Snapshot& snapshot);
  const StorageUse& use() const { return use_; }
  // Whether pods on nodes with limits attach one of the volumes, as of the last Refresh. May also
  // be true if none does.
  bool HasAny(const AttachableVolumes& volumes) const;

  // At least the number of volumes that the node's pods attach. nullopt: reading them may fail.
  std::optional<size_t> AtMost(const Listers& listers, const NodeInfo& node) const;
  // Points `volumes` to what the node's pods attach; valid until the next call. The node may be a
  // changed copy. `csi_node` is the node's.
  Status Read(const Listers& listers, const NodeInfo& node, const CsiNode& csi_node,
              const AttachableVolumes** volumes) const;

  // What was followed so far. Holders share it: Refresh copies the parts that it changes.
  struct Followed;
  std::shared_ptr<const Followed> Save() const { return followed_; }
  // Takes what another instance saved. What this one knows already it keeps: once the storage is
  // restored to an earlier state, it reads again what has changed since then.
  void Restore(const std::shared_ptr<const Followed>& saved);

 private:
  struct OfPod;
  struct Row;

  // For writing.
  Followed& Own();
  Row& OwnRow(size_t row);

  // The row, if it is up to date with the node's pods and the storage.
  const Row* Find(const Listers& listers, const NodeInfo& node) const;
  void FollowNodes(const Listers& listers, const Snapshot& snapshot);
  void FollowStorage(const Listers& listers, const Snapshot& snapshot);
  void Follow(const StorageChange& change, const Listers& listers, const Snapshot& snapshot);
  void ReadRow(const Listers& listers, const NodeInfo& node);
  void ReadNode(const Listers& listers, const NodeInfo& node);
  void ReadAgain(const ObjectKey& source, const Listers& listers, Row* row);
  static OfPod ReadPod(const Listers& listers, PodInfoRef pod);
  void Drop(const std::shared_ptr<Row>& row);
  // Counts, or no longer counts, what a pod or an attachment of the node names.
  void Count(const Row& row, const OfPod& pod, bool is_named);
  void Count(const Symbol& node, uint64_t hash, bool is_named);

  RowReplay replay_;
  std::shared_ptr<Followed> followed_;
  StorageUse use_;
  mutable AttachableVolumes of_copy_;
};

}  // namespace stowage
