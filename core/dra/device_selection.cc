#include "core/dra/device_selection.h"

namespace stowage {
namespace {

Symbol ExpressionOf(const DeviceSelector& selector) {
  return selector.cel ? selector.cel->expression : Symbol();
}

}  // namespace

DeviceSelection::Memo& DeviceSelection::MemoOf(const DeviceRequestData& request, PoolSlice* slice) {
  Memo& memo = memos_[request.number];
  if (memo.slice == slice && memo.epoch == pools_.epoch()) return memo;
  memo.slice = slice;
  memo.epoch = pools_.epoch();
  memo.verdicts.clear();
  auto add = [this, slice, &memo](const SharedList<DeviceSelector>& selectors) {
    for (const DeviceSelector& selector : selectors) {
      memo.verdicts.push_back(&pools_.VerdictsOf(ExpressionOf(selector), slice));
    }
  };
  add(request.device_class->spec.selectors);
  add(request.request->selectors);
  return memo;
}

// The first evaluation of a selector on a device, or one after a fault.
Selection DeviceSelection::Match(const DeviceRequestData& request, const ResourceClaim& claim,
                                 const PoolDevice& device, size_t selector) {
  const SharedList<DeviceSelector>& of_class = request.device_class->spec.selectors;
  bool is_of_class = selector < of_class.size();
  size_t index = is_of_class ? selector : selector - of_class.size();
  const SharedList<DeviceSelector>& selectors = is_of_class ? of_class : request.request->selectors;
  PoolSlice::Verdicts& verdicts = *memos_[request.number].verdicts[selector];
  auto matches = verdicts.Matches(ExpressionOf(selectors[index]), *device.slice, device.index,
                                  &inputs_.selectors);
  if (matches.ok()) return *matches ? Selection::kYes : Selection::kNo;
  fault_ = is_of_class ? "class " + request.device_class->metadata.name.str()
                       : "claim " + ClaimName(claim);
  fault_ += ": selector #" + std::to_string(index) + ": " + matches.fault();
  return Selection::kFault;
}

Selection DeviceSelection::IsSelectable(const DeviceRequestData& request,
                                        const ResourceClaim& claim, const PoolDevice& device,
                                        DeviceRefusals::Reason* refusal) {
  auto refuse = [refusal](DeviceRule rule, size_t index) {
    if (refusal != nullptr) {
      refusal->rule = rule;
      refusal->index = index;
    }
    return Selection::kNo;
  };
  if (!inputs_.features.binding_conditions && !device.device().binding_conditions.empty()) {
    return refuse(DeviceRule::kBindingConditions, 0);
  }
  Memo& memo = MemoOf(request, device.slice);
  for (size_t selector = 0; selector < memo.verdicts.size(); ++selector) {
    if (memo.verdicts[selector]->IsKnownToMatch(device.index)) continue;
    Selection selection = memo.verdicts[selector]->IsKnownNotToMatch(device.index)
                              ? Selection::kNo
                              : Match(request, claim, device, selector);
    if (selection == Selection::kFault) return selection;
    if (selection == Selection::kYes) continue;
    size_t num_of_class = request.device_class->spec.selectors.size();
    return selector < num_of_class ? refuse(DeviceRule::kClassSelector, selector)
                                   : refuse(DeviceRule::kSelector, selector - num_of_class);
  }
  if (!device.slice->spec().per_device_node_selection) return Selection::kYes;
  auto serves = device.slice->DeviceServesNode(device.index, node_);
  if (!serves.ok()) {
    fault_ = serves.fault();
    return Selection::kFault;
  }
  return *serves ? Selection::kYes : refuse(DeviceRule::kNode, 0);
}

}  // namespace stowage
