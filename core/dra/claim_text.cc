#include "core/dra/claim_text.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/api/decode/objects.h"
#include "core/api/decode/source.h"

namespace stowage {
namespace {

constexpr size_t kDepthMax = 64;

template <typename List>
void WriteTexts(std::string_view name, const List& texts, JsonWriter* json) {
  if (texts.empty()) return;
  json->Key(name).BeginArray();
  for (const Symbol& text : texts) json->String(text.view());
  json->EndArray();
}

void WriteText(std::string_view name, const Symbol& text, JsonWriter* json) {
  if (!text.empty()) json->StringMember(name, text.view());
}

void WriteToleration(const DeviceToleration& toleration, JsonWriter* json) {
  json->BeginObject();
  WriteText("key", toleration.key, json);
  WriteText("operator", toleration.op, json);
  WriteText("value", toleration.value, json);
  WriteText("effect", toleration.effect, json);
  if (toleration.toleration_seconds) {
    json->IntMember("tolerationSeconds", *toleration.toleration_seconds);
  }
  json->EndObject();
}

void WriteResult(const DeviceRequestAllocationResult& result, JsonWriter* json) {
  json->BeginObject().StringMember("request", result.request.view());
  json->StringMember("driver", result.driver.view()).StringMember("pool", result.pool.view());
  json->StringMember("device", result.device.view());
  if (result.admin_access) json->BoolMember("adminAccess", *result.admin_access);
  if (!result.tolerations.empty()) {
    json->Key("tolerations").BeginArray();
    for (const DeviceToleration& toleration : result.tolerations) WriteToleration(toleration, json);
    json->EndArray();
  }
  WriteTexts("bindingConditions", result.binding_conditions, json);
  WriteTexts("bindingFailureConditions", result.binding_failure_conditions, json);
  if (result.share_id) json->StringMember("shareID", result.share_id->view());
  if (!result.consumed_capacity.empty()) {
    json->Key("consumedCapacity").BeginObject();
    for (const auto& [name, amount] : result.consumed_capacity) {
      json->StringMember(name.view(), amount.ToString());
    }
    json->EndObject();
  }
  json->EndObject();
}

void WriteConfiguration(const DeviceAllocationConfiguration& config, JsonWriter* json) {
  json->BeginObject().StringMember("source", config.source.view());
  WriteTexts("requests", config.requests, json);
  if (config.opaque) {
    json->Key("opaque").BeginObject().StringMember("driver", config.opaque->driver.view());
    const Symbol& parameters = config.opaque->parameters.json;
    if (!parameters.empty()) json->Key("parameters").Raw(parameters.view());
    json->EndObject();
  }
  json->EndObject();
}

void WriteExpressions(std::string_view name, const std::vector<SelectorExpression>& expressions,
                      JsonWriter* json) {
  if (expressions.empty()) return;
  json->Key(name).BeginArray();
  for (const SelectorExpression& expression : expressions) {
    json->BeginObject().StringMember("key", expression.key.view());
    json->StringMember("operator", expression.op.view());
    WriteTexts("values", expression.values, json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteNodeSelector(const NodeSelector& selector, JsonWriter* json) {
  json->BeginObject().Key("nodeSelectorTerms").BeginArray();
  for (const NodeSelectorTerm& term : selector.node_selector_terms) {
    json->BeginObject();
    WriteExpressions("matchExpressions", term.match_expressions, json);
    WriteExpressions("matchFields", term.match_fields, json);
    json->EndObject();
  }
  json->EndArray().EndObject();
}

// Sets the member at `path` of the claim's text; an empty text removes it.
void SetText(std::initializer_list<std::string_view> path, std::string_view json,
             ResourceClaim* claim) {
  CHECK(claim->metadata.source != nullptr);
  std::string text = *claim->metadata.source;
  json.empty() ? SetStringAt(path, {}, &text) : SetJsonAt(path, json, &text);
  claim->metadata.source = std::make_shared<const std::string>(std::move(text));
}

std::string ReservationsText(const ResourceClaim& claim) {
  std::string text;
  JsonWriter json(&text);
  json.BeginArray();
  for (const ResourceClaimConsumerReference& consumer : claim.status.reserved_for) {
    json.BeginObject();
    WriteText("apiGroup", consumer.api_group, &json);
    json.StringMember("resource", consumer.resource.view());
    json.StringMember("name", consumer.name.view()).StringMember("uid", consumer.uid.view());
    json.EndObject();
  }
  json.EndArray();
  return text;
}

}  // namespace

const ClaimWords& ClaimWords::Get() {
  static const ClaimWords* words = new ClaimWords;
  return *words;
}

std::string ClaimText(const ResourceClaim& claim) {
  CHECK(claim.metadata.source != nullptr);
  std::string text = *claim.metadata.source;
  // Items of lists lack kind and apiVersion.
  const KindInfo& info = InfoOf(ObjectKind::kResourceClaim);
  SetStringAt({"kind"}, info.name, &text);
  SetStringAt({"apiVersion"}, info.api_version, &text);
  return text;
}

ResourceClaimRef ClaimOfText(std::string_view text) {
  if (text.empty()) return nullptr;
  ObjectDecoding decoding = DecodeObject(text, InfoOf(ObjectKind::kResourceClaim), kDepthMax);
  return decoding.object ? decoding.object->Ref<ResourceClaim>() : nullptr;
}

void WriteAllocation(const AllocationResult& allocation, bool has_timestamp, JsonWriter* json) {
  json->BeginObject().Key("devices").BeginObject();
  if (!allocation.devices.results.empty()) {
    json->Key("results").BeginArray();
    for (const DeviceRequestAllocationResult& result : allocation.devices.results) {
      WriteResult(result, json);
    }
    json->EndArray();
  }
  if (!allocation.devices.config.empty()) {
    json->Key("config").BeginArray();
    for (const DeviceAllocationConfiguration& config : allocation.devices.config) {
      WriteConfiguration(config, json);
    }
    json->EndArray();
  }
  json->EndObject();
  if (allocation.node_selector) {
    WriteNodeSelector(*allocation.node_selector, &json->Key("nodeSelector"));
  }
  if (has_timestamp && allocation.allocation_timestamp) {
    json->StringMember("allocationTimestamp", allocation.allocation_timestamp->ToRfc3339());
  }
  json->EndObject();
}

bool HasFinalizer(const ResourceClaim& claim) {
  const SharedList<Symbol>& finalizers = claim.metadata.finalizers;
  return std::find(finalizers.begin(), finalizers.end(), ClaimWords::Get().finalizer) !=
         finalizers.end();
}

bool IsReservedFor(const ResourceClaim& claim, const Symbol& uid) {
  const auto& consumers = claim.status.reserved_for;
  return std::any_of(consumers.begin(), consumers.end(),
                     [&uid](const ResourceClaimConsumerReference& one) { return one.uid == uid; });
}

void SetFinalizer(bool is_present, ResourceClaim* claim) {
  if (HasFinalizer(*claim) == is_present) return;
  SharedList<Symbol>& finalizers = claim->metadata.finalizers;
  if (is_present) {
    finalizers.push_back(ClaimWords::Get().finalizer);
  } else {
    std::erase(finalizers.Mutable(), ClaimWords::Get().finalizer);
  }
  std::string text;
  if (!finalizers.empty()) {
    JsonWriter json(&text);
    json.BeginArray();
    for (const Symbol& finalizer : finalizers) json.String(finalizer.view());
    json.EndArray();
  }
  SetText({"metadata", "finalizers"}, text, claim);
}

void SetAllocation(Shared<AllocationResult> allocation, ResourceClaim* claim) {
  std::string text;
  if (allocation) {
    JsonWriter json(&text);
    WriteAllocation(*allocation, true, &json);
  }
  claim->status.allocation = std::move(allocation);
  SetText({"status", "allocation"}, text, claim);
}

void AddReservation(const ResourceClaimConsumerReference& consumer, ResourceClaim* claim) {
  claim->status.reserved_for.push_back(consumer);
  SetText({"status", "reservedFor"}, ReservationsText(*claim), claim);
}

void RemoveReservation(const Symbol& uid, ResourceClaim* claim) {
  std::erase_if(claim->status.reserved_for.Mutable(),
                [&uid](const ResourceClaimConsumerReference& one) { return one.uid == uid; });
  bool is_empty = claim->status.reserved_for.empty();
  SetText({"status", "reservedFor"}, is_empty ? std::string() : ReservationsText(*claim), claim);
}

void Deallocate(ResourceClaim* claim) {
  claim->status = ResourceClaimStatus();
  SetText({"status"}, {}, claim);
}

}  // namespace stowage
