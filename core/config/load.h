// LoadConfiguration turns the text of a configuration into one that is ready for use.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/config/configuration_error.h"
#include "core/config/features.h"
#include "core/config/types.h"

namespace stowage {

// Decodes, sets defaults and validates; an empty text is the default configuration.
// core/config/expansion.h checks what depends on the available plugins, and plugins check the rest
// when they are built.
Result<KubeSchedulerConfiguration, ConfigurationError> LoadConfiguration(std::string_view json,
                                                                         const Features& features);

}  // namespace stowage
