#include "core/config/defaults.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stowage {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::string_view kAll = "*";

void DefaultDuration(int64_t seconds, Duration* duration) {
  if (duration->nanos == 0) duration->nanos = seconds * kNanosPerSecond;
}

void DefaultText(std::string_view value, std::string* text) {
  if (text->empty()) *text = value;
}

void DefaultResources(std::vector<ResourceSpec>* resources) {
  if (resources->empty()) *resources = {{Symbol("cpu"), 1}, {Symbol("memory"), 1}};
  for (ResourceSpec& resource : *resources) {
    if (resource.weight == 0) resource.weight = 1;
  }
}

void SetArgs(const Features&, NodeResourcesBalancedAllocationArgs* args) {
  DefaultResources(&args->resources);
}

// A strategy without a type stays without one, and the plugin refuses it when it is built.
void SetArgs(const Features&, NodeResourcesFitArgs* args) {
  if (!args->scoring_strategy) {
    args->scoring_strategy = ScoringStrategy{std::string(ScoringStrategy::kLeastAllocated), {}, {}};
  }
  DefaultResources(&args->scoring_strategy->resources);
}

void SetArgs(const Features&, PodTopologySpreadArgs* args) {
  DefaultText(PodTopologySpreadArgs::kSystemDefaulting, &args->defaulting_type);
}

void SetArgs(const Features& features, VolumeBindingArgs* args) {
  bool has_shape = args->shape && !args->shape->empty();
  if (features.storage_capacity_scoring && !has_shape) args->shape = {{{0, 10}, {100, 0}}};
}

void SetArgs(const Features& features, DynamicResourcesArgs* args) {
  if (features.dra_scheduler_filter_timeout && !args->filter_timeout) {
    args->filter_timeout = Duration{10 * kNanosPerSecond};
  }
  bool has_binding =
      features.dra_device_binding_conditions && features.dra_resource_claim_device_status;
  if (has_binding && !args->binding_timeout) {
    args->binding_timeout = Duration{600 * kNanosPerSecond};
  }
}

// All other arguments have their defaults in their declarations.
template <typename T>
void SetArgs(const Features&, T*) {}

void SetProfileDefaults(const Features& features, KubeSchedulerProfile* profile) {
  Plugins& plugins = profile->plugins;
  plugins.multi_point = MergePluginSet(DefaultMultiPoint(features), plugins.multi_point);
  for (PluginSet& set : plugins.points) set = MergePluginSet({}, set);

  std::set<std::string_view> names;
  for (const PluginRef& plugin : plugins.multi_point.enabled) names.insert(plugin.name);
  for (const PluginSet& set : plugins.points) {
    for (const PluginRef& plugin : set.enabled) names.insert(plugin.name);
  }
  for (PluginConfig& config : profile->plugin_config) {
    SetArgsDefaults(features, &config.args);
    names.erase(config.name);
  }
  for (std::string_view name : names) {
    PluginArgs args = NewPluginArgs(name);
    if (std::holds_alternative<std::monostate>(args)) continue;
    SetArgsDefaults(features, &args);
    profile->plugin_config.push_back({std::string(name), std::move(args)});
  }
}

void SetLeaderElectionDefaults(LeaderElectionConfiguration* election) {
  DefaultDuration(15, &election->lease_duration);
  DefaultDuration(10, &election->renew_deadline);
  DefaultDuration(2, &election->retry_period);
  DefaultText("leases", &election->resource_lock);
  DefaultText("kube-scheduler", &election->resource_name);
  DefaultText("kube-system", &election->resource_namespace);
}

void SetExtenderDefaults(ExtenderConfig* extender) {
  DefaultDuration(5, &extender->http_timeout);
  if (!extender->enable_https) return;
  if (!extender->tls_config) extender->tls_config.emplace();
  ExtenderTlsConfig& tls = *extender->tls_config;
  if (tls.ca_file.empty() && tls.ca_data.empty()) tls.insecure = true;
}

}  // namespace

