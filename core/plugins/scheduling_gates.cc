#include "core/plugins/scheduling_gates.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace stowage {

Status SchedulingGates::PreEnqueue(const Pod& pod) const {
  if (pod.spec.scheduling_gates.empty()) return Status::Success();
  std::vector<std::string_view> gates;
  for (const PodSchedulingGate& gate : pod.spec.scheduling_gates) gates.push_back(gate.name.view());
  return Status::UnschedulableAndUnresolvable(
      fmt::format("waiting for scheduling gates: [{}]", fmt::join(gates, " ")));
}

}  // namespace stowage
