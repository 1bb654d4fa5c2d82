#include "core/plugins/node_affinity.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/base/format.h"
#include "core/framework/signers.h"
#include "core/plugins/helper_normalize_score.h"

namespace stowage {
namespace {

struct PreFilterState {
  RequiredNodeAffinity required;
};

struct PreScoreState {
  std::optional<PreferredSchedulingTerms> preferred;
};

// Absent if the pod has no list of preferred terms.
Result<PreScoreState, Status> ParsePreferred(const Pod& pod) {
  const NodeAffinitySpec* affinity = NodeAffinityOf(pod);
  if (affinity == nullptr || !affinity->preferred) return PreScoreState{};
  auto preferred = PreferredSchedulingTerms::Make(*affinity->preferred);
  if (!preferred.ok()) return Status::Error(preferred.fault().Text());
  return PreScoreState{preferred.Take()};
}

// The node names that a term requires; nullopt if it requires none. Only names are read, so a node
// may be kept here although Filter finds that the term does not match it.
std::optional<std::vector<Symbol>> NamesOf(const NodeSelectorTerm& term) {
  std::optional<std::vector<Symbol>> names;
  for (const SelectorExpression& field : term.match_fields) {
    if (field.key != "metadata.name" || field.op != "In") continue;
    if (!names) {
      names = field.values;
      continue;
    }
    std::erase_if(*names, [&field](const Symbol& name) {
      return std::find(field.values.begin(), field.values.end(), name) == field.values.end();
    });
  }
  return names;
}

// The union over all terms; nullopt if some term does not require a name.
std::optional<std::vector<Symbol>> NamesOf(const NodeSelector& selector) {
  std::vector<Symbol> names;
  for (const NodeSelectorTerm& term : selector.node_selector_terms) {
    std::optional<std::vector<Symbol>> term_names = NamesOf(term);
    if (!term_names) return std::nullopt;
    names.insert(names.end(), term_names->begin(), term_names->end());
  }
  return names;
}

// Writes a requirement of `field` that the node does not meet, and the node's value.
void WriteUnmet(std::string_view field, const SelectorExpression& expression, const Symbol* value,
                JsonWriter* json) {
  json->BeginObject().StringMember("field", field).StringMember("key", expression.key.view());
  json->StringMember("operator", expression.op.view()).Key("values").BeginArray();
  for (const Symbol& wanted : expression.values) json->String(wanted.view());
  json->EndArray().Key("value");
  value == nullptr ? json->Null() : json->String(value->view());
  json->EndObject();
}

// Matches each requirement separately, as a term of its own.
void WriteUnmet(std::string_view field, const NodeSelectorTerm& term, const Node& node,
                JsonWriter* json) {
  const ObjectMeta& metadata = node.metadata;
  auto is_met = [&metadata](const NodeSelectorTerm& alone) {
    return NodeSelectorTermMatcher(alone).Matches(metadata.labels, metadata.name);
  };
  for (const SelectorExpression& expression : term.match_expressions) {
    NodeSelectorTerm alone;
    alone.match_expressions.push_back(expression);
    if (is_met(alone)) continue;
    WriteUnmet(field, expression, metadata.labels.Find(expression.key), json);
  }
  for (const SelectorExpression& expression : term.match_fields) {
    NodeSelectorTerm alone;
    alone.match_fields.push_back(expression);
    if (!is_met(alone)) WriteUnmet(field, expression, &metadata.name, json);
  }
}

}  // namespace

const NodeAffinitySpec* NodeAffinityOf(const Pod& pod) {
  const Shared<Affinity>& affinity = pod.spec.affinity;
  return affinity && affinity->node_affinity ? &*affinity->node_affinity : nullptr;
}

Result<std::unique_ptr<NodeAffinity>, std::string> NodeAffinity::New(const PluginContext& context) {
  std::unique_ptr<NodeAffinity> plugin(new NodeAffinity);
  const auto& args = context.Args<NodeAffinityArgs>();
  if (!args.added_affinity) return plugin;
  if (args.added_affinity->required) {
    auto required = NodeSelectorMatcher::Strict(*args.added_affinity->required);
    if (!required.ok()) {
      return Format("parsing addedAffinity.requiredDuringSchedulingIgnoredDuringExecution: {}",
                    required.fault().Text());
    }
    plugin->added_required_ = required.Take();
  }
  if (args.added_affinity->preferred && !args.added_affinity->preferred->empty()) {
    auto preferred = PreferredSchedulingTerms::Make(*args.added_affinity->preferred);
    if (!preferred.ok()) {
      return Format("parsing addedAffinity.preferredDuringSchedulingIgnoredDuringExecution: {}",
                    preferred.fault().Text());
    }
    plugin->added_preferred_ = preferred.Take();
    plugin->added_preferred_terms_ = &*args.added_affinity->preferred;
  }
  return plugin;
}

Status NodeAffinity::PreFilter(CycleState& state, const Pod& pod, NodeList,
                               PreFilterResult* result) const {
  const NodeAffinitySpec* affinity = NodeAffinityOf(pod);
  const NodeSelector* required =
      affinity != nullptr && affinity->required ? &*affinity->required : nullptr;
  if (required == nullptr && !added_required_ && !pod.spec.node_selector) return Status::Skip();

  state.Write(PreFilterState{GetRequiredNodeAffinity(pod)});
  if (required == nullptr || required->node_selector_terms.empty()) return Status::Success();
  std::optional<std::vector<Symbol>> names = NamesOf(*required);
  if (names && names->empty()) return Status::UnschedulableAndUnresolvable(kReasonConflict);
  result->node_names = std::move(names);
  return Status::Success();
}

Status NodeAffinity::Filter(const CycleState& state, const Pod& pod, const NodeInfo& node) const {
  static const Status kRefusedByProfile = Status::UnschedulableAndUnresolvable(kReasonEnforced);
  static const Status kRefusedByPod = Status::UnschedulableAndUnresolvable(kReasonPod);
  if (added_required_ && !added_required_->Match(*node.node()).matches) return kRefusedByProfile;
  const auto* s = state.Read<PreFilterState>();
  bool matches = s != nullptr ? s->required.Match(*node.node()).matches
                              : GetRequiredNodeAffinity(pod).Match(*node.node()).matches;
  return matches ? Status::Success() : kRefusedByPod;
}

Status NodeAffinity::PreScore(CycleState& state, const Pod& pod, NodeList) const {
  Result<PreScoreState, Status> parsed = ParsePreferred(pod);
  if (!parsed.ok()) return parsed.fault();
  if (!parsed->preferred && !added_preferred_) return Status::Skip();
  state.Write(parsed.Take());
  return Status::Success();
}

Result<int64_t, Status> NodeAffinity::Score(const CycleState& state, const Pod& pod,
                                            const NodeInfo& node) const {
  int64_t score = added_preferred_ ? added_preferred_->Score(*node.node()) : 0;
  if (const auto* s = state.Read<PreScoreState>(); s != nullptr) {
    return s->preferred ? score + s->preferred->Score(*node.node()) : score;
  }
  Result<PreScoreState, Status> parsed = ParsePreferred(pod);
  if (!parsed.ok()) return parsed.fault();
  return parsed->preferred ? score + parsed->preferred->Score(*node.node()) : score;
}

Status NodeAffinity::NormalizeScore(const CycleState&, const Pod&,
                                    std::span<NodeScore> scores) const {
  DefaultNormalizeScore(kMaxNodeScore, false, scores);
  return Status::Success();
}

std::vector<ClusterEventWithHint> NodeAffinity::EventsToRegister() const {
  return {{{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel},
           std::bind_front(&NodeAffinity::IsSchedulableAfterNodeChange, this)}};
}

// A required term that does not parse is an error here; Filter ignores it.
QueueingHint NodeAffinity::IsSchedulableAfterNodeChange(const Pod& pod,
                                                        const EventObjects& objects) const {
  auto nodes = objects.As<Node>();
  if (!nodes || nodes->new_object == nullptr) return QueueingHint::kQueue;
  if (added_required_ && !added_required_->Match(*nodes->new_object).matches) {
    return QueueingHint::kQueueSkip;
  }
  RequiredNodeAffinity required = GetRequiredNodeAffinity(pod);
  NodeSelectorMatch now = required.Match(*nodes->new_object);
  if (!now.matches) return QueueIf(now.parse_errors != nullptr);
  return QueueIf(nodes->old_object == nullptr || !required.Match(*nodes->old_object).matches);
}

// Writes everything that the node does not meet: of the node selector, and of each required term.
// The affinity from the arguments is left out, because it is not the pod's.
void NodeAffinity::WriteCulprit(const Refusal& refusal, JsonWriter* json) const {
  constexpr std::string_view kTerms =
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const std::vector<Symbol>& reasons = refusal.status.reasons();
  if (reasons.empty() || reasons.front() != kReasonPod) return;
  const Node& node = *refusal.node.node();
  json->Key("requirements").BeginArray();
  if (refusal.pod.spec.node_selector) {
    static const Symbol kIn("In");
    for (const auto& [key, wanted] : *refusal.pod.spec.node_selector) {
      const Symbol* value = node.metadata.labels.Find(key);
      if (value != nullptr && *value == wanted) continue;
      WriteUnmet("spec.nodeSelector", {key, kIn, {wanted}}, value, json);
    }
  }
  const NodeAffinitySpec* affinity = NodeAffinityOf(refusal.pod);
  bool is_met = affinity == nullptr || !affinity->required ||
                NodeSelectorMatcher::Lazy(*affinity->required).Match(node).matches;
  for (size_t index = 0; !is_met && index < affinity->required->node_selector_terms.size();
       ++index) {
    WriteUnmet(Format("{}[{}]", kTerms, index), affinity->required->node_selector_terms[index],
               node, json);
  }
  json->EndArray();
}

void NodeAffinity::SignPod(const Pod& pod, PodSignature* signature) const {
  SignNodeAffinity(pod, signature);
}

}  // namespace stowage
