// NominatedVerdicts adds to a VerdictEntry the verdicts on nodes with nominated pods, which count
// as if they were running. Only nodes whose row or nominations have changed are filtered again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/bitset.h"
#include "core/framework/diagnosis.h"
#include "core/runtime/framework.h"

namespace stowage {

class VerdictEntry;

class NominatedVerdicts {
 public:
  // Updates the verdicts for `pod` from the entry, which is up to date. False: a plugin failed.
  bool Refresh(const Framework& framework, const VerdictEntry& entry, const Pod& pod);

  // The rows that the entry passes, but not with the pods nominated to them.
  const Bitset& refused() const { return refused_; }
  // The refusals of all rows.
  const NodeToStatus& statuses() const { return statuses_; }

  // Whether nothing is kept that Forget would drop.
  bool IsForgotten() const { return !is_filled_; }
  // Forgets everything, or the rows whose verdicts without nominated pods may have changed.
  void Forget();
  void Forget(std::span<const uint32_t> rows);

  size_t bytes() const;

 private:
  struct Verdict {
    std::vector<PodInfoRef> nominated;
    Status status;
  };

  void ListStaleRows(const Framework& framework, int32_t priority);
  void Drop(uint32_t row);

  bool is_filled_ = false;
  int32_t priority_ = 0;  // of the pod that the verdicts are for
  uint64_t cursor_ = 0;   // in the nominator's log
  std::vector<uint32_t> stale_;
  std::unordered_map<uint32_t, Verdict> verdicts_;  // of nodes with nominated pods, by row
  size_t num_nominated_ = 0;                        // in all of them
  Bitset refused_;
  NodeToStatus statuses_;
};

}  // namespace stowage
