// What Framework runs once a node is chosen: Reserve, Unreserve and Bind (spec 05 §8, §9).
#include <fmt/format.h>

#include "core/runtime/framework.h"

namespace stowage {

Status Framework::RunReservePluginsReserve(CycleState& state, const Pod& pod,
                                           const Symbol& node) const {
  for (const auto& entry : reserve_) {
    Status status = entry.plugin->Reserve(state, pod, node);
    if (status.IsSuccess()) continue;
    if (status.IsRejected()) return status.WithPlugin(entry.name);
    return Status::Error(
        fmt::format("running Reserve plugin \"{}\": {}", entry.name.view(), status.Message()));
  }
  return Status::Success();
}

void Framework::RunReservePluginsUnreserve(CycleState& state, const Pod& pod,
                                           const Symbol& node) const {
  for (auto entry = reserve_.rbegin(); entry != reserve_.rend(); ++entry) {
    entry->plugin->Unreserve(state, pod, node);
  }
}

Status Framework::RunBindPlugins(CycleState& state, const Pod& pod, const Symbol& node,
                                 ApiCall* call) const {
  for (const auto& entry : bind_) {
    Status status = entry.plugin->Bind(state, pod, node, call);
    if (status.IsSkip()) continue;
    if (status.IsSuccess()) return status;
    if (status.IsRejected()) return status.WithPlugin(entry.name);
    return Status::Error(
        fmt::format("running Bind plugin \"{}\": {}", entry.name.view(), status.Message()));
  }
  return Status::Skip();
}

}  // namespace stowage
