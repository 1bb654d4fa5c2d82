// Expansion: which plugins run at each extension point of a profile, in which order and with which
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

// The points that the plugin of this name implements; nullopt when there is no such plugin.
using PluginPoints = std::function<std::optional<ExtensionPointSet>(std::string_view name)>;

// A plugin at a point.
struct ExpandedPlugin {
  std::string name;
  int64_t weight = 0;  // ≥ 1 at Score and PlacementScore, 0 elsewhere

  friend bool operator==(const ExpandedPlugin&, const ExpandedPlugin&) = default;
};

struct ExpandedProfile {
  std::string scheduler_name;
  std::array<std::vector<ExpandedPlugin>, kExtensionPointCount> points;  // in running order
  // Plugins enabled anywhere that exist, each once: the ones to instantiate. Those of multiPoint in
  // its order, then the others by point.
  std::vector<std::string> plugins;

  const std::vector<ExpandedPlugin>& operator[](ExtensionPoint point) const {
    return points[static_cast<size_t>(point)];
  }
};

// The profile as it would run. `index` is its place in the configuration and only serves the fields
// of the error, whose message is complete ("initializing profiles: creating profile for …").
Result<ExpandedProfile, ConfigurationError> ExpandProfile(const KubeSchedulerProfile& profile,
                                                          size_t index, const PluginPoints& points);

// All profiles, checked one by one and against each other: names differ, and all sort the one queue
// by the same plugin with the same arguments.
Result<std::vector<ExpandedProfile>, ConfigurationError> ExpandProfiles(
    const std::vector<KubeSchedulerProfile>& profiles, const PluginPoints& points);

// The error of a plugin that could not be built: `initializing plugin "<name>": <reason>`.
ConfigurationError PluginInitializationError(const KubeSchedulerProfile& profile, size_t index,
                                             std::string_view plugin, std::string_view reason);

}  // namespace stowage
