#include "core/plugins/dynamic_resources_refused_requests.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/dra/device_taints.h"
#include "core/framework/interface.h"
#include "core/plugins/culprit_taint.h"
#include "core/plugins/dynamic_resources_claims.h"
#include "core/plugins/dynamic_resources_extended.h"

namespace stowage {
namespace {

// The most requests that are written. Expressions and messages are cut off at kMaxText bytes.
constexpr size_t kMaxRequests = 32;
constexpr size_t kMaxText = 300;

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
  auto own = PodResourceClaims(pod, claims, true);
  return (own.ok() && std::any_of(own->begin(), own->end(), has)) ||
         has(claims.FindExtendedResourceClaim(pod.metadata.name, pod.metadata.uid));
}

// Writes the requests of claims, with what the allocator found out about them.
class RequestsWriter {
 public:
  RequestsWriter(const DeviceRefusals& refusals, const NodeInfo& node,
                 const ClaimCache& known_claims, JsonWriter* json)
      : refusals_(refusals), node_(node), known_claims_(known_claims), json_(*json) {}

  void Write();

 private:
  void WriteRequest(const ResourceClaim& claim, const DeviceRequestData& request);
  void WriteCount(const DeviceRefusals::Count& count, const ResourceClaim& claim,
                  const DeviceRequestData& request);
  void WriteShortage(const DeviceRefusals::Count& count, size_t entry);
  // `counter_set`: that of the rule kCounters.
  void WriteHolders(const DeviceRefusals::Count& count, size_t entry, const Symbol& counter_set);

  const DeviceRefusals& refusals_;
  const NodeInfo& node_;
  const ClaimCache& known_claims_;
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
      if (!reason.is_together) WriteHolders(count, request.number, Symbol());
      break;
    case DeviceRule::kCapacity:
    case DeviceRule::kCounters:
      WriteShortage(count, request.number);
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

// What most of the devices lack.
void RequestsWriter::WriteShortage(const DeviceRefusals::Count& count, size_t entry) {
  const DeviceShortage* shortage = refusals_.ShortageOf(count.reason);
  if (shortage == nullptr) return;
  bool is_counter = count.reason.rule == DeviceRule::kCounters;
  if (is_counter) json_.StringMember("counterSet", shortage->counter_set.view());
  json_.StringMember(is_counter ? "counter" : "capacity", shortage->name.view());
  json_.StringMember("asked", shortage->asked.ToString());
  if (shortage->kind == DeviceShortage::Kind::kPolicy) json_.BoolMember("isAllowed", false);
  if (shortage->kind != DeviceShortage::Kind::kTooLittle) return;
  json_.StringMember("left", shortage->left.ToString());
  if (!count.reason.is_together) WriteHolders(count, entry, shortage->counter_set);
}

bool Consumes(const Device& device, const Symbol& counter_set) {
  return std::any_of(
      device.consumes_counters.begin(), device.consumes_counters.end(),
      [&counter_set](const auto& consumption) { return consumption.counter_set == counter_set; });
}

// Writes the pods of the node that have the refused devices, or a share of them; those that have
// devices with counters of the set, if the devices lack counters.
void RequestsWriter::WriteHolders(const DeviceRefusals::Count& count, size_t entry,
                                  const Symbol& counter_set) {
  const DeviceRule rule = count.reason.rule;
  const Symbol& refused_pool = refusals_.pools().pools[count.device.pool]->id.pool;
  std::vector<DeviceId> devices;
  size_t number = 0;
  for (const Pool* pool : refusals_.pools().pools) {
    for (const PoolDevice& device : pool->devices) {
      DeviceRefusals::Reason reason = refusals_.ReasonOf(entry, number++);
      bool is_held = rule == DeviceRule::kCounters
                         ? pool->id.pool == refused_pool && Consumes(device.device(), counter_set)
                         : reason.rule == rule && !reason.is_together;
      if (is_held) devices.push_back(pool->IdOf(device));
    }
  }
  size_t num = 0;
  json_.Key("pods").BeginArray();
  for (const PodInfoRef& info : node_.pods()) {
    if (!Holds(*info->pod, devices, known_claims_)) continue;
    if (++num > CulpritPlugin::kMaxPods) break;
    const ObjectMeta& metadata = info->pod->metadata;
    json_.NamespacedName(metadata.namespace_.view(), metadata.name.view());
  }
  json_.EndArray();
}

}  // namespace

void WriteRefusedRequests(const DeviceRefusals& refusals, const NodeInfo& node,
                          const ClaimCache& known_claims, JsonWriter* json) {
  RequestsWriter(refusals, node, known_claims, json).Write();
}

}  // namespace stowage
