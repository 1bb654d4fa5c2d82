#include "core/config/expansion.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/base/format.h"
#include "core/config/field_error_list.h"

namespace stowage {
namespace {

constexpr int64_t kMaxNodeScore = 100;
constexpr int64_t kMaxTotalScore = std::numeric_limits<int64_t>::max();

// The order in which upstream fills the points. It determines which of several errors is reported.
constexpr ExtensionPoint kFillOrder[] = {
    ExtensionPoint::kPreFilter,         ExtensionPoint::kFilter,
    ExtensionPoint::kPostFilter,        ExtensionPoint::kReserve,
    ExtensionPoint::kPreScore,          ExtensionPoint::kScore,
    ExtensionPoint::kPreBind,           ExtensionPoint::kBind,
    ExtensionPoint::kPostBind,          ExtensionPoint::kPermit,
    ExtensionPoint::kPreEnqueue,        ExtensionPoint::kQueueSort,
    ExtensionPoint::kPlacementGenerate, ExtensionPoint::kPlacementScore,
};
static_assert(std::size(kFillOrder) == kExtensionPointCount);

using Fault = std::optional<ConfigurationError::Entry>;

class ProfileExpansion {
 public:
  ProfileExpansion(const KubeSchedulerProfile& profile, size_t index, const PluginPoints& points)
      : profile_(profile),
        points_(points),
        path_(FieldPath().Child("profiles").Index(index)),
        plugins_path_(path_.Child("plugins")) {
    expanded_.scheduler_name = profile.scheduler_name;
  }

  // Fills `expanded`; returns the first error, or nullopt.
  Fault Run() {
    if (Fault fault = CheckArgsOnce()) return fault;
    CollectPlugins();
    for (ExtensionPoint point : kFillOrder) {
      if (Fault fault = CheckSpecific(point)) return fault;
    }
    for (ExtensionPoint point : kFillOrder) {
      if (Fault fault = Expand(point)) return fault;
    }
    if (Fault fault = CheckCounts()) return fault;
    if (Fault fault = SetWeights(ExtensionPoint::kScore)) return fault;
    return SetWeights(ExtensionPoint::kPlacementScore);
  }

  ExpandedProfile Take() { return std::move(expanded_); }

 private:
  std::vector<ExpandedPlugin>& at(ExtensionPoint point) {
    return expanded_.points[static_cast<size_t>(point)];
  }

  FieldPath PathOf(ExtensionPoint point) const {
    return plugins_path_.Child(ExtensionPointField(point));
  }

  Fault Error(const FieldPath& path, std::string text) const {
    return ConfigurationError::Entry{path.text(), std::move(text)};
  }

  Fault CheckArgsOnce() const {
    const std::vector<PluginConfig>& configs = profile_.plugin_config;
    for (size_t index = 0; index < configs.size(); ++index) {
      bool is_repeated =
          std::any_of(configs.begin(), configs.begin() + static_cast<std::ptrdiff_t>(index),
                      [&](const PluginConfig& other) { return other.name == configs[index].name; });
      if (!is_repeated) continue;
      return Error(path_.Child("pluginConfig").Index(index),
                   Format("repeated config for plugin {}", configs[index].name));
    }
    return std::nullopt;
  }

  void CollectPlugins() {
    auto add = [this](const PluginSet& set) {
      for (const PluginRef& plugin : set.enabled) {
        std::vector<std::string>& plugins = expanded_.plugins;
        if (std::find(plugins.begin(), plugins.end(), plugin.name) != plugins.end()) continue;
        if (points_(plugin.name)) plugins.push_back(plugin.name);
      }
    };
    add(profile_.plugins.multi_point);
    for (const PluginSet& set : profile_.plugins.points) add(set);
  }

  Fault DoesNotExist(ExtensionPoint point, const FieldPath& path, std::string_view name) const {
    return Error(path, Format("{}Plugin \"{}\" does not exist", ExtensionPointName(point), name));
  }

  Fault AlreadyRegistered(ExtensionPoint point, const FieldPath& path,
                          std::string_view name) const {
    return Error(path, Format("plugin \"{}\" already registered as \"{}Plugin\"", name,
                              ExtensionPointName(point)));
  }

