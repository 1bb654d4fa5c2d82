// InterPodAffinity's code for the verdict cache, the classes of rows and the chunk forms.
#include <algorithm>
#include <bit>

#include "core/base/cold.h"
#include "core/framework/signers.h"
#include "core/plugins/inter_pod_affinity.h"
#include "core/plugins/inter_pod_affinity_state.h"
#include "core/table/row_key.h"

namespace stowage {
namespace {

const LabelMap& NoLabels() {
  static const LabelMap kNone;
  return kNone;
}

STOWAGE_COLD void SignTerm(const PodAffinityTerm& term, int32_t weight, const LabelMap& labels,
                           PodSignature* signature) {
  signature->Add(int64_t{weight});
  signature->Add(term.topology_key);
  signature->AddCount(term.namespaces.size());
  for (const Symbol& name : term.namespaces) signature->Add(name);
  SignLabelSelector(term.label_selector, labels, signature);
  SignLabelSelector(term.namespace_selector, NoLabels(), signature);
}

STOWAGE_COLD void SignTerms(const std::optional<PodAffinitySpec>& spec, const LabelMap& labels,
                            PodSignature* signature) {
  signature->AddCount(spec ? 1 : 0);
  if (!spec) return;
  signature->AddCount(spec->required.size());
  for (const PodAffinityTerm& term : spec->required) SignTerm(term, 0, labels, signature);
  signature->AddCount(spec->preferred.size());
  for (const WeightedPodAffinityTerm& term : spec->preferred) {
    SignTerm(term.pod_affinity_term, term.weight, labels, signature);
  }
}

}  // namespace

// True only if no term applies to the pod: neither its own nor one of a placed pod.
STOWAGE_COLD bool InterPodAffinity::AppendFragment(const Pod& pod, PodSignature*) const {
  if (pod.spec.affinity &&
      (pod.spec.affinity->pod_affinity || pod.spec.affinity->pod_anti_affinity)) {
    return false;
  }
  return handle_.topology_index().Terms().num_terms() == 0;
}

// The pod's namespace, and its labels that placed pods' terms select by, decide which of those
// terms match the pod.
STOWAGE_COLD bool InterPodAffinity::AppendClassFragment(const Pod& pod,
                                                        PodSignature* signature) const {
  const LabelMap& labels = pod.metadata.labels;
  signature->Add(pod.metadata.namespace_);
  SignLabels(labels, handle_.topology_index().TermKeys(), signature);
  const Shared<Affinity>& affinity = pod.spec.affinity;
  signature->AddCount(affinity ? 1 : 0);
  if (affinity) {
    SignTerms(affinity->pod_affinity, labels, signature);
    SignTerms(affinity->pod_anti_affinity, labels, signature);
  }
  return true;
}

STOWAGE_COLD bool InterPodAffinity::Derive(const Pod& pod, CycleState& derived, RowKey* key) const {
  Result<RequiredTermsRef, Status> required = DeriveRequired(pod);
  Result<ScoredTermsRef, Status> scored = DeriveScored(pod);
  if (!required.ok() || !scored.ok()) return false;
  AddRequiredTo(*required, derived, key);
  AddScoredTo(*scored, derived, key);
  return true;
}

void InterPodAffinity::AddRequiredTo(const RequiredTermsRef& required, CycleState& derived,
                                     RowKey* key) const {
  derived.Write(required);
  for (const std::shared_ptr<PodSums>& sums : required->affinity_sums) key->AddDomain(sums);
  for (const std::shared_ptr<PodSums>& sums : required->anti_affinity_sums) key->AddDomain(sums);
  for (uint32_t term : required->existing_anti_affinity) {
    key->AddDomain(&handle_.topology_index(), term);
  }
}

void InterPodAffinity::AddScoredTo(const ScoredTermsRef& scored, CycleState& derived,
                                   RowKey* key) const {
  derived.Write(scored);
  if (scored == nullptr) return;
  for (const ScoredTerms::Own& own : scored->own) key->AddDomain(own.pods);
  for (const ScoredTerms::Existing& existing : scored->existing) {
    key->AddDomain(&handle_.topology_index(), existing.term);
  }
}

uint64_t InterPodAffinity::FilterChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                       uint64_t candidates, ChunkStatuses* statuses) const {
  const auto* stored = state.ReadData<AffinityPreFilterState>();
  if (stored == nullptr) {
    if (candidates != 0) statuses->Set(candidates, AffinityPreFilterState::Missing());
    return 0;
  }
  uint64_t passed = 0;
  for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
    auto offset = static_cast<size_t>(std::countr_zero(rest));
    size_t row = chunk.row(offset);
    const Status* refusal = AffinityRefusalOf(
        *stored, [row](const TopologyPairSums::Key& key) { return key.AtRow(row); },
        [&](size_t index) {
          const TopologyColumn& column = *stored->terms->affinity_sums[index]->column();
          return column.At(row) != TopologyColumn::kMissing;
        });
    if (refusal == nullptr) {
      passed |= uint64_t{1} << offset;
    } else {
      statuses->SetOne(offset, *refusal);
    }
  }
  return passed;
}

Status InterPodAffinity::PreScoreGroups(CycleState& state, const Pod& pod,
                                        std::span<const NodeGroup>) const {
  return PreScoreAnyNodes(state, pod);
}

Status InterPodAffinity::ScoreChunk(const CycleState& state, const Pod&, const NodeChunk& chunk,
                                    uint64_t candidates, ChunkScores* scores) const {
  const auto* stored = state.Read<AffinityPreScoreState>();
  if (stored == nullptr) return AffinityPreScoreState::Missing();
  std::fill_n(scores->begin(), chunk.rows.size(), 0);
  for (const TopologyPairSums::Key& key : stored->scores.keys()) {
    for (uint64_t rest = candidates; rest != 0; rest &= rest - 1) {
      auto offset = static_cast<size_t>(std::countr_zero(rest));
      (*scores)[offset] += key.AtRow(chunk.row(offset));
    }
  }
  return Status::Success();
}

}  // namespace stowage
