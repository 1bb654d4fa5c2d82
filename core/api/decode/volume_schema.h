// What a pod's volumes name, beyond claims and images.
#pragma once

#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/api/pod.h"

namespace stowage {

// Reads the sources that the scheduler looks into (Volume::source) from what was kept of them. What
// is wrong there is added to `errors`, under its path in the pod.
void ReadVolumeSources(Pod* pod, std::vector<FieldError>* errors);

}  // namespace stowage
