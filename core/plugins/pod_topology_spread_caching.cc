// PodTopologySpread's code for the verdict cache, the classes of rows and the chunk forms.
#include <algorithm>
#include <bit>

#include "core/base/cold.h"
#include "core/base/go_math.h"
#include "core/framework/signers.h"
#include "core/plugins/pod_topology_spread.h"
#include "core/plugins/pod_topology_spread_state.h"
#include "core/table/row_key.h"

namespace stowage {
namespace {

const OwnerReference* ControllerOf(const Pod& pod) {
  for (const OwnerReference& owner : pod.metadata.owner_references) {
    if (owner.controller) return &owner;
  }
  return nullptr;
}

// The fields of the pod that the inclusion policies read.
STOWAGE_COLD void SignPlacementFields(const Pod& pod, PodSignature* signature) {
  SignNodeAffinity(pod, signature);
  SignTolerations(pod, signature);
}

// Filter by row number. Null if the row passes.
const Status* RefusalOfRow(const SpreadPreFilterState& state, const std::vector<int64_t>& limits,
                           size_t row) {
  for (size_t at = 0; at < limits.size(); ++at) {
    const DomainCounts& domain = state.domains[at];
    uint32_t value = domain.column().At(row);
    if (value == TopologyColumn::kMissing) return &SpreadRefusals::Get().label_missing;
    if (domain.At(value) > limits[at]) return &SpreadRefusals::Get().skew;
  }
  return nullptr;
}

}  // namespace

// True only without constraints: counts of pods are not part of a fragment. Default constraints
// apply only to pods with a controller or a Service.
bool PodTopologySpread::AppendFragment(const Pod& pod, PodSignature*) const {
  if (!pod.spec.topology_spread_constraints.empty()) return false;
  if (default_constraints_.empty()) return true;
  return ControllerOf(pod) == nullptr && handle_.listers().Services().empty();
}

// Default constraints use the selectors of the pod's controller and Services: the controller, and
// the values of the labels that Services select by, identify them.
STOWAGE_COLD bool PodTopologySpread::AppendClassFragment(const Pod& pod,
                                                         PodSignature* signature) const {
  signature->Add(pod.metadata.namespace_);
  if (!pod.spec.topology_spread_constraints.empty()) {
    AppendOwnConstraints(pod, signature);
    return true;
  }
  bool has_hard = std::any_of(default_constraints_.begin(), default_constraints_.end(),
                              [](const TopologySpreadConstraint& constraint) {
                                return constraint.when_unsatisfiable == kDoNotSchedule;
                              });
  if (has_hard) return false;
  const OwnerReference* controller = ControllerOf(pod);
  signature->AddCount(controller == nullptr ? 0 : 1);
  if (controller != nullptr) {
    signature->Add(controller->api_version);
    signature->Add(controller->kind);
    signature->Add(controller->name);
  }
  SignLabels(pod.metadata.labels, handle_.listers().ServiceKeys(), signature);
  SignPlacementFields(pod, signature);
  return true;
}

STOWAGE_COLD void PodTopologySpread::AppendOwnConstraints(const Pod& pod,
                                                          PodSignature* signature) const {
  const auto& constraints = pod.spec.topology_spread_constraints;
  signature->AddCount(constraints.size());
  for (const TopologySpreadConstraint& constraint : constraints) {
    signature->Add(int64_t{constraint.max_skew});
    signature->Add(int64_t{constraint.min_domains.value_or(1)});
    signature->Add(constraint.topology_key);
    signature->Add(constraint.when_unsatisfiable);
    signature->Add(constraint.node_affinity_policy);
    signature->Add(constraint.node_taints_policy);
    SignLabelSelector(constraint.label_selector, pod.metadata.labels, signature);
    signature->AddCount(constraint.match_label_keys.size());
    for (const Symbol& key : constraint.match_label_keys) {
      signature->Add(key);
      SignLabel(pod.metadata.labels, key, signature);
    }
  }
  SignPlacementFields(pod, signature);
}

STOWAGE_COLD bool PodTopologySpread::Derive(const Pod& pod, CycleState& derived,
                                            RowKey* key) const {
  Result<HardConstraintsRef, Status> hard = DeriveHard(pod);
  Result<SoftConstraintsRef, Status> soft = DeriveSoft(pod);
  if (!hard.ok() || !soft.ok()) return false;
  AddHardTo(*hard, derived, key);
  AddSoftTo(*soft, derived, key);
  return true;
}

void PodTopologySpread::AddHardTo(const HardConstraintsRef& hard, CycleState& derived,
                                  RowKey* key) const {
  derived.Write(hard);
  if (hard == nullptr) return;
  for (const std::shared_ptr<PodSums>& sums : hard->sums) key->AddDomain(sums);
}

void PodTopologySpread::AddSoftTo(const SoftConstraintsRef& soft, CycleState& derived,
                                  RowKey* key) const {
  derived.Write(soft);
  if (soft == nullptr) return;
  for (const SoftConstraints::One& one : soft->list) {
    if (one.is_hostname()) {
      key->AddHasKey(one.column);
      key->AddLivePods(one.pods);
    } else {
      key->AddDomain(one.sums);
    }
  }
}

uint64_t PodTopologySpread::FilterChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                        uint64_t candidates, ChunkStatuses* statuses) const {
  const auto* stored = state.ReadData<SpreadPreFilterState>();
  if (stored == nullptr) {
    if (candidates != 0) statuses->Set(candidates, SpreadPreFilterState::Missing());
    return 0;
  }
  const std::vector<int64_t> limits = stored->Limits();
  uint64_t passed = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    const Status* refusal = RefusalOfRow(*stored, limits, chunk.row(offset));
    if (refusal == nullptr) {
      passed |= uint64_t{1} << offset;
    } else {
      statuses->SetOne(offset, *refusal);
    }
  }
  return passed;
}

