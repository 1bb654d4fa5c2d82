#include "core/config/load.h"

#include <optional>

#include "core/config/decode.h"
#include "core/config/defaults.h"
#include "core/config/validation.h"

namespace stowage {

Result<KubeSchedulerConfiguration, ConfigurationError> LoadConfiguration(std::string_view json,
                                                                         const Features& features) {
  Result<KubeSchedulerConfiguration, ConfigurationError> decoded =
      DecodeConfiguration(json, features);
  if (!decoded.ok()) return decoded;
  KubeSchedulerConfiguration& configuration = *decoded;
  if (std::optional<ConfigurationError> error = ValidateWeights(configuration)) return *error;
  SetDefaults(features, &configuration);
  if (std::optional<ConfigurationError> error = ValidateConfiguration(configuration, features)) {
    return *error;
  }
  if (std::optional<ConfigurationError> error = ApplyIgnoredResources(&configuration)) {
    return *error;
  }
  return decoded;
}

}  // namespace stowage
