// KubeSchedulerConfiguration and its parts (spec 07 §1), after decoding and defaulting.
//
// Initializers are the defaults of absent fields.
// Counterpart: apis/config/types.go, v1.36.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/decode/duration.h"
#include "core/base/symbol.h"
#include "core/config/extension_points.h"
#include "core/config/plugin_args.h"

namespace stowage {

inline constexpr std::string_view kConfigurationApiVersion = "kubescheduler.config.k8s.io/v1";
inline constexpr std::string_view kConfigurationKind = "KubeSchedulerConfiguration";
inline constexpr std::string_view kDefaultSchedulerName = "default-scheduler";

// A plugin in a list, by name.
struct PluginRef {
  std::string name;
  int32_t weight = 0;  // used by Score and PlacementScore; 0 counts as 1

  friend bool operator==(const PluginRef&, const PluginRef&) = default;
};

bool HasPlugin(const std::vector<PluginRef>& plugins, std::string_view name);

struct PluginSet {
  std::vector<PluginRef> enabled;
  std::vector<PluginRef> disabled;  // "*": all

  friend bool operator==(const PluginSet&, const PluginSet&) = default;
};

struct Plugins {
  std::array<PluginSet, kExtensionPointCount> points;
  PluginSet multi_point;

  PluginSet& operator[](ExtensionPoint point) { return points[static_cast<size_t>(point)]; }
  const PluginSet& operator[](ExtensionPoint point) const {
    return points[static_cast<size_t>(point)];
  }

  friend bool operator==(const Plugins&, const Plugins&) = default;
};

struct PluginConfig {
  std::string name;
  PluginArgs args;

  friend bool operator==(const PluginConfig&, const PluginConfig&) = default;
};

struct KubeSchedulerProfile {
  std::string scheduler_name;
  // Absent: the configuration's value applies. 0: adaptive.
  std::optional<int32_t> percentage_of_nodes_to_score;
  Plugins plugins;
  std::vector<PluginConfig> plugin_config;

  // The arguments of `plugin`; monostate if there are none.
  const PluginArgs& ArgsOf(std::string_view plugin) const;

  friend bool operator==(const KubeSchedulerProfile&, const KubeSchedulerProfile&) = default;
};

struct LeaderElectionConfiguration {
  bool leader_elect = true;
  Duration lease_duration;  // 0: 15s
  Duration renew_deadline;  // 0: 10s
  Duration retry_period;    // 0: 2s
  std::string resource_lock;
  std::string resource_name;
  std::string resource_namespace;

  friend bool operator==(const LeaderElectionConfiguration&,
                         const LeaderElectionConfiguration&) = default;
};

struct ClientConnectionConfiguration {
  std::string kubeconfig;
  std::string accept_content_types;
  std::string content_type;
  double qps = 0;
  int32_t burst = 0;

  friend bool operator==(const ClientConnectionConfiguration&,
                         const ClientConnectionConfiguration&) = default;
};

// The Data fields are base64, as given.
struct ExtenderTlsConfig {
  bool insecure = false;
  std::string server_name;
  std::string cert_file;
  std::string key_file;
  std::string ca_file;
  std::string cert_data;
  std::string key_data;
  std::string ca_data;

  friend bool operator==(const ExtenderTlsConfig&, const ExtenderTlsConfig&) = default;
};

struct ExtenderManagedResource {
  Symbol name;
  bool ignored_by_scheduler = false;

  friend bool operator==(const ExtenderManagedResource&, const ExtenderManagedResource&) = default;
};

// An entry of `extenders`. An empty verb means that the extender does not offer it.
struct ExtenderConfig {
  std::string url_prefix;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  int64_t weight = 0;
  std::string bind_verb;
  bool enable_https = false;
  std::optional<ExtenderTlsConfig> tls_config;
  Duration http_timeout;  // 0: 5s
  bool node_cache_capable = false;
  std::vector<ExtenderManagedResource> managed_resources;
  bool ignorable = false;

  friend bool operator==(const ExtenderConfig&, const ExtenderConfig&) = default;
};

struct KubeSchedulerConfiguration {
  int32_t parallelism = 16;
  LeaderElectionConfiguration leader_election;
  ClientConnectionConfiguration client_connection;
  bool enable_profiling = true;
  std::optional<bool> enable_contention_profiling;  // absent: same as enable_profiling
  int32_t percentage_of_nodes_to_score = 0;         // 0: adaptive
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  std::vector<KubeSchedulerProfile> profiles;
  std::vector<ExtenderConfig> extenders;
  bool delay_cache_until_active = false;

  friend bool operator==(const KubeSchedulerConfiguration&,
                         const KubeSchedulerConfiguration&) = default;
};

}  // namespace stowage
