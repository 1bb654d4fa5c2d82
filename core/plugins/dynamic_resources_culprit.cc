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
#include "core/plugins/dynamic_resources_claims.h"

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

// Whether a claim of the pod has one of the devices.
bool Holds(const Pod& pod, const std::vector<DeviceId>& devices, const ClaimCache& claims) {
  auto has = [&devices](const ResourceClaimRef& claim) {
    if (claim == nullptr || !claim->status.allocation) return false;
    const auto& results = claim->status.allocation->devices.results;
    return std::any_of(results.begin(), results.end(), [&devices](const auto& result) {
      DeviceId device{result.driver, result.pool, result.device};
      return !result.admin_access.value_or(false) &&
             std::find(devices.begin(), devices.end(), device) != devices.end();
    });
  };
  auto own = PodResourceClaims(pod, claims);
  return (own.ok() && std::any_of(own->begin(), own->end(), has)) ||
         has(claims.FindExtendedResourceClaim(pod.metadata.name, pod.metadata.uid));
}

// Writes the requests of claims, with what the allocator found out about them.
class RequestsWriter {
 public:
  RequestsWriter(const DeviceRefusals& refusals, const NodeInfo& node, Handle& handle,
                 JsonWriter* json)
      : refusals_(refusals), node_(node), handle_(handle), json_(*json) {}

  void Write();

 private:
  void WriteRequest(const ResourceClaim& claim, const DeviceRequestData& request);
  void WriteCount(const DeviceRefusals::Count& count, const ResourceClaim& claim,
                  const DeviceRequestData& request);
  void WriteHolders(size_t entry);

  const DeviceRefusals& refusals_;
  const NodeInfo& node_;
  Handle& handle_;
  JsonWriter& json_;
};

void RequestsWriter::Write() {
  size_t num = 0;
  json_.Key("deviceRequests").BeginArray();
  for (const ClaimRequests& claim : refusals_.claims()) {
    for (const DeviceRequestData& request : claim.entries) {
      if (!request.error.empty()) continue;
      if (++num <= kMaxRequests) WriteRequest(*claim.claim, request);
    }
  }
  json_.EndArray();
  if (num > kMaxRequests) json_.IntMember("deviceRequestsOmitted", num - kMaxRequests);
}

void RequestsWriter::WriteRequest(const ResourceClaim& claim, const DeviceRequestData& request) {
  json_.BeginObject();
  // The claim of extended resources has no name yet.
  if (!IsInMemory(claim)) {
    const ObjectMeta& metadata = claim.metadata;
    json_.Key("claim").NamespacedName(metadata.namespace_.view(), metadata.name.view());
  }
  json_.StringMember("request", request.full_name.view());
  json_.StringMember("deviceClass", request.device_class->metadata.name.view());
  json_.Key("asked");
  request.is_all ? json_.String("All") : json_.Int(request.count);
  json_.IntMember("devices", refusals_.pools().num_devices);
  json_.IntMember("left", refusals_.NumLeft(request.number));
  json_.IntMember("missing", refusals_.NumMissing(request)).Key("refused").BeginArray();
  for (const DeviceRefusals::Count& count : refusals_.CountsOf(request.number)) {
    WriteCount(count, claim, request);
  }
  json_.EndArray().EndObject();
}

// One rule: what it refused first, and what is known of the rule there.
void RequestsWriter::WriteCount(const DeviceRefusals::Count& count, const ResourceClaim& claim,
                                const DeviceRequestData& request) {
  const Pool& pool = *refusals_.pools().pools[count.device.pool];
  const Device& device = pool.devices[count.device.device].device();
  const DeviceRefusals::Reason& reason = count.reason;
  json_.BeginObject().StringMember("rule", kRules[static_cast<size_t>(reason.rule)]);
  json_.IntMember("devices", count.num_devices);
  json_.StringMember("device", pool.Name() + "/" + device.name.str());
  if (reason.is_together) json_.BoolMember("isTogether", true);
  switch (reason.rule) {
    case DeviceRule::kFault:
      WriteText("message", refusals_.FaultOf(request.number), &json_);
      break;
    case DeviceRule::kClassSelector:
      WriteSelector(request.device_class->spec.selectors, reason.index, &json_);
      break;
    case DeviceRule::kSelector:
      WriteSelector(request.request->selectors, reason.index, &json_);
      break;
    case DeviceRule::kInUse:
      if (!reason.is_together) WriteHolders(request.number);
      break;
    case DeviceRule::kTaint: {
      const DeviceTaint& taint = *UntoleratedTaint(device, *request.request);
      WriteTaint({taint.key, taint.value, taint.effect}, &json_);
      break;
    }
    case DeviceRule::kConstraint:
      WriteConstraint(claim.spec.devices.constraints[reason.index], &json_);
      break;
    default:
      break;
  }
  json_.EndObject();
}

// Writes the pods of the node that have the devices in use.
void RequestsWriter::WriteHolders(size_t entry) {
  std::vector<DeviceId> devices;
  size_t number = 0;
  for (const Pool* pool : refusals_.pools().pools) {
    for (const PoolDevice& device : pool->devices) {
      DeviceRefusals::Reason reason = refusals_.ReasonOf(entry, number++);
      bool is_in_use = reason.rule == DeviceRule::kInUse && !reason.is_together;
      if (is_in_use) devices.push_back(pool->IdOf(device));
    }
  }
  size_t num = 0;
  json_.Key("pods").BeginArray();
  for (const PodInfoRef& info : node_.pods()) {
    if (!Holds(*info->pod, devices, handle_.dra().claims())) continue;
    if (++num > CulpritPlugin::kMaxPods) break;
    const ObjectMeta& metadata = info->pod->metadata;
    json_.NamespacedName(metadata.namespace_.view(), metadata.name.view());
  }
  json_.EndArray();
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
    RequestsWriter(refusals, refusal.node, handle_, json).Write();
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
