#include "core/dra/device_refusals.h"

namespace stowage {

void DeviceRefusals::Add(const Count& kind, const DeviceId& device) {
  devices_[{kind.claim, kind.request, kind.refusal, kind.index}].insert(
      {device.driver, device.pool, device.device});
}

void DeviceRefusals::SetPools(size_t num_devices, std::vector<PoolProblem> problems) {
  num_devices_ = num_devices;
  pool_problems_ = std::move(problems);
}

std::vector<DeviceRefusals::Count> DeviceRefusals::Counts() const {
  std::vector<Count> counts;
  for (const auto& [key, devices] : devices_) {
    const auto& [claim, request, refusal, index] = key;
    counts.push_back({claim, request, refusal, index, devices.size()});
  }
  return counts;
}

}  // namespace stowage
