#include "core/plugins/pod_topology_spread.h"

#include <algorithm>

#include "core/api/taints.h"
#include "core/base/stable_sort.h"
#include "core/config/features.h"
#include "core/plugins/helper_spread.h"

namespace stowage {
namespace {

constexpr std::string_view kHonor = "Honor";
constexpr std::string_view kIgnore = "Ignore";

TopologySpreadConstraint SystemConstraint(std::string_view key, int32_t max_skew) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = Symbol(key);
  constraint.when_unsatisfiable = Symbol(PodTopologySpread::kScheduleAnyway);
  constraint.max_skew = max_skew;
  return constraint;
}

std::vector<TopologySpreadConstraint> SystemConstraints() {
  return {SystemConstraint("kubernetes.io/hostname", 3),
          SystemConstraint("topology.kubernetes.io/zone", 5)};
}

// Adds the pod's own values of matchLabelKeys to the selector. Keys that the pod lacks are ignored.
Selector WithMatchLabelKeys(const TopologySpreadConstraint& constraint, const Pod& pod,
                            Selector selector) {
  std::vector<LabelMap::Entry> own;
  for (const Symbol& key : constraint.match_label_keys) {
    if (const Symbol* value = pod.metadata.labels.Find(key)) own.emplace_back(key, *value);
  }
  LabelMap labels;
  labels.SetAll(&own);
  if (labels.empty() || selector.MatchesNothing()) return selector;
  Selector merged = Selector::FromSet(labels);
  merged.Add(selector.requirements());
  return merged;
}

}  // namespace

PodTopologySpread::PodTopologySpread(const PluginContext& context)
    : handle_(context.handle),
      features_(context.features),
      default_constraints_(context.Args<PodTopologySpreadArgs>().default_constraints),
      is_system_defaulted_(context.Args<PodTopologySpreadArgs>().defaulting_type ==
                           PodTopologySpreadArgs::kSystemDefaulting) {
  if (is_system_defaulted_) default_constraints_ = SystemConstraints();
}

Result<PodTopologySpread::Constraints, std::string> PodTopologySpread::ConstraintsOf(
    const Pod& pod, std::string_view action) const {
  std::string_view kind = action == kDoNotSchedule ? "hard" : "soft";
  const auto& own = pod.spec.topology_spread_constraints;
  Result<Constraints, std::string> constraints =
      Prepare(own.empty() ? default_constraints_ : own, pod, action);
  if (!constraints.ok()) {
    std::string doing = own.empty() ? "setting default " : "obtaining pod's ";
    return doing.append(kind) + " topology spread constraints: " + constraints.fault();
  }
  if (!own.empty() || constraints->empty()) return constraints;
  Selector selector = DefaultSelector(pod, handle_.listers());
  if (selector.Empty()) return Constraints();
  for (SpreadConstraint& constraint : *constraints) constraint.selector = selector;
  return constraints;
}

Result<PodTopologySpread::Constraints, std::string> PodTopologySpread::Prepare(
    const SharedList<TopologySpreadConstraint>& given, const Pod& pod,
    std::string_view action) const {
  Constraints constraints;
  for (const TopologySpreadConstraint& constraint : given) {
    if (constraint.when_unsatisfiable != action) continue;
    Result<Selector, FieldErrors> selector = Selector::Make(constraint.label_selector);
    if (!selector.ok()) return selector.fault().Text();
    SpreadConstraint prepared;
    prepared.max_skew = constraint.max_skew;
    prepared.topology_key = constraint.topology_key;
    prepared.selector = features_.match_label_keys_in_pod_topology_spread
                            ? WithMatchLabelKeys(constraint, pod, selector.Take())
                            : selector.Take();
    prepared.min_domains = constraint.min_domains.value_or(1);
    if (features_.node_inclusion_policy_in_pod_topology_spread) {
      prepared.honors_node_affinity = constraint.node_affinity_policy != kIgnore;
      prepared.honors_node_taints = constraint.node_taints_policy == kHonor;
    }
    constraints.push_back(std::move(prepared));
  }
  return constraints;
}

PodTopologySpread::Constraints::const_iterator PodTopologySpread::FindAbsentKey(
    const Constraints& constraints) const {
  TopologyIndex& index = handle_.topology_index();
  return std::find_if(constraints.begin(), constraints.end(),
                      [&index](const SpreadConstraint& constraint) {
                        return !index.HasKey(constraint.topology_key);
                      });
}

RequiredKeys PodTopologySpread::MissingKeys(const Constraints& constraints) const {
  std::vector<Symbol> keys;
  for (const SpreadConstraint& constraint : constraints) {
    const Symbol& key = constraint.topology_key;
    if (handle_.topology_index().Column(key)->num_missing() > 0) keys.push_back(key);
  }
  StableSort(&keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return std::make_shared<const std::vector<Symbol>>(std::move(keys));
}

std::shared_ptr<PodSums> PodTopologySpread::SumsOf(const SpreadConstraint& constraint,
                                                   const Symbol& namespace_,
                                                   PodSums::NodeFilter filter) const {
  TopologyIndex& index = handle_.topology_index();
  std::vector<PodMatcher> matchers{MatcherOf(constraint, namespace_)};
  if (filter == nullptr) return index.Sums(constraint.topology_key, std::move(matchers));
  auto sums = std::make_shared<PodSums>(index.Column(constraint.topology_key),
                                        index.Counts(std::move(matchers)), std::move(filter));
  sums->Refresh(handle_.snapshot().table());
  return sums;
}

bool SpreadInclusion::Includes(const SpreadConstraint& constraint, const Node& node) const {
  if (constraint.honors_node_affinity && !affinity_.Match(node).matches) return false;
  return !constraint.honors_node_taints ||
         FindMatchingUntoleratedTaint(node.spec.taints, tolerations_, DoNotScheduleTaintsFilter,
                                      features_.taint_toleration_comparison_operators) == nullptr;
}

bool HasAllTopologyKeys(const LabelMap& labels, const std::vector<SpreadConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&labels](const SpreadConstraint& constraint) {
                       return labels.Has(constraint.topology_key);
                     });
}

PodSums::NodeFilter CountedNodes(const SpreadConstraint& constraint,
                                 std::shared_ptr<const SpreadInclusion> inclusion,
                                 RequiredKeys required_keys) {
  bool includes_all = inclusion->IncludesAll(constraint);
  if (includes_all && required_keys->empty()) return nullptr;
  return [constraint, inclusion = std::move(inclusion), keys = std::move(required_keys),
          includes_all](const Node& node) {
    bool has_keys = std::all_of(keys->begin(), keys->end(), [&node](const Symbol& key) {
      return node.metadata.labels.Has(key);
    });
    return has_keys && (includes_all || inclusion->Includes(constraint, node));
  };
}

PodMatcher MatcherOf(const SpreadConstraint& constraint, const Symbol& namespace_) {
  const Selector& selector = constraint.selector;
  return {{namespace_}, false, selector.Empty() ? Selector::Nothing() : selector};
}

bool PodTopologySpread::CanSign(const Pod& pod) const {
  return pod.spec.topology_spread_constraints.empty() && default_constraints_.empty();
}

}  // namespace stowage