PluginSet DefaultMultiPoint(const Features& features) {
  PluginSet set;
  auto add = [&set](std::string_view name, int32_t weight = 0) {
    set.enabled.push_back({std::string(name), weight});
  };
  add("SchedulingGates");
  add("PrioritySort");
  add("NodeUnschedulable");
  add("NodeName");
  add("TaintToleration", 3);
  add("NodeAffinity", 2);
  add("NodePorts");
  add("NodeResourcesFit", 1);
  add("VolumeRestrictions");
  add("NodeVolumeLimits");
  add("VolumeBinding");
  add("VolumeZone");
  add("PodTopologySpread", 2);
  add("InterPodAffinity", 2);
  // Placed before preemption, because freeing an idle claim is better than evicting a pod.
  if (features.dynamic_resource_allocation) add("DynamicResources", 2);
  add("DefaultPreemption");
  add("NodeResourcesBalancedAllocation", 1);
  add("ImageLocality", 1);
  add("DefaultBinder");
  if (features.node_declared_features) add("NodeDeclaredFeatures");
  if (features.gang_scheduling) add("GangScheduling");
  if (features.topology_aware_workload_scheduling) {
    add("TopologyPlacementGenerator");
    add("PodGroupPodsCount", 1);
  }
  return set;
}

PluginSet MergePluginSet(const PluginSet& defaults, const PluginSet& custom) {
  PluginSet merged;
  for (const PluginRef& plugin : custom.disabled) merged.disabled.push_back({plugin.name, 0});
  for (const PluginRef& plugin : defaults.disabled) merged.disabled.push_back({plugin.name, 0});

  // If a plugin is listed twice, only the last entry takes the default's place; the other one
  // stays, and the expansion refuses it.
  std::vector<bool> is_placed(custom.enabled.size(), false);
  auto entry_for = [&](const PluginRef& plugin) -> PluginRef {
    for (size_t index = custom.enabled.size(); index > 0; --index) {
      if (custom.enabled[index - 1].name != plugin.name) continue;
      is_placed[index - 1] = true;
      return custom.enabled[index - 1];
    }
    return plugin;
  };
  if (!HasPlugin(merged.disabled, kAll)) {
    for (const PluginRef& plugin : defaults.enabled) {
      if (!HasPlugin(merged.disabled, plugin.name)) merged.enabled.push_back(entry_for(plugin));
    }
  }
  for (size_t index = 0; index < custom.enabled.size(); ++index) {
    if (!is_placed[index]) merged.enabled.push_back(custom.enabled[index]);
  }
  return merged;
}

void SetArgsDefaults(const Features& features, PluginArgs* args) {
  std::visit([&](auto& typed) { SetArgs(features, &typed); }, *args);
}

void SetDefaults(const Features& features, KubeSchedulerConfiguration* configuration) {
  if (configuration->profiles.empty()) {
    configuration->profiles.emplace_back().scheduler_name = kDefaultSchedulerName;
  }
  for (KubeSchedulerProfile& profile : configuration->profiles) {
    SetProfileDefaults(features, &profile);
  }
  SetLeaderElectionDefaults(&configuration->leader_election);
  ClientConnectionConfiguration& connection = configuration->client_connection;
  DefaultText("application/vnd.kubernetes.protobuf", &connection.content_type);
  if (connection.qps == 0) connection.qps = 50;
  if (connection.burst == 0) connection.burst = 100;
  if (!configuration->enable_contention_profiling) {
    configuration->enable_contention_profiling = configuration->enable_profiling;
  }
  for (ExtenderConfig& extender : configuration->extenders) SetExtenderDefaults(&extender);
}

std::optional<ConfigurationError> ApplyIgnoredResources(KubeSchedulerConfiguration* configuration) {
  std::vector<Symbol> ignored;
  for (const ExtenderConfig& extender : configuration->extenders) {
    for (const ExtenderManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) ignored.push_back(resource.name);
    }
  }
  if (ignored.empty()) return std::nullopt;
  for (KubeSchedulerProfile& profile : configuration->profiles) {
    auto& configs = profile.plugin_config;
    auto fit = std::find_if(configs.begin(), configs.end(), [](const PluginConfig& config) {
      return std::holds_alternative<NodeResourcesFitArgs>(config.args);
    });
    if (fit == configs.end()) {
      return ConfigurationError::Of(
          "extenders",
          "couldn't build extenders: can't find NodeResourcesFitArgs in plugin config");
    }
    std::get<NodeResourcesFitArgs>(fit->args).ignored_resources = ignored;
  }
  return std::nullopt;
}

}  // namespace stowage
