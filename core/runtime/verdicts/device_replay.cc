#include "core/runtime/verdicts/device_replay.h"

#include <algorithm>
#include <utility>

#include "core/base/stable_sort.h"
#include "core/dra/dra_manager.h"

namespace stowage {

bool DeviceReplay::Advance(const Framework& framework) {
  DraManager& dra = framework.dra();
  rows_.clear();
  const uint64_t slices = dra.slices().version();
  const uint64_t classes = framework.listers().device_class_version();
  const bool is_other = std::exchange(slices_, slices) != slices;
  const bool is_other_class = std::exchange(classes_, classes) != classes;
  const uint64_t from = std::exchange(changes_, dra.allocated().changes().end());
  if (is_other || is_other_class) return false;
  if (from == changes_) return true;
  auto nodes = dra.NodesChangedSince(from);
  if (!nodes) return false;
  for (const Symbol& name : *nodes) {
    const NodeInfo* node = framework.snapshot().Get(name);
    if (node != nullptr) rows_.push_back(static_cast<uint32_t>(node->row()));
  }
  Add({});
  return true;
}

void DeviceReplay::Add(std::span<const uint32_t> others) {
  rows_.insert(rows_.end(), others.begin(), others.end());
  StableSort(&rows_);
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
}

}  // namespace stowage
