// Validation of a decoded and defaulted configuration (spec 07 §5–§6), with the reference's exact
// texts in its exact order.
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

// nullopt if kube-scheduler would accept the configuration.
std::optional<ConfigurationError> ValidateConfiguration(
    const KubeSchedulerConfiguration& configuration, const Features& features);

// Rejects negative weights. Call it before defaulting, so that the fields are those of the
// document.
// DIVERGENCE(negative-weight): the reference accepts them and lets a plugin count against a node.
std::optional<ConfigurationError> ValidateWeights(const KubeSchedulerConfiguration& configuration);

// Validates the arguments of a plugin; `path` is the prefix of their fields.
void ValidateArgs(const FieldPath& path, const PluginArgs& args, const Features& features,
                  FieldErrorList* errors);

// The errors that the plugin itself finds when it is built. Validation does not check these
// arguments, because the reference registers the check under another name. nullopt: no error.
std::optional<std::string> ValidateNodeResourcesFitArgs(const NodeResourcesFitArgs& args);

}  // namespace stowage