Status PodTopologySpread::PreScoreGroups(CycleState& state, const Pod& pod,
                                         std::span<const NodeGroup> groups) const {
  Result<SoftConstraintsRef, Status> soft = SoftOf(state, pod);
  if (!soft.ok()) return soft.fault();
  if (*soft == nullptr) return Status::Skip();
  const NodeTable& table = handle_.snapshot().table();
  SpreadPreScoreState made(soft.Take(), table);
  if (!made.SetWeightsOfAll(groups, table.size())) made.SetWeights(groups);
  made.SetScoresByValue();
  state.Write(std::move(made));
  return Status::Success();
}

// If all nodes passed the filters, the columns know the number of domains.
bool SpreadPreScoreState::SetWeightsOfAll(std::span<const NodeGroup> groups, size_t num_rows) {
  if (soft->requires_all_keys && soft->is_key_missing) return false;
  size_t num_filtered = 0;
  for (const NodeGroup& group : groups) num_filtered += group.count;
  if (num_filtered != num_rows) return false;
  weights.reserve(soft->list.size());
  for (const SoftConstraints::One& one : soft->list) {
    AddWeight(one.is_hostname() ? num_rows : one.column->num_occurring());
  }
  return true;
}

Result<SoftConstraintsRef, Status> PodTopologySpread::SoftOf(const CycleState& state,
                                                             const Pod& pod) const {
  if (handle_.snapshot().NumNodes() == 0) return SoftConstraintsRef();
  const SoftConstraintsRef* derived = state.Derived<SoftConstraintsRef>();
  return derived == nullptr ? DeriveSoft(pod) : *derived;
}

// With one constraint, all rows of a domain have the same score. Rows that are left out would not,
// and for keys with one row per value there is nothing to gain.
void SpreadPreScoreState::SetScoresByValue() {
  const SoftConstraints::One& first = soft->list.front();
  bool leaves_out = soft->requires_all_keys && soft->is_key_missing;
  if (soft->list.size() != 1 || leaves_out || first.is_hostname() ||
      first.column->HasOneRowEach()) {
    return;
  }
  scores.reserve(first.sums->num_values());
  for (uint32_t value = 0; value < first.sums->num_values(); ++value) {
    scores.push_back(GoRoundToInt64(TermOf(0, first.sums->Live(value))));
  }
}

Status PodTopologySpread::ScoreChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                     uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<SpreadPreScoreState>();
  if (stored == nullptr) return SpreadPreScoreState::Missing();
  if (!stored->scores.empty()) {
    const TopologyColumn& column = *stored->soft->list.front().column;
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      uint32_t value = column.At(chunk.row(offset));
      (*scores)[offset] = value == TopologyColumn::kMissing ? 0 : stored->scores[value];
    }
    return Status::Success();
  }
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    (*scores)[offset] = stored->ScoreRow(chunk.row(offset), nullptr);
  }
  return Status::Success();
}

}  // namespace stowage
