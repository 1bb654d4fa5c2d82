#include "core/dra/device_survey.h"

#include "core/dra/device_refusals.h"

namespace stowage {
namespace {

// The claims, in the order of `inputs.refusals`, and what the rules need.
struct Survey {
  const AllocatorInputs& inputs;
  DeviceSelection& selection;
  TentativeAllocation& chosen;

  void Ask(size_t claim, const DeviceRequestData& request, const DevicePlace& place);
};

// Unlike the search it asks whether a device is in use only if the request selects it.
void Survey::Ask(size_t claim, const DeviceRequestData& request, const DevicePlace& place) {
  DeviceRefusals& refusals = *inputs.refusals;
  DeviceRefusals::Reason reason;
  switch (selection.IsSelectable(request, *refusals.claims()[claim].claim, chosen.DeviceAt(place),
                                 &reason)) {
    case Selection::kFault:
      reason.rule = DeviceRule::kFault;
      refusals.SetFault(request.number, selection.fault());
      break;
    case Selection::kNo:
      break;
    case Selection::kYes:
      if (inputs.features.consumable_capacity && !chosen.FitsCapacity(request, place)) {
        chosen.Refuse(request, place, DeviceRule::kCapacity);
        return;
      }
      reason.rule = DeviceRule::kInUse;
      if (chosen.IsTaken(claim, request, place)) break;
      bool is_chosen =
          chosen.Choose(claim, request, place) == TentativeAllocation::Outcome::kChosen;
      if (is_chosen) chosen.Undo(claim);
      return;
  }
  refusals.Add(request.number, chosen.FlatIndex(place), reason);
}

}  // namespace

void SurveyDevices(const AllocatorInputs& inputs, DeviceSelection* selection,
                   TentativeAllocation* chosen, StepBudget* steps) {
  Survey survey{inputs, *selection, *chosen};
  const std::vector<ClaimRequests>& claims = inputs.refusals->claims();
  const std::vector<Pool*>& pools = inputs.refusals->pools().pools;
  for (size_t claim = 0; claim < claims.size(); ++claim) {
    // The constraints of a claim that has an error are unknown.
    if (!claims[claim].constraint_error.empty()) continue;
    for (const DeviceRequestData& request : claims[claim].entries) {
      if (!request.error.empty()) continue;
      for (DevicePlace place; place.pool < pools.size(); ++place.pool) {
        size_t num_devices = pools[place.pool]->devices.size();
        if (!steps->Spend(num_devices)) return;
        for (place.device = 0; place.device < num_devices; ++place.device) {
          survey.Ask(claim, request, place);
        }
      }
    }
  }
  inputs.refusals->EndSurvey();
}

}  // namespace stowage
