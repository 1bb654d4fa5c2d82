#include "core/plugins/node_resources_balanced_allocation.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/api/pod_requests.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/extended_resources.h"

namespace stowage {
namespace {

// Both forms compute like the reference, operation by operation: for two values it uses the closed
// form, which can differ from the square root in the last bit.
double StandardDeviation(std::span<const ResourceUse> uses, int64_t ResourceUse::*amount) {
  if (uses.size() < 2) return 0;
  auto fraction = [amount](const ResourceUse& use) { return use.Fraction(use.*amount); };
  if (uses.size() == 2) return std::fabs((fraction(uses[0]) - fraction(uses[1])) / 2);
  double total = 0;
  for (const ResourceUse& use : uses) total += fraction(use);
  double count = static_cast<double>(uses.size());
  double mean = total / count;
  double sum = 0;
  for (const ResourceUse& use : uses) {
    double deviation = fraction(use) - mean;
    sum += deviation * deviation;
  }
  return std::sqrt(sum / count);
}

// Returns 100 if all fractions are equal.
int64_t Balance(std::span<const ResourceUse> uses, int64_t ResourceUse::*amount) {
  return static_cast<int64_t>((1 - StandardDeviation(uses, amount)) *
                              static_cast<double>(kMaxNodeScore));
}

}  // namespace

int64_t NodeResourcesBalancedAllocation::Balances::Change() const {
  return kMaxNodeScore / 2 + (kMaxNodeScore / 2 + with_pod - without_pod) / 2;
}

int64_t NodeResourcesBalancedAllocation::ScoreOf(const Balances& balances) const {
  if (!features_.behaviour.balanced_allocation_scores_change) return balances.with_pod;
  return balances.Change();
}

NodeResourcesBalancedAllocation::Balances NodeResourcesBalancedAllocation::BalancesOf(
    std::span<const ResourceUse> uses) {
  return {Balance(uses, &ResourceUse::requested), Balance(uses, &ResourceUse::allocated)};
}

NodeResourcesBalancedAllocation::NodeResourcesBalancedAllocation(const PluginContext& context)
    : handle_(context.handle),
      features_(context.features),
      allocation_(context.Args<NodeResourcesBalancedAllocationArgs>().resources,
                  ResourceAllocation::Sums::kRequested) {}

ResourceRequests NodeResourcesBalancedAllocation::RequestsOf(const Pod& pod) const {
  PodResourcesOptions options;
  options.use_status = features_.in_place_pod_vertical_scaling;
  options.in_place_pod_level = features_.in_place_pod_level_resources_vertical_scaling;
  options.skip_pod_level = !features_.pod_level_resources;
  return allocation_.RequestsOf(PodRequests(pod, options));
}

bool NodeResourcesBalancedAllocation::IsBestEffort(const ResourceRequests& requests) {
  return std::all_of(requests.begin(), requests.end(), [](int64_t amount) { return amount == 0; });
}

Status NodeResourcesBalancedAllocation::PreScore(CycleState& state, const Pod& pod,
                                                 NodeList) const {
  ResourceRequests requests = RequestsOf(pod);
  if (IsBestEffort(requests)) return Status::Skip();
  state.Write(
      PreScoreState{std::move(requests), DeviceTotalsFor(allocation_, features_, handle_.dra())});
  return Status::Success();
}

int64_t NodeResourcesBalancedAllocation::ScoreNode(const ResourceRequests& requests,
                                                   const DeviceTotals* devices,
                                                   const NodeInfo& node) const {
  if (IsBestEffort(requests)) return 0;
  return ScoreOf(BalancesOf(allocation_.UsesOn(node, requests, devices)));
}

Result<int64_t, Status> NodeResourcesBalancedAllocation::Score(const CycleState& state,
                                                               const Pod& pod,
                                                               const NodeInfo& node) const {
  const auto* stored = state.Read<PreScoreState>();
  return stored != nullptr ? ScoreNode(stored->requests, PointerTo(stored->devices), node)
                           : ScoreNode(RequestsOf(pod), nullptr, node);
}

// The signature is that of NodeResourcesFit, and is not given in the same cases.
bool NodeResourcesBalancedAllocation::CanSign(const Pod& pod) const {
  return !IsServedByDevices(pod, features_, handle_.dra().extended_resources());
}

void NodeResourcesBalancedAllocation::SignPod(const Pod& pod, PodSignature* signature) const {
  SignRequests(pod, features_, signature);
}

}  // namespace stowage
