// Explains a refusal of DynamicResources: the claims that are not available on the node, and of the
// others, request by request, how many devices each rule refuses and how many are left.
#include <algorithm>

#include "core/api/encode/json_writer.h"
#include "core/dra/device_refusals.h"
#include "core/dra/dra_manager.h"
#include "core/plugins/dynamic_resources.h"
#include "core/plugins/dynamic_resources_refused_requests.h"

namespace stowage {
namespace {

constexpr int64_t kWhole = 1000;

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
  auto made = allocator->Allocate(*refusal.node.node(), wanted, &steps);
  bool is_complete = handle_.steps().Spend(steps.spent());
  // The devices suffice, and what they take of the node does not.
  if (made.ok() && made->size() == wanted.size()) return nullptr;
  return is_complete && refusals->has_begun() ? std::move(allocator) : nullptr;
}

void DynamicResources::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  const DynamicResourcesData* data = DataIn(refusal.state);
  if (data == nullptr) return;
  DeviceRefusals refusals;
  std::unique_ptr<Allocator> allocator = Survey(refusal, &refusals);
  if (allocator != nullptr) {
    WriteRefusedRequests(refusals, refusal.node, handle_.dra().claims(), json);
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
