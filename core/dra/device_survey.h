// SurveyDevices asks all rules about each device of a node alone, for each request of the claims
// (DeviceRefusals).
#pragma once

#include "core/base/step_budget.h"
#include "core/dra/device_selection.h"
#include "core/dra/tentative_allocation.h"

namespace stowage {

// Adds to inputs.refusals, which has begun. Nothing may be chosen, and nothing is afterwards. Ends
// early if the steps are used up.
void SurveyDevices(const AllocatorInputs& inputs, DeviceSelection* selection,
                   TentativeAllocation* chosen, StepBudget* steps);

}  // namespace stowage
