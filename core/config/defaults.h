// Defaulting of a configuration (spec 07 §1–§3, §5): merges the default plugins with a profile's
// own, and fills in plugin arguments and the fields whose zero value means a default. Counterpart:
// apis/config/v1/defaults.go and default_plugins.go, v1.36.
#pragma once

#include "core/config/features.h"
#include "core/config/types.h"

namespace stowage {

// The default multiPoint list with its weights, in execution order. The other points have no
// defaults.
PluginSet DefaultMultiPoint(const Features& features);

// Merges the profile's set into the defaults (spec 07 §3): a default plugin keeps its place and
// takes the profile's weight; a disabled "*" drops all defaults; other plugins follow after the
// defaults.
PluginSet MergePluginSet(const PluginSet& defaults, const PluginSet& custom);

// Fills in absent arguments; arguments of plugins outside the core stay unchanged.
void SetArgsDefaults(const Features& features, PluginArgs* args);

// Applies all defaults above to a decoded configuration. Without profiles it adds one; for every
// enabled plugin that takes arguments it adds them, sorted by name after the given ones. The
// default scheduler name is set earlier, during decoding, which can tell an absent name from an
// empty one (core/config/decode.h).
void SetDefaults(const Features& features, KubeSchedulerConfiguration* configuration);

// The ignored resources of extenders replace NodeResourcesFit's ignoredResources in every profile.
// In the reference a profile without NodeResourcesFit arguments is an error. Returns nullopt on
// success.
std::optional<ConfigurationError> ApplyIgnoredResources(KubeSchedulerConfiguration* configuration);

}  // namespace stowage
