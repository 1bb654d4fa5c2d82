// AttachedVolumes follows what the pods of each node attach, for nodes that limit it. It reads only
// the pods and claims that have changed since the last Refresh.
//
// What it returns is what CollectAttachable would read now: a test compares both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/framework/interface.h"
#include "core/framework/snapshot.h"
#include "core/plugins/attachable_volumes.h"
#include "core/table/row_replay.h"

namespace stowage {

bool HasLimits(const CsiNode& csi_node);

class AttachedVolumes {
 public:
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

  // The version of the storage at the last Refresh. Once the storage is restored to the state of an
  // earlier version, Rewind has the changes since then read again.
  std::optional<uint64_t> storage_version() const { return storage_version_; }
  void Rewind(std::optional<uint64_t> version) {
    if (storage_version_) storage_version_ = std::min(*storage_version_, version.value_or(0));
  }

 private:
  struct OfPod {
    PodInfoRef pod;
    Status status;
    std::vector<AttachableVolume> volumes;
    std::vector<ObjectKey> sources;
  };
  struct Row {
    Symbol node;
    bool has_limits = false;  // if not, nothing else is known
    std::vector<OfPod> pods;
    std::vector<ObjectKey> attached;                 // the volumes of the node's VolumeAttachments
    mutable std::shared_ptr<AttachableVolumes> all;  // of the pods, once they were read
  };

  // The row, if it is up to date with the node's pods and the storage.
  const Row* Find(const Listers& listers, const NodeInfo& node) const;
  void FollowNodes(const Listers& listers, const Snapshot& snapshot);
  void FollowStorage(const Listers& listers, const Snapshot& snapshot);
  void Follow(const StorageChange& change, const Listers& listers, const Snapshot& snapshot);
  void ReadRow(const Listers& listers, const NodeInfo& node);
  void ReadAgain(const ObjectKey& source, const Listers& listers, Row* row);
  static OfPod ReadPod(const Listers& listers, PodInfoRef pod);
  void Drop(Row* row);
  // Counts, or no longer counts, what a pod or an attachment of the node names.
  void Count(const Row& row, const OfPod& pod, bool is_named);
  void Count(const Symbol& node, uint64_t number, bool is_named);

  RowReplay replay_;
  std::optional<uint64_t> storage_version_;
  std::vector<Row> rows_;
  // The nodes whose pods name a claim, volume or attachable volume, by a hash of it. Those with
  // equal hashes are not told apart.
  std::unordered_map<uint64_t, std::vector<Symbol>> nodes_;
  // How often a node's pods name it.
  struct Naming {
    uint64_t number;
    Symbol node;

    friend bool operator==(const Naming&, const Naming&) = default;
  };
  struct HashOfNaming {
    size_t operator()(const Naming& naming) const {
      return static_cast<size_t>(naming.number ^ naming.node.id());
    }
  };
  std::unordered_map<Naming, int32_t, HashOfNaming> times_;
  StorageUse use_;
  mutable AttachableVolumes of_copy_;
};

}  // namespace stowage
