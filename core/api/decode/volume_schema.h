// The sources of a pod's volumes, except claims and images.
#pragma once

#include <vector>

#include "core/api/decode/decode_json.h"
#include "core/api/pod.h"

namespace stowage {

// Decodes the sources that the scheduler reads (Volume::source) from their kept text. Adds errors
// to `errors`, with their paths in the pod.
void ReadVolumeSources(Pod* pod, std::vector<FieldError>* errors);

}  // namespace stowage
