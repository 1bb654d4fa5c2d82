// Validation of a decoded and defaulted configuration (spec 07 §5–§6): exact texts, exact order.
// Counterpart: apis/config/validation, v1.36.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/configuration_error.h"
#include "core/config/features.h"
#include "core/config/field_error_list.h"
#include "core/config/types.h"

namespace stowage {

// nullopt when kube-scheduler would accept the configuration.
std::optional<ConfigurationError> ValidateConfiguration(
    const KubeSchedulerConfiguration& configuration, const Features& features);

// Negative weights of a configuration before defaulting, so that fields are those of the file.
// DIVERGENCE(negative-weight): the reference takes them and lets a plugin count against a node.
std::optional<ConfigurationError> ValidateWeights(const KubeSchedulerConfiguration& configuration);

// The arguments of a plugin, with `path` before their fields.
void ValidateArgs(const FieldPath& path, const PluginArgs& args, const Features& features,
                  FieldErrorList* errors);

// What the plugin itself finds in its arguments when it is built; validation does not look at these
// arguments (it knows them by another name). nullopt when all is well.
std::optional<std::string> ValidateNodeResourcesFitArgs(const NodeResourcesFitArgs& args);

}  // namespace stowage
