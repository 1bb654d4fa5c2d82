// Schemas of the configuration and of plugin arguments: every field of
// kubescheduler.config.k8s.io/v1, as v1.36 has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/decode/schema.h"
#include "core/api/decode/selector_schema.h"
#include "core/config/types.h"

namespace stowage {

// A profile as parsed. An absent name differs from an empty one, and the arguments are decoded in a
// second step, because their type depends on the plugin's name.
struct PluginConfigDocument {
  std::string name;
  RawJson args;
};
struct ProfileDocument {
  std::optional<std::string> scheduler_name;
  std::optional<int32_t> percentage_of_nodes_to_score;
  Plugins plugins;
  std::vector<PluginConfigDocument> plugin_config;
};

// The whole document; `configuration.profiles` stays empty.
struct ConfigurationDocument {
  std::string api_version;
  std::string kind;
  KubeSchedulerConfiguration configuration;
  std::vector<ProfileDocument> profiles;
};

// The arguments of one plugin with their optional apiVersion and kind.
template <typename T>
struct ArgsDocument {
  std::string api_version;
  std::string kind;
  T args;
};

namespace config_schema {

// A member of the configuration inside its document.
template <auto kMember>
constexpr FieldInfo Inner(std::string_view key) {
  using Type = schema_internal::TypeOfMember<kMember>;
  return FieldInfo{
      key,
      [](void* document) -> void* {
        return &(static_cast<ConfigurationDocument*>(document)->configuration.*kMember);
      },
      &kTypeInfo<Type>};
}

// A member of the arguments inside their document.
template <auto kMember>
constexpr FieldInfo Arg(std::string_view key) {
  using Args = typename schema_internal::MemberOf<decltype(kMember)>::Class;
  using Type = schema_internal::TypeOfMember<kMember>;
  return FieldInfo{key,
                   [](void* document) -> void* {
                     return &(static_cast<ArgsDocument<Args>*>(document)->args.*kMember);
                   },
                   &kTypeInfo<Type>};
}

template <typename T, typename... F>
constexpr auto ArgsFields(const F&... field) {
  return Fields(Field<&ArgsDocument<T>::api_version>("apiVersion"),
                Field<&ArgsDocument<T>::kind>("kind"), field...);
}

}  // namespace config_schema

template <>
struct Schema<PluginRef> {
  static constexpr auto kFields =
      Fields(Field<&PluginRef::name>("name"), Field<&PluginRef::weight>("weight"));
};

template <>
struct Schema<PluginSet> {
  static constexpr auto kFields =
      Fields(Field<&PluginSet::enabled>("enabled"), Field<&PluginSet::disabled>("disabled"));
};

namespace config_schema {

template <ExtensionPoint kPoint>
constexpr FieldInfo PointField() {
  return FieldInfo{
      ExtensionPointField(kPoint),
      [](void* plugins) -> void* { return &(*static_cast<Plugins*>(plugins))[kPoint]; },
      &kTypeInfo<PluginSet>};
}

}  // namespace config_schema

template <>
struct Schema<Plugins> {
  static constexpr auto kFields =
      Fields(config_schema::PointField<ExtensionPoint::kPreEnqueue>(),
             config_schema::PointField<ExtensionPoint::kQueueSort>(),
             config_schema::PointField<ExtensionPoint::kPreFilter>(),
             config_schema::PointField<ExtensionPoint::kFilter>(),
             config_schema::PointField<ExtensionPoint::kPostFilter>(),
             config_schema::PointField<ExtensionPoint::kPreScore>(),
             config_schema::PointField<ExtensionPoint::kScore>(),
             config_schema::PointField<ExtensionPoint::kReserve>(),
             config_schema::PointField<ExtensionPoint::kPermit>(),
             config_schema::PointField<ExtensionPoint::kPreBind>(),
             config_schema::PointField<ExtensionPoint::kBind>(),
             config_schema::PointField<ExtensionPoint::kPostBind>(),
             config_schema::PointField<ExtensionPoint::kPlacementGenerate>(),
             config_schema::PointField<ExtensionPoint::kPlacementScore>(),
             Field<&Plugins::multi_point>("multiPoint"));
};

template <>
struct Schema<PluginConfigDocument> {
  static constexpr auto kFields = Fields(Field<&PluginConfigDocument::name>("name"),
                                         Field<&PluginConfigDocument::args>("args"));
};

template <>
struct Schema<ProfileDocument> {
  static constexpr auto kFields =
      Fields(Field<&ProfileDocument::scheduler_name>("schedulerName"),
             Field<&ProfileDocument::percentage_of_nodes_to_score>("percentageOfNodesToScore"),
             Field<&ProfileDocument::plugins>("plugins"),
             Field<&ProfileDocument::plugin_config>("pluginConfig"));
};

template <>
struct Schema<LeaderElectionConfiguration> {
  static constexpr auto kFields =
      Fields(Field<&LeaderElectionConfiguration::leader_elect>("leaderElect"),
             Field<&LeaderElectionConfiguration::lease_duration>("leaseDuration"),
             Field<&LeaderElectionConfiguration::renew_deadline>("renewDeadline"),
             Field<&LeaderElectionConfiguration::retry_period>("retryPeriod"),
             Field<&LeaderElectionConfiguration::resource_lock>("resourceLock"),
             Field<&LeaderElectionConfiguration::resource_name>("resourceName"),
             Field<&LeaderElectionConfiguration::resource_namespace>("resourceNamespace"));
};

template <>
struct Schema<ClientConnectionConfiguration> {
  static constexpr auto kFields =
      Fields(Field<&ClientConnectionConfiguration::kubeconfig>("kubeconfig"),
             Field<&ClientConnectionConfiguration::accept_content_types>("acceptContentTypes"),
             Field<&ClientConnectionConfiguration::content_type>("contentType"),
             Field<&ClientConnectionConfiguration::qps>("qps"),
             Field<&ClientConnectionConfiguration::burst>("burst"));
};

template <>
struct Schema<ExtenderTlsConfig> {
  static constexpr auto kFields = Fields(
      Field<&ExtenderTlsConfig::insecure>("insecure"),
      Field<&ExtenderTlsConfig::server_name>("serverName"),
      Field<&ExtenderTlsConfig::cert_file>("certFile"),
      Field<&ExtenderTlsConfig::key_file>("keyFile"), Field<&ExtenderTlsConfig::ca_file>("caFile"),
      Field<&ExtenderTlsConfig::cert_data>("certData"),
      Field<&ExtenderTlsConfig::key_data>("keyData"), Field<&ExtenderTlsConfig::ca_data>("caData"));
};

template <>
struct Schema<ExtenderManagedResource> {
  static constexpr auto kFields =
      Fields(Field<&ExtenderManagedResource::name>("name"),
             Field<&ExtenderManagedResource::ignored_by_scheduler>("ignoredByScheduler"));
};

template <>
struct Schema<ExtenderConfig> {
  static constexpr auto kFields = Fields(
      Field<&ExtenderConfig::url_prefix>("urlPrefix"),
      Field<&ExtenderConfig::filter_verb>("filterVerb"),
      Field<&ExtenderConfig::preempt_verb>("preemptVerb"),
      Field<&ExtenderConfig::prioritize_verb>("prioritizeVerb"),
      Field<&ExtenderConfig::weight>("weight"), Field<&ExtenderConfig::bind_verb>("bindVerb"),
      Field<&ExtenderConfig::enable_https>("enableHTTPS"),
      Field<&ExtenderConfig::tls_config>("tlsConfig"),
      Field<&ExtenderConfig::http_timeout>("httpTimeout"),
      Field<&ExtenderConfig::node_cache_capable>("nodeCacheCapable"),
      Field<&ExtenderConfig::managed_resources>("managedResources"),
      Field<&ExtenderConfig::ignorable>("ignorable"));
};

template <>
struct Schema<ConfigurationDocument> {
  using C = KubeSchedulerConfiguration;
  static constexpr auto kFields =
      Fields(Field<&ConfigurationDocument::api_version>("apiVersion"),
             Field<&ConfigurationDocument::kind>("kind"),
             config_schema::Inner<&C::parallelism>("parallelism"),
             config_schema::Inner<&C::leader_election>("leaderElection"),
             config_schema::Inner<&C::client_connection>("clientConnection"),
             config_schema::Inner<&C::enable_profiling>("enableProfiling"),
             config_schema::Inner<&C::enable_contention_profiling>("enableContentionProfiling"),
             config_schema::Inner<&C::percentage_of_nodes_to_score>("percentageOfNodesToScore"),
             config_schema::Inner<&C::pod_initial_backoff_seconds>("podInitialBackoffSeconds"),
             config_schema::Inner<&C::pod_max_backoff_seconds>("podMaxBackoffSeconds"),
             Field<&ConfigurationDocument::profiles>("profiles"),
             config_schema::Inner<&C::extenders>("extenders"),
             config_schema::Inner<&C::delay_cache_until_active>("delayCacheUntilActive"));
};

template <>
struct Schema<ResourceSpec> {
  static constexpr auto kFields =
      Fields(Field<&ResourceSpec::name>("name"), Field<&ResourceSpec::weight>("weight"));
};

template <>
struct Schema<UtilizationShapePoint> {
  static constexpr auto kFields = Fields(Field<&UtilizationShapePoint::utilization>("utilization"),
                                         Field<&UtilizationShapePoint::score>("score"));
};

template <>
struct Schema<RequestedToCapacityRatioParam> {
  static constexpr auto kFields = Fields(Field<&RequestedToCapacityRatioParam::shape>("shape"));
};

template <>
struct Schema<ScoringStrategy> {
  static constexpr auto kFields =
      Fields(Field<&ScoringStrategy::type>("type"), Field<&ScoringStrategy::resources>("resources"),
             Field<&ScoringStrategy::requested_to_capacity_ratio>("requestedToCapacityRatio"));
};

template <>
struct Schema<ArgsDocument<DefaultPreemptionArgs>> {
  using A = DefaultPreemptionArgs;
  static constexpr auto kFields = config_schema::ArgsFields<A>(
      config_schema::Arg<&A::min_candidate_nodes_percentage>("minCandidateNodesPercentage"),
      config_schema::Arg<&A::min_candidate_nodes_absolute>("minCandidateNodesAbsolute"));
};

template <>
struct Schema<ArgsDocument<InterPodAffinityArgs>> {
  using A = InterPodAffinityArgs;
  static constexpr auto kFields = config_schema::ArgsFields<A>(
      config_schema::Arg<&A::hard_pod_affinity_weight>("hardPodAffinityWeight"),
      config_schema::Arg<&A::ignore_preferred_terms_of_existing_pods>(
          "ignorePreferredTermsOfExistingPods"));
};

template <>
struct Schema<ArgsDocument<NodeAffinityArgs>> {
  using A = NodeAffinityArgs;
  static constexpr auto kFields =
      config_schema::ArgsFields<A>(config_schema::Arg<&A::added_affinity>("addedAffinity"));
};

template <>
struct Schema<ArgsDocument<NodeResourcesBalancedAllocationArgs>> {
  using A = NodeResourcesBalancedAllocationArgs;
  static constexpr auto kFields =
      config_schema::ArgsFields<A>(config_schema::Arg<&A::resources>("resources"));
};

template <>
struct Schema<ArgsDocument<NodeResourcesFitArgs>> {
  using A = NodeResourcesFitArgs;
  static constexpr auto kFields = config_schema::ArgsFields<A>(
      config_schema::Arg<&A::ignored_resources>("ignoredResources"),
      config_schema::Arg<&A::ignored_resource_groups>("ignoredResourceGroups"),
      config_schema::Arg<&A::scoring_strategy>("scoringStrategy"));
};

template <>
struct Schema<ArgsDocument<PodTopologySpreadArgs>> {
  using A = PodTopologySpreadArgs;
  static constexpr auto kFields = config_schema::ArgsFields<A>(
      config_schema::Arg<&A::default_constraints>("defaultConstraints"),
      config_schema::Arg<&A::defaulting_type>("defaultingType"));
};

template <>
struct Schema<ArgsDocument<VolumeBindingArgs>> {
  using A = VolumeBindingArgs;
  static constexpr auto kFields = config_schema::ArgsFields<A>(
      config_schema::Arg<&A::bind_timeout_seconds>("bindTimeoutSeconds"),
      config_schema::Arg<&A::shape>("shape"));
};

template <>
struct Schema<ArgsDocument<DynamicResourcesArgs>> {
  using A = DynamicResourcesArgs;
  static constexpr auto kFields =
      config_schema::ArgsFields<A>(config_schema::Arg<&A::filter_timeout>("filterTimeout"),
                                   config_schema::Arg<&A::binding_timeout>("bindingTimeout"));
};

}  // namespace stowage
