#include "core/scheduler/pod_status_patch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace stowage {
namespace {

// A condition's members as JSON, sorted by name; a member without a value is not written.
// Conditions are merged by the last one.
constexpr std::array<std::string_view, 7> kMembers = {
    "lastProbeTime", "lastTransitionTime", "message", "observedGeneration", "reason", "status",
    "type"};
constexpr size_t kMergeKey = kMembers.size() - 1;

using Members = std::array<std::optional<std::string>, kMembers.size()>;

std::string TextJson(std::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

std::optional<std::string> UnlessEmpty(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return TextJson(text);
}

// metav1.Time is never omitted: without a value it is null.
std::string TimeJson(const std::optional<Instant>& time) {
  return time ? TextJson(time->ToRfc3339()) : "null";
}

Members MembersOf(const PodCondition& condition) {
  Members members;
  members[0] = TimeJson(condition.last_probe_time);
  members[1] = TimeJson(condition.last_transition_time);
  members[2] = UnlessEmpty(condition.message);
  if (condition.observed_generation != 0) {
    members[3] = std::to_string(condition.observed_generation);
  }
  members[4] = UnlessEmpty(condition.reason.view());
  members[5] = TextJson(condition.status.view());
  members[kMergeKey] = TextJson(condition.type.view());
  return members;
}

void WriteMembers(const Members& members, JsonWriter* json) {
  json->BeginObject();
  for (size_t member = 0; member < kMembers.size(); ++member) {
    if (members[member]) json->Key(kMembers[member]).Raw(*members[member]);
  }
  json->EndObject();
}

void WriteType(const Symbol& type, JsonWriter* json) {
  json->BeginObject().StringMember(kMembers[kMergeKey], type.view()).EndObject();
}

// `current` null: the condition is new.
void WriteConditions(const SharedList<PodCondition>& conditions, const PodCondition* current,
                     const PodCondition& wanted, JsonWriter* json) {
  Members before = current == nullptr ? Members() : MembersOf(*current);
  Members after = MembersOf(wanted);
  if (before == after) return;
  if (!conditions.empty()) {
    json->Key("$setElementOrder/conditions").BeginArray();
    for (const PodCondition& condition : conditions) WriteType(condition.type, json);
    if (current == nullptr) WriteType(wanted.type, json);
    json->EndArray();
  }
  json->Key("conditions").BeginArray().BeginObject();
  for (size_t member = 0; member < kMembers.size(); ++member) {
    if (member != kMergeKey && before[member] == after[member]) continue;
    json->Key(kMembers[member]).Raw(after[member].value_or("null"));
  }
  json->EndObject().EndArray();
}

}  // namespace

// The list of mappings is atomic, so a patch contains it whole.
std::string ExtendedResourceClaimStatusText(const PodExtendedResourceClaimStatus& status) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject().Key("requestMappings").BeginArray();
  for (const PodExtendedResourceRequestMapping& mapping : status.request_mappings) {
    json.BeginObject().StringMember("containerName", mapping.container_name.view());
    json.StringMember("requestName", mapping.request_name.view());
    json.StringMember("resourceName", mapping.resource_name.view()).EndObject();
  }
  json.EndArray().StringMember("resourceClaimName", status.resource_claim_name.view()).EndObject();
  return text;
}

// This list is atomic, too.
std::string NodeAllocatableResourceClaimStatusesText(
    const NodeAllocatableResourceClaimStatuses& statuses) {
  std::string text;
  JsonWriter json(&text);
  json.BeginArray();
  for (const NodeAllocatableResourceClaimStatus& one : statuses) {
    json.BeginObject().Key("containers").BeginArray();
    for (const Symbol& container : one.containers) json.String(container.view());
    json.EndArray().StringMember("resourceClaimName", one.resource_claim_name.view());
    json.Key("resources").BeginObject();
    for (const auto& [name, amount] : one.resources) {
      json.StringMember(name.view(), amount.ToString());
    }
    json.EndObject().EndObject();
  }
  json.EndArray();
  return text;
}

std::string ResourceClaimStatusesText(const PodStatus& status) {
  std::string text;
  JsonWriter json(&text);
  json.BeginArray();
  for (const PodResourceClaimStatus& one : status.resource_claim_statuses) {
    json.BeginObject().StringMember("name", one.name.view());
    if (!one.resource_claim_name.empty()) {
      json.StringMember("resourceClaimName", one.resource_claim_name.view());
    }
    json.EndObject();
  }
  json.EndArray();
  return text;
}

void WriteCondition(const PodCondition& condition, JsonWriter* json) {
  WriteMembers(MembersOf(condition), json);
}

// As metav1.Condition, which always has a message and no time of a probe.
void WriteGroupCondition(const PodCondition& condition, JsonWriter* json) {
  Members members = MembersOf(condition);
  members[0].reset();
  if (!members[2]) members[2] = TextJson("");
  WriteMembers(members, json);
}

std::string StatusPatchBody(const PodStatus& status, const PodStatusPatch& patch) {
  std::string changes;
  JsonWriter json(&changes);
  json.BeginObject();
  if (patch.condition) {
    PodCondition wanted = *patch.condition;
    auto found =
        std::find_if(status.conditions.begin(), status.conditions.end(),
                     [&wanted](const PodCondition& one) { return one.type == wanted.type; });
    const PodCondition* current = found == status.conditions.end() ? nullptr : &*found;
    if (current != nullptr && current->status == wanted.status) {
      wanted.last_transition_time = current->last_transition_time;
    }
    WriteConditions(status.conditions, current, wanted, &json);
  }
  if (patch.nominated_node_name && *patch.nominated_node_name != status.nominated_node_name) {
    json.Key("nominatedNodeName");
    if (patch.nominated_node_name->empty()) {
      json.Null();
    } else {
      json.String(patch.nominated_node_name->view());
    }
  }
  if (patch.extended_resource_claim_status &&
      patch.extended_resource_claim_status != status.extended_resource_claim_status) {
    json.Key("extendedResourceClaimStatus")
        .Raw(ExtendedResourceClaimStatusText(*patch.extended_resource_claim_status));
  }
  const auto& taken = patch.node_allocatable_resource_claim_statuses;
  if (!taken.empty() && taken != status.node_allocatable_resource_claim_statuses) {
    json.Key("nodeAllocatableResourceClaimStatuses")
        .Raw(NodeAllocatableResourceClaimStatusesText(taken));
  }
  json.EndObject();
  return changes == "{}" ? changes : "{\"status\":" + changes + "}";
}

}  // namespace stowage
