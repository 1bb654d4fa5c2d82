// The scoring half of InterPodAffinity: preferred terms, and existing pods' required affinity.
#include <algorithm>
#include <cstdlib>

#include "core/base/check.h"
#include "core/framework/score_notes.h"
#include "core/plugins/helper_score_memo.h"
#include "core/plugins/inter_pod_affinity_state.h"

namespace stowage {

namespace {

ScoredTerms::Own OwnOf(TermsByKey::Group group, TopologyIndex& index) {
  if (group.matchers.size() == 1) {
    return {index.Sums(group.key, std::move(group.matchers)), group.weights.front(), nullptr};
  }
  auto is_positive = [](int64_t weight) { return weight > 0; };
  ScoredTerms::Own own{nullptr, 1, nullptr};
  if (!std::all_of(group.weights.begin(), group.weights.end(), is_positive)) {
    own.any = index.Sums(group.key, {group.matchers, PodSelection::Rule::kAny});
  }
  own.pods = index.Sums(
      group.key, {std::move(group.matchers), PodSelection::Rule::kSum, std::move(group.weights)});
  return own;
}

bool HasPreferredTerms(const Pod& pod) {
  auto has = [](const std::optional<PodAffinitySpec>& spec) {
    return spec && !spec->preferred.empty();
  };
  const Shared<Affinity>& affinity = pod.spec.affinity;
  return affinity && (has(affinity->pod_affinity) || has(affinity->pod_anti_affinity));
}

// Stretches scores so that the lowest becomes 0 and the highest kMaxNodeScore. Equal scores all
// become 0.
struct Normalization {
  int64_t lowest;
  int64_t highest;

