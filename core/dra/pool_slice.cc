#include "core/dra/pool_slice.h"

namespace stowage {
namespace {

struct NodeChoice {
  const Symbol& node_name;
  bool all_nodes;
  const std::optional<NodeSelector>& selector;
};

// The parsed selector is kept in `parsed`.
Result<bool, std::string> MatchesNode(
    const NodeChoice& choice, const Node* node,
    std::optional<Result<NodeSelectorMatcher, FieldErrors>>* parsed) {
  if (!choice.node_name.empty()) {
    return node != nullptr && node->metadata.name == choice.node_name;
  }
  if (choice.all_nodes) return true;
  if (!choice.selector) return false;
  if (!*parsed) parsed->emplace(NodeSelectorMatcher::Strict(*choice.selector));
  if (!(*parsed)->ok()) {
    return std::string("failed to parse node selector: ") + (*parsed)->fault().Text();
  }
  return node != nullptr && (*parsed)->value().Match(*node).matches;
}

}  // namespace

Result<bool, std::string> PoolSlice::ServesNode(const Node* node) {
  const ResourceSliceSpec& spec = slice_->spec;
  if (!spec.node_name.empty() || spec.all_nodes || spec.node_selector) {
    auto serves =
        MatchesNode({spec.node_name, spec.all_nodes, spec.node_selector}, node, &selector_);
    if (serves.ok()) return serves;
    return "failed to perform node selection for slice " + name().str() + ": " + serves.fault();
  }
  if (!spec.per_device_node_selection) return false;
  for (size_t device = 0; device < spec.devices.size(); ++device) {
    auto serves = DeviceServesNode(device, node);
    if (!serves.ok()) {
      return "failed to perform node selection for device " + spec.devices[device].name.str() +
             " in slice " + name().str() + ": " + serves.fault();
    }
    if (*serves) return true;
  }
  return false;
}

Result<bool, std::string> PoolSlice::DeviceServesNode(size_t device, const Node* node) {
  device_selectors_.resize(slice_->spec.devices.size());
  const Device& chosen = slice_->spec.devices[device];
  return MatchesNode({chosen.node_name, chosen.all_nodes, chosen.node_selector}, node,
                     &device_selectors_[device]);
}

Result<bool, std::string> PoolSlice::Verdicts::Matches(const Symbol& expression,
                                                       const PoolSlice& slice, size_t device,
                                                       SelectorEvaluator* evaluator) {
  Verdict& known = of_devices_[device];
  if (known != Verdict::kUnknown) return known == Verdict::kYes;
  auto matches = evaluator->Matches(expression, slice.slice(), slice.spec().devices[device], true);
  if (matches.ok()) known = *matches ? Verdict::kYes : Verdict::kNo;
  return matches;
}

PoolSlice::Verdicts& PoolSlice::VerdictsOf(const Symbol& expression) {
  std::unique_ptr<Verdicts>& verdicts = verdicts_[expression];
  if (verdicts == nullptr) verdicts = std::make_unique<Verdicts>(slice_->spec.devices.size());
  return *verdicts;
}

}  // namespace stowage
