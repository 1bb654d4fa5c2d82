#include "core/plugins/node_resources_fit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/api/pod_requests.h"
#include "core/api/resource_names.h"
#include "core/base/check.h"
#include "core/config/validation.h"
#include "core/framework/signers.h"
#include "core/plugins/insufficient_resources.h"
#include "core/plugins/least_allocated.h"
#include "core/plugins/most_allocated.h"
#include "core/plugins/requested_to_capacity_ratio.h"

namespace stowage {
namespace {

Symbol Insufficient(std::string_view resource) {
  return Symbol(std::string(NodeResourcesFit::kInsufficient).append(resource));
}

// What Filter has to find room for: the request without ignored and zero scalars.
struct FitPreFilterState {
  Resource request;
  std::vector<Symbol> scalar_reasons;  // one for each of its scalars
};

// The reasons that need no pod, made once.
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

// Collects what a node lacks. Nodes that lack the same, one after the other, share their status.
class Insufficiencies {
 public:
  explicit Insufficiencies(const FitPreFilterState& wanted) : wanted_(wanted) {}

  Status StatusOn(const NodeInfo& node) {
    reasons_.clear();
    is_unresolvable_ = false;
    NodeRoom room{node.allocatable(), node.requested(), node.pods().size()};
    ForEachInsufficientResource(wanted_.request, room, [this](const InsufficientResource& one) {
      reasons_.push_back(ReasonOf(one));
      is_unresolvable_ = is_unresolvable_ || one.is_unresolvable;
    });
    if (reasons_.empty()) return Status::Success();
    Code code = is_unresolvable_ ? Code::kUnschedulableAndUnresolvable : Code::kUnschedulable;
    if (last_.code() != code || last_.reasons() != reasons_) {
      last_ = Status::WithReasons(code, reasons_);
    }
    return last_;
  }

 private:
  const Symbol& ReasonOf(const InsufficientResource& one) const {
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
        return wanted_.scalar_reasons[one.scalar];
    }
    CHECK(false);
  }

  const FitPreFilterState& wanted_;
  std::vector<Symbol> reasons_;
  bool is_unresolvable_ = false;
  Status last_;
};

bool HasRoom(int64_t amount, int64_t allocatable, int64_t requested) {
  return amount <= 0 || amount <= allocatable - requested;
}

// The candidates that hold another pod and its native resources, by the columns alone.
uint64_t RowsThatFit(const Resource& request, const NodeChunk& chunk, uint64_t candidates) {
  const NodeTable& table = chunk.table;
  uint64_t rows = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    bool fits =
        table.pod_count()[row] + 1 <= table.allocatable_pods()[row] &&
        HasRoom(request.milli_cpu, table.allocatable_milli_cpu()[row],
                table.requested_milli_cpu()[row]) &&
        HasRoom(request.memory, table.allocatable_memory()[row], table.requested_memory()[row]) &&
        HasRoom(request.ephemeral_storage, table.allocatable_ephemeral_storage()[row],
                table.requested_ephemeral_storage()[row]);
    rows |= uint64_t{fits} << offset;
  }
  return rows;
}

// Those of the candidates that have so much of a scalar resource left.
uint64_t RowsWithScalar(const ScalarColumns& columns, int64_t amount, const NodeChunk& chunk,
                        uint64_t candidates) {
  uint64_t rows = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    bool fits = HasRoom(amount, columns.allocatable[row], columns.requested[row]);
    rows |= uint64_t{fits} << offset;
  }
  return rows;
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
    : features_(context.features),
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

Status NodeResourcesFit::PreFilter(CycleState& state, const Pod& pod, NodeList,
                                   PreFilterResult*) const {
  FitPreFilterState made{FilteredRequestOf(pod), {}};
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
  return Insufficiencies(*stored).StatusOn(node);
}

uint64_t NodeResourcesFit::FilterChunk(const CycleState& state, const Pod& pod,
                                       const NodeChunk& chunk, uint64_t candidates,
                                       ChunkStatuses* statuses) const {
  const auto* stored = state.Read<FitPreFilterState>();
  if (stored == nullptr) {
    return PerNodeFilter<NodeResourcesFit>::FilterChunk(state, pod, chunk, candidates, statuses);
  }
  uint64_t passed = RowsThatFit(stored->request, chunk, candidates);
  for (const auto& [resource, amount] : stored->request.scalars) {
    const ScalarColumns* columns = chunk.table.scalar(resource);
    passed = columns != nullptr ? RowsWithScalar(*columns, amount, chunk, passed) : 0;
  }
  Insufficiencies insufficiencies(*stored);
  for (uint64_t rest = candidates & ~passed; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    Status status = insufficiencies.StatusOn(chunk.node(offset));
    if (status.IsSuccess()) {
      passed |= uint64_t{1} << offset;
    } else {
      (*statuses)[offset] = std::move(status);
    }
  }
  return passed;
}

bool NodeResourcesFit::AppendFragment(const Pod& pod, PodSignature* signature) const {
  bool is_written = SignWrittenRequests(pod, nullptr, signature);
  signature->AddCount(is_written ? 1 : 0);
  if (is_written) return true;
  SignResource(FilteredRequestOf(pod), signature);
  for (int64_t amount : ScoredRequestsOf(pod)) signature->Add(amount);
  return true;
}

}  // namespace stowage
