// Defaulting of a configuration (spec 07 §1–§3, §5): the default plugins and how a profile's own
// are merged into them, the arguments of plugins, and the fields whose zero value stands for a
// default. Counterpart: apis/config/v1/defaults.go and default_plugins.go, v1.36.
#pragma once

#include "core/config/features.h"
#include "core/config/types.h"

namespace stowage {

// The default multiPoint list with its weights, in running order. The other points have no
// defaults.
PluginSet DefaultMultiPoint(const Features& features);

// The profile's set over the defaults (spec 07 §3): a default plugin keeps its place and takes the
// profile's weight; "*" drops all defaults; what is not a default comes after them.
PluginSet MergePluginSet(const PluginSet& defaults, const PluginSet& custom);

// Fills in what the arguments leave to defaults; arguments that are not in-tree stay as they are.
void SetArgsDefaults(const Features& features, PluginArgs* args);

// Everything above for a decoded configuration: without profiles there is one, arguments are added
// for every enabled plugin that takes some, sorted by name after those given. A missing scheduler
// name is decided earlier, when absence can be told from the empty text (core/config/decode.h).
void SetDefaults(const Features& features, KubeSchedulerConfiguration* configuration);

// Resources that an extender wants ignored replace NodeResourcesFit's ignoredResources in every
// profile. A profile without NodeResourcesFit arguments is an error in the reference; nullopt when
// all went well.
std::optional<ConfigurationError> ApplyIgnoredResources(KubeSchedulerConfiguration* configuration);

}  // namespace stowage
