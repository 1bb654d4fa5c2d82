// Explains a refusal of NodeVolumeLimits: the drivers whose limit the pod would exceed.
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/plugins/node_volume_limits.h"

namespace stowage {

void NodeVolumeLimits::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  CsiNodeRef csi_node = handle_.listers().GetCsiNode(refusal.node.name());
  AttachableVolumes wanted;
  std::vector<DriverUse> uses;
  bool is_counted = csi_node != nullptr &&
                    CollectAttachable(handle_.listers(), refusal.pod, csi_node.get(), true, &wanted)
                        .IsSuccess() &&
                    CountUses(wanted, *csi_node, refusal.node, &uses).IsSuccess();
  if (!is_counted) return;
  json->Key("limits").BeginArray();
  for (const DriverUse& use : uses) {
    if (!use.is_exceeded()) continue;
    json->BeginObject().StringMember("driver", use.driver.view());
    json->IntMember("asked", use.asked).IntMember("attached", use.attached);
    json->IntMember("limit", use.limit).EndObject();
  }
  json->EndArray();
}

}  // namespace stowage
