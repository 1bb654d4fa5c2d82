// Explains a refusal of DynamicResources: the claims that are not available on the node, and of the
// others, request by request, how many devices each rule refuses and how many are left.
#include <algorithm>
#include <string>

#include "core/api/encode/json_writer.h"
#include "core/dra/device_refusals.h"
#include "core/dra/device_taints.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/culprit_taint.h"
#include "core/plugins/dynamic_resources.h"

namespace stowage {
namespace {

// The most requests that are written. Expressions and messages are cut off at kMaxText bytes.
constexpr size_t kMaxRequests = 32;
constexpr size_t kMaxText = 300;
constexpr int64_t kWhole = 1000;

// By DeviceRule.
constexpr std::string_view kRules[] = {
    "",      "bindingConditions", "classSelector", "selector",  "node", "fault", "capacity",
    "inUse", "counters",          "taint",         "constraint"};

void WriteText(std::string_view name, std::string_view text, JsonWriter* json) {
  if (text.size() <= kMaxText) {
    json->StringMember(name, text);
    return;
  }
  size_t size = kMaxText;
  while ((text[size] & 0xC0) == 0x80) --size;  // the middle of a character
  json->StringMember(name, std::string(text.substr(0, size)) + "…");
}

void WriteSelector(const SharedList<DeviceSelector>& selectors, size_t index, JsonWriter* json) {
  const auto& cel = selectors[index].cel;
  if (cel) WriteText("expression", cel->expression.view(), json);
}

void WriteConstraint(const DeviceConstraint& constraint, JsonWriter* json) {
  bool is_match = constraint.match_attribute.has_value();
  const Symbol& attribute = is_match ? *constraint.match_attribute : *constraint.distinct_attribute;
  json->StringMember(is_match ? "matchAttribute" : "distinctAttribute", attribute.view());
}

// One rule: what it refused first, and what is known of the rule there.
void WriteCount(const DeviceRefusals& refusals, const DeviceRefusals::Count& count,
                const ClaimRequests& claim, const DeviceRequestData& request, JsonWriter* json) {
  const Pool& pool = *refusals.pools().pools[count.device.pool];
  const PoolDevice& device = pool.devices[count.device.device];
  const DeviceRefusals::Reason& reason = count.reason;
  json->BeginObject().StringMember("rule", kRules[static_cast<size_t>(reason.rule)]);
  json->IntMember("devices", count.num_devices);
  json->StringMember("device", pool.Name() + "/" + device.device().name.str());
  if (reason.is_together) json->BoolMember("isTogether", true);
  switch (reason.rule) {
    case DeviceRule::kFault:
      WriteText("message", refusals.FaultOf(request.number), json);
      break;
    case DeviceRule::kClassSelector:
      WriteSelector(request.device_class->spec.selectors, reason.index, json);
      break;
    case DeviceRule::kSelector:
      WriteSelector(request.request->selectors, reason.index, json);
      break;
    case DeviceRule::kTaint: {
      const DeviceTaint& taint = *UntoleratedTaint(device.device(), *request.request);
      WriteTaint({taint.key, taint.value, taint.effect}, json);
      break;
    }
    case DeviceRule::kConstraint:
      WriteConstraint(claim.claim->spec.devices.constraints[reason.index], json);
      break;
    default:
      break;
  }
  json->EndObject();
}

// The claim of extended resources has no name yet.
void WriteClaimName(const ResourceClaim& claim, JsonWriter* json) {
  if (IsInMemory(claim)) return;
  json->Key("claim").NamespacedName(claim.metadata.namespace_.view(), claim.metadata.name.view());
}

void WriteRequest(const DeviceRefusals& refusals, const ClaimRequests& claim,
                  const DeviceRequestData& request, JsonWriter* json) {
  json->BeginObject();
  WriteClaimName(*claim.claim, json);
  json->StringMember("request", request.full_name.view());
  json->StringMember("deviceClass", request.device_class->metadata.name.view());
  json->Key("asked");
  request.is_all ? json->String("All") : json->Int(request.count);
  json->IntMember("devices", refusals.pools().num_devices);
  json->IntMember("left", refusals.NumLeft(request.number));
  json->IntMember("missing", refusals.NumMissing(request)).Key("refused").BeginArray();
  for (const DeviceRefusals::Count& count : refusals.CountsOf(request.number)) {
    WriteCount(refusals, count, claim, request, json);
  }
  json->EndArray().EndObject();
}

void WriteRequests(const DeviceRefusals& refusals, JsonWriter* json) {
  size_t num = 0;
  json->Key("deviceRequests").BeginArray();
  for (const ClaimRequests& claim : refusals.claims()) {
    for (const DeviceRequestData& request : claim.entries) {
      if (!request.error.empty()) continue;
      if (++num <= kMaxRequests) WriteRequest(refusals, claim, request, json);
    }
  }
  json->EndArray();
  if (num > kMaxRequests) json->IntMember("deviceRequestsOmitted", num - kMaxRequests);
}

void WritePools(const NodePools& pools, JsonWriter* json) {
  size_t num = 0;
  json->Key("devicePools").BeginArray();
  for (const Pool* pool : pools.pools) {
    if (!pool->is_incomplete && !pool->is_invalid()) continue;
    if (++num > CulpritPlugin::kMaxPods) break;
    json->BeginObject().StringMember("pool", pool->Name());
    json->StringMember("problem", pool->is_incomplete ? "incomplete" : pool->invalid_reason);
    json->EndObject();
  }
  json->EndArray();
}

// What is missing of a request: of alternatives the one that misses least. A device that the
// request selects and cannot have counts half.
int64_t MissingOf(const DeviceRefusals& refusals, const ClaimRequests& claim,
                  const DeviceRequestRange& range) {
  int64_t least = kWhole;
  size_t end = std::min(range.first + range.num, claim.entries.size());
  for (size_t at = range.first; at < end; ++at) {
    const DeviceRequestData& request = claim.entries[at];
    if (!request.error.empty()) continue;
    auto missing = static_cast<int64_t>(refusals.NumMissing(request));
    auto left = static_cast<int64_t>(refusals.NumLeft(request.number));
    auto selected = static_cast<int64_t>(
        refusals.NumRefused(request.number, DeviceRule::kCapacity, DeviceRule::kConstraint));
    if (missing == 0) return 0;
    int64_t halves = 2 * missing - std::min(missing, selected);
    least = std::min(least, halves * kWhole / (2 * (missing + left)));
  }
  return least;
}

}  // namespace

// Runs the allocator again. The result is null if it does not come to the devices; otherwise it
// must outlive what is read from `refusals`.
std::unique_ptr<Allocator> DynamicResources::Survey(const Refusal& refusal,
                                                    DeviceRefusals* refusals) const {
  const DynamicResourcesData* data = DataIn(refusal.state);
  const std::vector<Symbol>& reasons = refusal.status.reasons();
  bool is_known = !reasons.empty() &&
                  (reasons.front() == kReasonNotAvailable || reasons.front() == kReasonCannotFit ||
                   reasons.front() == kReasonExtendedClaim);
  if (is_known || data->allocator == nullptr) return nullptr;
  std::vector<ResourceClaimRef> wanted;
  for (size_t index = 0; index < data->claims.size(); ++index) {
    const ClaimInCycle& info = data->claims[index];
    if (info.is_allocated()) continue;
    // Filter has just searched this node, for these extended resources.
    wanted.push_back(data->IsExtended(index) ? data->last_extended->claim : info.claim);
  }
  std::unique_ptr<Allocator> allocator = handle_.dra().NewAllocator(refusals);
  StepBudget steps;
  if (filter_timeout_us_ > 0) steps.Begin(static_cast<uint64_t>(filter_timeout_us_), 1);
  allocator->Allocate(*refusal.node.node(), wanted, &steps);
  bool is_complete = handle_.steps().Spend(steps.spent());
  return is_complete && refusals->has_begun() ? std::move(allocator) : nullptr;
}

void DynamicResources::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const DynamicResourcesData* data = DataIn(refusal.state);
  if (data == nullptr) return;
  DeviceRefusals refusals;
  std::unique_ptr<Allocator> allocator = Survey(refusal, &refusals);
  if (allocator != nullptr) {
    WriteRequests(refusals, json);
    WritePools(refusals.pools(), json);
    return;
  }
  json->Key("unavailableClaims").BeginArray();
  for (const ClaimInCycle& info : data->claims) {
    if (IsAvailableOn(*refusal.node.node(), info)) continue;
    const ObjectMeta& metadata = info.claim->metadata;
    json->NamespacedName(metadata.namespace_.view(), metadata.name.view());
  }
  json->EndArray();
}

int64_t DynamicResources::Missing(const Refusal& refusal) const {
  if (DataIn(refusal.state) == nullptr) return 0;
  DeviceRefusals refusals;
  std::unique_ptr<Allocator> allocator = Survey(refusal, &refusals);
  if (allocator == nullptr) return kWhole;
  int64_t sum = 0;
  for (const ClaimRequests& claim : refusals.claims()) {
    for (const DeviceRequestRange& range : claim.requests) {
      sum += MissingOf(refusals, claim, range);
    }
  }
  return sum;
}

}  // namespace stowage
