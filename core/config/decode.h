// Strict decoding of a KubeSchedulerConfiguration from JSON (spec 07).
//
// Errors are those of kube-scheduler: the kind first, then values that do not fit, then arguments
// that are not the plugin's, then everything unknown or repeated as one
// `strict decoding error: unknown field "profiles[0].bogus", …`.
// Counterpart: apis/config/scheme and kube-scheduler/config/v1/types.go, v1.36.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/config/configuration_error.h"
#include "core/config/types.h"

namespace stowage {

// Undefaulted, except that a single profile without a name gets the default one. An empty text is
// an empty configuration; every other text must name its apiVersion and kind.
Result<KubeSchedulerConfiguration, ConfigurationError> DecodeConfiguration(std::string_view json);

}  // namespace stowage
