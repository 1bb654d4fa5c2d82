// DeviceChanges is a log of the pools whose devices in use changed, for caches of what depends on
// these devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dra/device_id.h"

namespace stowage {

class DeviceChanges {
 public:
  // Changes that are kept at least.
  static constexpr size_t kKept = 8192;

  void Add(const PoolId& pool) {
    if (pools_.size() == 2 * kKept) {
      pools_.erase(pools_.begin(), pools_.begin() + kKept);
      first_ += kKept;
    }
    pools_.push_back(pool);
  }

  // The number of changes so far.
  uint64_t end() const { return first_ + pools_.size(); }

  // The pools of all changes but the first `from`; nullopt if they are not all kept.
  std::optional<std::span<const PoolId>> Since(uint64_t from) const {
    if (from < first_) return std::nullopt;
    return std::span(pools_).subspan(from - first_);
  }

 private:
  uint64_t first_ = 0;
  std::vector<PoolId> pools_;
};

}  // namespace stowage
