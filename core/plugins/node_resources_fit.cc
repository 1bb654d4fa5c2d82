#include "core/plugins/node_resources_fit.h"

#include <algorithm>
#include <utility>

#include "core/api/pod_requests.h"
#include "core/api/resource_names.h"
#include "core/base/check.h"
#include "core/config/validation.h"
#include "core/dra/dra_manager.h"
#include "core/framework/signers.h"
#include "core/plugins/least_allocated.h"
#include "core/plugins/most_allocated.h"
#include "core/plugins/node_resources_fit_state.h"
#include "core/plugins/requested_to_capacity_ratio.h"

namespace stowage {
namespace {

Symbol Insufficient(std::string_view resource) {
  return Symbol(std::string(NodeResourcesFit::kInsufficient).append(resource));
}

// The reasons that do not depend on the pod, interned once.
struct NativeReasons {
  Symbol pods{NodeResourcesFit::kTooManyPods};
  Symbol cpu = Insufficient("cpu");
  Symbol memory = Insufficient("memory");
  Symbol ephemeral_storage = Insufficient("ephemeral-storage");

  static const NativeReasons& Get() {
    static const NativeReasons kReasons;
    return kReasons;
  }
};

const Symbol& ReasonOf(const InsufficientResource& one, const FitPreFilterState& wanted) {
  const NativeReasons& reasons = NativeReasons::Get();
  switch (one.kind) {
    case InsufficientResource::Kind::kPods:
      return reasons.pods;
    case InsufficientResource::Kind::kCpu:
      return reasons.cpu;
    case InsufficientResource::Kind::kMemory:
      return reasons.memory;
    case InsufficientResource::Kind::kEphemeralStorage:
      return reasons.ephemeral_storage;
    case InsufficientResource::Kind::kScalar:
      return wanted.scalar_reasons[one.scalar];
  }
  CHECK(false);
}

std::unique_ptr<const ResourceScorer> MakeScorer(const ScoringStrategy& strategy) {
  if (strategy.type == ScoringStrategy::kLeastAllocated) return std::make_unique<LeastAllocated>();
  if (strategy.type == ScoringStrategy::kMostAllocated) return std::make_unique<MostAllocated>();
  CHECK(strategy.type == ScoringStrategy::kRequestedToCapacityRatio);
  CHECK(strategy.requested_to_capacity_ratio);
  return std::make_unique<RequestedToCapacityRatio>(
      BrokenLinearFunction::FromConfig(strategy.requested_to_capacity_ratio->shape));
}

const ScoringStrategy& StrategyOf(const NodeResourcesFitArgs& args) {
  CHECK(args.scoring_strategy);
  return *args.scoring_strategy;
}

}  // namespace

Result<std::unique_ptr<NodeResourcesFit>, std::string> NodeResourcesFit::New(
    const PluginContext& context) {
  const auto& args = context.Args<NodeResourcesFitArgs>();
  if (std::optional<std::string> fault = ValidateNodeResourcesFitArgs(args)) return *fault;
  return std::make_unique<NodeResourcesFit>(context);
}

NodeResourcesFit::NodeResourcesFit(const PluginContext& context)
    : handle_(context.handle),
      features_(context.features),
      ignored_resources_(context.Args<NodeResourcesFitArgs>().ignored_resources),
      ignored_resource_groups_(context.Args<NodeResourcesFitArgs>().ignored_resource_groups),
      allocation_(StrategyOf(context.Args<NodeResourcesFitArgs>()).resources,
                  ResourceAllocation::Sums::kNonZeroRequested),
      scorer_(MakeScorer(StrategyOf(context.Args<NodeResourcesFitArgs>()))) {}

bool NodeResourcesFit::IsIgnored(const Symbol& resource) const {
  if (!IsExtendedResourceName(resource.view())) return false;
  auto has = [](const auto& list, const auto& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::string_view group = resource.view().substr(0, resource.view().find('/'));
  return has(ignored_resources_, resource) || has(ignored_resource_groups_, group);
}

Resource NodeResourcesFit::RequestOf(const Pod& pod) const {
  PodResourcesOptions options;
  options.skip_pod_level = !features_.pod_level_resources;
  Resource request;
  request.Add(PodRequests(pod, options));
  std::erase_if(request.scalars, [](const auto& entry) { return entry.second <= 0; });
  return request;
}

Resource NodeResourcesFit::FilteredRequestOf(const Pod& pod) const {
  Resource request = RequestOf(pod);
  std::erase_if(request.scalars, [this](const auto& entry) { return IsIgnored(entry.first); });
  return request;
}

ServedScalars NodeResourcesFit::ServedScalarsOf(const Resource& request) const {
  const ExtendedResourceCache& classes = handle_.dra().extended_resources();
  ServedScalars served;
  if (!features_.dra_extended_resource || classes.empty()) return served;
  for (const auto& [name, amount] : request.scalars) {
    served.push_back(classes.GetDeviceClass(name) != nullptr);
  }
  return served;
}

Status StatusOn(const NodeInfo& node, const FitPreFilterState& wanted) {
  std::vector<Symbol> reasons;
  bool is_unresolvable = false;
  NodeRoom room{node.allocatable(), node.requested(), node.pods().size()};
  ForEachInsufficientResource(wanted.request, wanted.served, room,
                              [&](const InsufficientResource& one) {
                                reasons.push_back(ReasonOf(one, wanted));
                                is_unresolvable = is_unresolvable || one.is_unresolvable;
                              });
  if (reasons.empty()) return Status::Success();
  is_unresolvable = is_unresolvable && wanted.is_impossible_unresolvable;
  Code code = is_unresolvable ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable;
  return Status::WithReasons(code, std::move(reasons));
}

Status NodeResourcesFit::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                   PreFilterResult*) const {
  FitPreFilterState made{
      FilteredRequestOf(pod), {}, {}, features_.behaviour.impossible_request_is_unresolvable};
  made.served = ServedScalarsOf(made.request);
  for (const auto& [name, amount] : made.request.scalars) {
    made.scalar_reasons.push_back(Insufficient(name.view()));
  }
  state.Write(std::move(made));
  return Status::Success();
}

Status NodeResourcesFit::Filter(const CycleState& state, const Pod&, const NodeInfo& node) const {
  const auto* stored = state.Read<FitPreFilterState>();
  if (stored == nullptr) {
    return Status::Error("error reading \"PreFilterNodeResourcesFit\" from cycleState: not found");
  }
  return StatusOn(node, *stored);
}

}  // namespace stowage
