#include "core/table/node_info_json.h"

#include "core/api/decode/source.h"

namespace stowage {
namespace {

void WriteAmounts(std::string_view name, const Resource& resource, int64_t pods, JsonWriter* json) {
  json->Key(name).BeginObject().IntMember("cpu", resource.milli_cpu);
  json->IntMember("memory", resource.memory);
  json->IntMember("ephemeral-storage", resource.ephemeral_storage).IntMember("pods", pods);
  for (const auto& [scalar, amount] : resource.scalars) json->IntMember(scalar.view(), amount);
  json->EndObject();
}

}  // namespace

void WriteNodeInfoMembers(const NodeInfo& info, JsonWriter* json) {
  json->StringMember("name", info.name().view()).Key("node").Raw(NodeJson(*info.node()));
  WriteAmounts("allocatable", info.allocatable(), info.allocatable().allowed_pod_number, json);
  WriteAmounts("requested", info.requested(), static_cast<int64_t>(info.pods().size()), json);
}

void WritePods(const NodeInfo& info, JsonWriter* json) {
  json->BeginArray();
  for (const PodInfoRef& pod : info.pods()) json->Raw(PodJson(*pod->pod));
  json->EndArray();
}

}  // namespace stowage
