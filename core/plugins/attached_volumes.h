// AttachedVolumes remembers what the pods of each node attach. A decision about all nodes then
// reads the claims of those nodes only whose pods or claims have changed.
//
// What it returns is what CollectAttachable would read now: a test compares both. A copy shares
// what neither changes later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/shared_array.h"
#include "core/plugins/attachable_volumes.h"
#include "core/table/node_info.h"

namespace stowage {

class AttachedVolumes {
 public:
  // The number of volumes that the node's pods name, which is at least the number that they
  // attach. nullopt: reading them may fail.
  std::optional<size_t> AtMost(const NodeInfo& node);
  // Points `volumes` to what the node's pods attach; valid until the next call. `csi_node` is the
  // node's.
  Status Read(const Listers& listers, const NodeInfo& node, const CsiNode& csi_node,
              const AttachableVolumes** volumes);

 private:
  // What the pods name, without a look at their claims.
  struct Named {
    std::vector<PodInfoRef> pods;
    size_t count = 0;
    bool may_fail = false;
  };
  struct Known {
    AttachableVolumes volumes;
    VolumeSources sources;
  };
  // Of the node in one row. Rows may get other nodes: the pods tell.
  struct Slot {
    std::shared_ptr<const Named> named;
    std::shared_ptr<const Known> known;
    uint64_t storage_version = 0;  // at which `known` is current
  };

  size_t SlotOf(const NodeInfo& node);
  static std::shared_ptr<const Named> NameVolumes(const NodeInfo& node);

  SharedArray<Slot> slots_;  // by row
};

}  // namespace stowage
