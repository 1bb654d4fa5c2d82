// Strict decoding of a KubeSchedulerConfiguration from JSON (spec 07).
//
// Errors are reported as by kube-scheduler, in this order: the kind, values that do not fit,
// arguments of another plugin's kind, and last all unknown and duplicate fields as one `strict
// decoding error: unknown field "profiles[0].bogus", …`.
// Counterpart: apis/config/scheme and kube-scheduler/config/v1/types.go, v1.36.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/config/configuration_error.h"
#include "core/config/features.h"
#include "core/config/types.h"

namespace stowage {

// Sets no defaults, except that a single profile without a name gets the default name. An empty
// text is an empty configuration; any other text must have apiVersion and kind. Arguments of
// DynamicResources are not read by a release that has no type for them.
Result<KubeSchedulerConfiguration, ConfigurationError> DecodeConfiguration(
    std::string_view json, const Features& features = {});

}  // namespace stowage