  Fault CheckSpecific(ExtensionPoint point) {
    FieldPath path = PathOf(point).Child("enabled");
    std::vector<ExpandedPlugin>& list = at(point);
    const std::vector<PluginRef>& enabled = profile_.plugins[point].enabled;
    for (size_t index = 0; index < enabled.size(); ++index) {
      const std::string& name = enabled[index].name;
      std::optional<ExtensionPointSet> implemented = points_(name);
      if (!implemented) return DoesNotExist(point, path.Index(index), name);
      if (!implemented->Has(point)) {
        return Error(path.Index(index), Format("plugin \"{}\" does not extend {}Plugin plugin",
                                               name, ExtensionPointName(point)));
      }
      bool is_repeated = std::any_of(list.begin(), list.end(), [&](const ExpandedPlugin& plugin) {
        return plugin.name == name;
      });
      if (is_repeated) return AlreadyRegistered(point, path.Index(index), name);
      list.push_back({name, 0});
    }
    return std::nullopt;
  }

  // First the specific list's overrides of multiPoint plugins, then the multiPoint plugins, then
  // the rest of the specific list.
  Fault Expand(ExtensionPoint point) {
    const PluginSet& specific = profile_.plugins[point];
    if (HasPlugin(specific.disabled, "*")) return std::nullopt;
    FieldPath path = plugins_path_.Child("multiPoint");
    std::vector<std::string_view> overrides;
    std::vector<ExpandedPlugin> ordered;
    for (const PluginRef& plugin : profile_.plugins.multi_point.enabled) {
      std::optional<ExtensionPointSet> implemented = points_(plugin.name);
      if (!implemented) return DoesNotExist(point, path, plugin.name);
      if (!implemented->Has(point) || HasPlugin(specific.disabled, plugin.name)) continue;
      if (HasPlugin(specific.enabled, plugin.name)) {
        overrides.push_back(plugin.name);
        continue;
      }
      bool is_repeated =
          std::any_of(ordered.begin(), ordered.end(),
                      [&](const ExpandedPlugin& other) { return other.name == plugin.name; });
      if (is_repeated) return AlreadyRegistered(point, path, plugin.name);
      ordered.push_back({plugin.name, 0});
    }
    std::vector<ExpandedPlugin>& list = at(point);
    auto rest = std::stable_partition(list.begin(), list.end(), [&](const ExpandedPlugin& plugin) {
      return std::find(overrides.begin(), overrides.end(), plugin.name) != overrides.end();
    });
    list.insert(rest, ordered.begin(), ordered.end());
    return std::nullopt;
  }

  Fault CheckCounts() {
    const std::string& name = profile_.scheduler_name;
    size_t queue_sorts = at(ExtensionPoint::kQueueSort).size();
    if (queue_sorts != 1) {
      return Error(PathOf(ExtensionPoint::kQueueSort),
                   Format("only one queue sort plugin required for profile with scheduler "
                          "name {}, but got {}",
                          GoQuote(name), queue_sorts));
    }
    if (at(ExtensionPoint::kBind).empty()) {
      return Error(PathOf(ExtensionPoint::kBind),
                   Format("at least one bind plugin is needed for profile with scheduler name {}",
                          GoQuote(name)));
    }
    if (at(ExtensionPoint::kPlacementGenerate).size() > 1) {
      return Error(PathOf(ExtensionPoint::kPlacementGenerate),
                   Format("at most one placement generate plugin is allowed for profile with "
                          "scheduler name {}",
                          GoQuote(name)));
    }
    return std::nullopt;
  }

  // Takes the weight of the specific entry, else of the multiPoint entry. Plugins that are disabled
  // at the point count in the sum as well.
  Fault SetWeights(ExtensionPoint point) {
    std::map<std::string_view, int64_t> weights;
    int64_t total = 0;
    const std::vector<PluginRef>* const lists[] = {&profile_.plugins[point].enabled,
                                                   &profile_.plugins.multi_point.enabled};
    for (const std::vector<PluginRef>* list : lists) {
      for (const PluginRef& plugin : *list) {
        std::optional<ExtensionPointSet> implemented = points_(plugin.name);
        if (!implemented || !implemented->Has(point)) continue;
        int64_t weight = plugin.weight == 0 ? 1 : plugin.weight;
        if (!weights.emplace(plugin.name, weight).second) continue;
        if (weight * kMaxNodeScore > kMaxTotalScore - total) {
          return Error(PathOf(point), "total score of Score plugins could overflow");
        }
        total += weight * kMaxNodeScore;
      }
    }
    for (ExpandedPlugin& plugin : at(point)) {
      auto weight = weights.find(plugin.name);
      CHECK(weight != weights.end());
      plugin.weight = weight->second;
    }
    return std::nullopt;
  }

