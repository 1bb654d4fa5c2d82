// AffinityRows keeps which rows' nodes do not meet what pods require of a node. Many pods require
// the same, and nodes seldom change, so a requirement is seldom compared with all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/api/node_affinity.h"
#include "core/api/pod.h"
#include "core/table/node_table.h"
#include "core/table/row_replay.h"

namespace stowage {

class AffinityRows {
 public:
  // By row of the chunk's table, 1 for a node that does not meet what the pod requires. Empty:
  // nothing is kept for such pods, and comparing the chunk's nodes takes less time than all.
  std::span<const uint8_t> UnmetBy(const Pod& pod, const NodeChunk& chunk);

 private:
  // Of pods whose requirements share their memory.
  struct Requirement {
    explicit Requirement(const Pod& pod)
        : node_selector(pod.spec.node_selector),
          affinity(pod.spec.affinity),
          required(GetRequiredNodeAffinity(pod)) {}

    bool IsOf(const Pod& pod) const;
    void Follow(const NodeTable& table);

    std::optional<LabelMap> node_selector;
    Shared<Affinity> affinity;
    RequiredNodeAffinity required;
    RowReplay replay;
    std::vector<uint8_t> unmet;  // by row
  };
  static constexpr size_t kMax = 16;

  std::array<std::unique_ptr<Requirement>, kMax> known_;
  size_t next_ = 0;  // the one to be replaced
};

}  // namespace stowage
