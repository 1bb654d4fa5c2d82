#include "core/dra/device_taints.h"

#include <algorithm>

namespace stowage {
namespace {

bool Tolerates(const DeviceToleration& toleration, const DeviceTaint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  return toleration.op == "Exists";
}

}  // namespace

const DeviceTaint* UntoleratedTaint(const Device& device, const ExactDeviceRequest& request) {
  for (const DeviceTaint& taint : device.taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    const SharedList<DeviceToleration>& tolerations = request.tolerations;
    bool is_tolerated = std::any_of(
        tolerations.begin(), tolerations.end(),
        [&taint](const DeviceToleration& toleration) { return Tolerates(toleration, taint); });
    if (!is_tolerated) return &taint;
  }
  return nullptr;
}

}  // namespace stowage