  const KubeSchedulerProfile& profile_;
  const PluginPoints& points_;
  FieldPath path_;
  FieldPath plugins_path_;
  ExpandedProfile expanded_;
};

ConfigurationError CreationError(const KubeSchedulerProfile& profile,
                                 const ConfigurationError::Entry& fault) {
  return ConfigurationError::Of(
      fault.field, Format("initializing profiles: creating profile for scheduler name {}: {}",
                          profile.scheduler_name, fault.detail));
}

// Checks the rules across profiles.
class CommonRules {
 public:
  Fault Check(const KubeSchedulerProfile& profile, const ExpandedProfile& expanded, size_t index) {
    FieldPath path = FieldPath().Child("profiles").Index(index);
    const std::string& name = profile.scheduler_name;
    if (name.empty()) {
      return Error(path.Child("schedulerName"), "scheduler name is needed");
    }
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      return Error(path.Child("schedulerName"),
                   Format("duplicate profile with scheduler name {}", GoQuote(name)));
    }
    names_.push_back(name);
    const std::string& queue_sort = expanded[ExtensionPoint::kQueueSort].front().name;
    const PluginArgs& args = profile.ArgsOf(queue_sort);
    if (index == 0) {
      queue_sort_ = queue_sort;
      queue_sort_args_ = args;
      return std::nullopt;
    }
    if (queue_sort != queue_sort_) {
      return Error(path.Child("plugins").Child("queueSort"),
                   Format("different queue sort plugins for profile {}: {}, first: {}",
                          GoQuote(name), GoQuote(queue_sort), GoQuote(queue_sort_)));
    }
    if (args != queue_sort_args_) {
      return Error(path.Child("pluginConfig"),
                   Format("different queue sort plugin args for profile {}", GoQuote(name)));
    }
    return std::nullopt;
  }

 private:
  static Fault Error(const FieldPath& path, std::string text) {
    return ConfigurationError::Entry{path.text(), "initializing profiles: " + text};
  }

  std::vector<std::string_view> names_;
  std::string queue_sort_;
  PluginArgs queue_sort_args_;
};

}  // namespace

Result<ExpandedProfile, ConfigurationError> ExpandProfile(const KubeSchedulerProfile& profile,
                                                          size_t index,
                                                          const PluginPoints& points) {
  ProfileExpansion expansion(profile, index, points);
  if (Fault fault = expansion.Run()) return CreationError(profile, *fault);
  return expansion.Take();
}

Result<std::vector<ExpandedProfile>, ConfigurationError> ExpandProfiles(
    const std::vector<KubeSchedulerProfile>& profiles, const PluginPoints& points) {
  if (profiles.empty()) {
    return ConfigurationError::Of("profiles", "at least one profile is required");
  }
  std::vector<ExpandedProfile> all;
  CommonRules rules;
  for (size_t index = 0; index < profiles.size(); ++index) {
    Result<ExpandedProfile, ConfigurationError> expanded =
        ExpandProfile(profiles[index], index, points);
    if (!expanded.ok()) return expanded.fault();
    if (Fault fault = rules.Check(profiles[index], *expanded, index)) {
      return ConfigurationError::Of(fault->field, fault->detail);
    }
    all.push_back(expanded.Take());
  }
  return all;
}

ConfigurationError PluginInitializationError(const KubeSchedulerProfile& profile, size_t index,
                                             std::string_view plugin, std::string_view reason) {
  std::string field;
  for (size_t place = 0; place < profile.plugin_config.size(); ++place) {
    if (profile.plugin_config[place].name != plugin) continue;
    field = FieldPath().Child("profiles").Index(index).Child("pluginConfig").Index(place).text();
  }
  return CreationError(profile,
                       {field, Format("initializing plugin {}: {}", GoQuote(plugin), reason)});
}

}  // namespace stowage