  int64_t operator()(int64_t score) const {
    auto range = static_cast<double>(highest - lowest);
    double share = range > 0 ? static_cast<double>(score - lowest) / range : 0;
    return static_cast<int64_t>(static_cast<double>(kMaxNodeScore) * share);
  }
};

Normalization NormalizationOf(std::span<const NodeScore> scores) {
  auto [min, max] =
      std::minmax_element(scores.begin(), scores.end(),
                          [](const NodeScore& a, const NodeScore& b) { return a.score < b.score; });
  return {min->score, max->score};
}

}  // namespace

std::optional<int64_t> InterPodAffinity::ScoreWeightOf(const ExistingTerms::Entry& term) const {
  switch (term.kind) {
    case ExistingTerms::Kind::kRequiredAntiAffinity:
      return std::nullopt;
    case ExistingTerms::Kind::kRequiredAffinity:
      if (hard_pod_affinity_weight_ <= 0) return std::nullopt;
      return hard_pod_affinity_weight_;
    case ExistingTerms::Kind::kPreferredAffinity:
      return term.term.weight;
    case ExistingTerms::Kind::kPreferredAntiAffinity:
      return -int64_t{term.term.weight};
  }
  CHECK(false);
}

Result<ScoredTermsRef, Status> InterPodAffinity::DeriveScored(const Pod& pod) const {
  if (ignores_preferred_terms_of_existing_pods_ && !HasPreferredTerms(pod)) {
    return ScoredTermsRef();
  }
  FieldErrors errors;
  AffinityTerms own = ParseAffinityTerms(pod, &errors);
  if (!errors.empty()) return Status::Error("failed to parse pod: " + errors.Text());
  MergeNamespaces(&own.preferred_affinity);
  MergeNamespaces(&own.preferred_anti_affinity);
  TopologyIndex& index = handle_.topology_index();
  auto scored = std::make_shared<ScoredTerms>();
  TermsByKey by_key;
  for (const AffinityTerm& term : own.preferred_affinity) by_key.Add(term, term.weight);
  for (const AffinityTerm& term : own.preferred_anti_affinity) {
    by_key.Add(term, -int64_t{term.weight});
  }
  for (TermsByKey::Group& group : by_key.groups()) {
    if (index.HasKey(group.key)) scored->own.push_back(OwnOf(std::move(group), index));
  }
  const LabelMap& namespace_labels = NamespaceLabels(pod);
  const auto& entries = index.Terms().entries();
  if (!handle_.steps().Spend(entries.size())) return Status::Error(StepBudget::kExhausted);
  for (uint32_t place = 0; place < entries.size(); ++place) {
    if (entries[place].num_pods == 0) continue;
    std::optional<int64_t> weight = ScoreWeightOf(entries[place]);
    if (!weight || !entries[place].term.Matches(pod, namespace_labels)) continue;
    scored->existing.push_back({place, *weight});
  }
  return ScoredTermsRef(std::move(scored));
}

Status InterPodAffinity::PreScore(CycleState& state, const Pod& pod, NodeList nodes) const {
  if (nodes.empty()) return Status::Skip();
  return PreScoreAnyNodes(state, pod);
}

// A term counts if it matches any pod, even if positive and negative weights sum to 0.
Status InterPodAffinity::PreScoreAnyNodes(CycleState& state, const Pod& pod) const {
  const ScoredTermsRef* derived = state.Derived<ScoredTermsRef>();
  Result<ScoredTermsRef, Status> scored = derived == nullptr ? DeriveScored(pod) : *derived;
  if (!scored.ok()) return scored.fault();
  if (*scored == nullptr) return Status::Skip();
  AffinityPreScoreState made;
  const auto& entries = handle_.topology_index().Terms().entries();
  for (const ScoredTerms::Own& own : (*scored)->own) {
    own.pods->Refresh(handle_.snapshot().table());
    if (own.any != nullptr) own.any->Refresh(handle_.snapshot().table());
    if (own.MeetPods()) made.scores.AddPods(own.pods, own.weight);
  }
  for (const ScoredTerms::Existing& existing : (*scored)->existing) {
    made.scores.AddTerm(entries[existing.term], existing.weight);
  }
  made.scores.AddUpTerms();
  if (made.scores.keys().empty()) return Status::Skip();
  state.Write(std::move(made));
  return Status::Success();
}

Result<int64_t, Status> InterPodAffinity::Score(const CycleState& state, const Pod&,
                                                const NodeInfo& node) const {
  const auto* stored = state.Read<AffinityPreScoreState>();
  if (stored == nullptr) return AffinityPreScoreState::Missing();
  int64_t sum = 0;
  for (const TopologyPairSums::Key& key : stored->scores.keys()) {
    sum += key.At(node.node()->metadata.labels);
  }
  return sum;
}

Status InterPodAffinity::NormalizeScore(const CycleState& state, const Pod&,
                                        std::span<NodeScore> scores) const {
  if (state.Read<AffinityPreScoreState>() == nullptr || scores.empty()) return Status::Success();
  Normalization rule = NormalizationOf(scores);
  ScoreMemo normalized(rule.lowest, rule.highest, scores.size(), rule);
  for (NodeScore& score : scores) score.score = normalized(score.score);
  return Status::Success();
}

int64_t InterPodAffinity::NoteScore(const NotedScore& scored, ScoreNotes* notes) const {
  const auto* stored = scored.state.Read<AffinityPreScoreState>();
  CHECK(stored != nullptr);
  const LabelMap& labels = scored.node().node()->metadata.labels;
  int64_t sum = 0;
  for (const TopologyPairSums::Key& key : stored->scores.keys()) {
    const Symbol& name = key.column().key();
    const Symbol* value = labels.Find(name);
    if (value == nullptr) continue;
    int64_t weights = key.At(labels);
    sum += weights;
    notes->AddOperand("{}={}: {}{}",
                      {name.view(), value->view(), weights < 0 ? "−" : "+", std::abs(weights)});
  }
  notes->AddResult("weights of the terms that this pod and the pods there have for each other: {}",
                   {sum});
  return sum;
}

int64_t InterPodAffinity::NoteNormalizedScore(const NotedScore& scored, ScoreNotes* notes) const {
  Normalization rule = NormalizationOf(scored.raw);
  int64_t value = rule(scored.score());
  if (rule.lowest == rule.highest) {
    notes->AddResult("all raw scores are {}: {}", {rule.lowest, value});
  } else {
    notes->AddResult("{} × ({} − {}) / ({} − {}) = {}", {kMaxNodeScore, scored.score(), rule.lowest,
                                                         rule.highest, rule.lowest, value});
  }
  return value;
}

}  // namespace stowage
