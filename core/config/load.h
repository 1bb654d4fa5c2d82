// LoadConfiguration is the way from the text of a configuration to one that can be run.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/config/configuration_error.h"
#include "core/config/features.h"
#include "core/config/types.h"

namespace stowage {

// Decodes, defaults and validates; an empty text is the default configuration. What depends on the
// plugins that exist is checked by core/config/expansion.h, and by the plugins themselves.
Result<KubeSchedulerConfiguration, ConfigurationError> LoadConfiguration(std::string_view json,
                                                                         const Features& features);

}  // namespace stowage
