#include "core/framework/chunk_statuses.h"

#include "core/base/cold.h"

namespace stowage {

STOWAGE_COLD void ChunkStatuses::Set(uint64_t offsets, const Status& status) {
  // Neighbours usually share a status. Plugins may give each node its own, so few are compared.
  constexpr size_t kCompared = 4;
  for (size_t at = refusals_.size(); at > num_named_ && at + kCompared > refusals_.size(); --at) {
    if (!(refusals_[at - 1].status == status)) continue;
    refusals_[at - 1].offsets |= offsets;
    return;
  }
  refusals_.push_back({status, offsets});
}

}  // namespace stowage
