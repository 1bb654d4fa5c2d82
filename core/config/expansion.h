// Expansion: which plugins run at each extension point of a profile, in which order, and with which
// weights (spec 07 §4).
// Counterpart: NewFramework in framework/runtime/framework.go and profile/profile.go, v1.36.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/config/configuration_error.h"
#include "core/config/extension_points.h"
#include "core/config/types.h"

namespace stowage {

// The extension points of the plugin of that name; nullopt if there is none.
using PluginPoints = std::function<std::optional<ExtensionPointSet>(std::string_view name)>;

// A plugin at a point.
struct ExpandedPlugin {
  std::string name;
  int64_t weight = 0;  // ≥ 1 at Score and PlacementScore, 0 elsewhere

  friend bool operator==(const ExpandedPlugin&, const ExpandedPlugin&) = default;
};

struct ExpandedProfile {
  std::string scheduler_name;
  std::array<std::vector<ExpandedPlugin>, kExtensionPointCount> points;  // in execution order
  // The plugins to instantiate: all that exist and are enabled anywhere, each once. First those of
  // multiPoint in its order, then the others by point.
  std::vector<std::string> plugins;

  const std::vector<ExpandedPlugin>& operator[](ExtensionPoint point) const {
    return points[static_cast<size_t>(point)];
  }
};

// Expands one profile. `index` is its index in the configuration and is only used for the fields of
// the error, whose message is complete ("initializing profiles: creating profile for …").
Result<ExpandedProfile, ConfigurationError> ExpandProfile(const KubeSchedulerProfile& profile,
                                                          size_t index, const PluginPoints& points);

// Expands all profiles and checks them against each other: names must differ, and all must use the
// same QueueSort plugin with the same arguments, because they share one queue.
Result<std::vector<ExpandedProfile>, ConfigurationError> ExpandProfiles(
    const std::vector<KubeSchedulerProfile>& profiles, const PluginPoints& points);

// The error for a plugin that could not be built: `initializing plugin "<name>": <reason>`.
ConfigurationError PluginInitializationError(const KubeSchedulerProfile& profile, size_t index,
                                             std::string_view plugin, std::string_view reason);

}  // namespace stowage
