// PrioritySort schedules pods of higher priority first, and among equals the one that has waited
// longer.
// Counterpart: framework/plugins/queuesort, v1.36.
#pragma once

#include <optional>
#include <string_view>

#include "core/framework/interface.h"
#include "core/framework/registry.h"

namespace stowage {

class PrioritySort final : public Plugin, public QueueSortPlugin {
 public:
  static constexpr std::string_view kName = "PrioritySort";

  explicit PrioritySort(const PluginContext&) {}

  std::string_view Name() const override { return kName; }
  bool Less(const QueuedPodInfo& a, const QueuedPodInfo& b) const override;
  std::optional<QueueSortKey> KeyOf(const QueuedPodInfo& pod) const override;
};

}  // namespace stowage
