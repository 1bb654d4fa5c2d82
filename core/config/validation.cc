#include "core/config/validation.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/api/resource_names.h"
#include "core/api/validation_names.h"
#include "core/base/format.h"

namespace stowage {
namespace {

constexpr std::string_view kRemovedPlugins[] = {"AzureDiskLimits", "CinderLimits", "EBSLimits",
                                                "GCEPDLimits"};

std::string Number(int64_t value) { return Format("{}", value); }

void WritePluginRefs(const std::vector<PluginRef>& plugins, JsonWriter* writer) {
  if (plugins.empty()) {
    writer->Null();
    return;
  }
  writer->BeginArray();
  for (const PluginRef& plugin : plugins) {
    writer->BeginObject();
    writer->StringMember("Name", plugin.name).IntMember("Weight", plugin.weight);
    writer->EndObject();
  }
  writer->EndArray();
}

// Uses the field names of the reference's internal type, which has no JSON names.
std::string PluginSetJson(const PluginSet& set) {
  std::string json;
  JsonWriter writer(&json);
  writer.BeginObject();
  writer.Key("Enabled");
  WritePluginRefs(set.enabled, &writer);
  writer.Key("Disabled");
  WritePluginRefs(set.disabled, &writer);
  writer.EndObject();
  return json;
}

std::string ArgsJson(const PluginArgs& args) {
  if (const RawJson* raw = std::get_if<RawJson>(&args)) return raw->text;
  return std::holds_alternative<std::monostate>(args) ? "null" : "{}";
}

class Validator {
 public:
  Validator(const KubeSchedulerConfiguration& configuration, const Features& features)
      : configuration_(configuration), features_(features) {}

  std::optional<ConfigurationError> Run() {
    CheckClientConnection();
    CheckLeaderElection();
    CheckParallelism();
    CheckProfiles();
    CheckPercentage(FieldPath().Child("percentageOfNodesToScore"),
                    configuration_.percentage_of_nodes_to_score);
    CheckBackoffs();
    CheckExtenders();
    if (errors_.empty()) return std::nullopt;
    return ConfigurationError::Aggregate(errors_.Take());
  }

 private:
  void CheckClientConnection() {
    if (configuration_.client_connection.burst >= 0) return;
    errors_.Invalid(FieldPath().Child("clientConnection").Child("burst"),
                    Number(configuration_.client_connection.burst), "must be non-negative");
  }

  void CheckPositive(const FieldPath& path, Duration duration) {
    if (duration.nanos > 0) return;
    errors_.Invalid(path, GoQuote(DurationText(duration)), "must be greater than zero");
  }

  void CheckLeaderElection() {
    const LeaderElectionConfiguration& election = configuration_.leader_election;
    if (!election.leader_elect) return;
    FieldPath path = FieldPath().Child("leaderElection");
    CheckPositive(path.Child("leaseDuration"), election.lease_duration);
    CheckPositive(path.Child("renewDeadline"), election.renew_deadline);
    CheckPositive(path.Child("retryPeriod"), election.retry_period);
    if (election.lease_duration <= election.renew_deadline) {
      // Prints the other value, as in the reference.
      errors_.Invalid(path.Child("leaseDuration"), GoQuote(DurationText(election.renew_deadline)),
                      "must be greater than `RenewDeadline`");
    }
    if (election.resource_lock != "leases") {
      errors_.Invalid(path.Child("resourceLock"), GoQuote(election.resource_lock),
                      "resourceLock value must be \"leases\"");
    }
  }

  void CheckParallelism() {
    if (configuration_.parallelism > 0) return;
    errors_.Invalid(FieldPath().Child("parallelism"), Number(configuration_.parallelism),
                    "should be an integer value greater than zero");
  }

  void CheckProfiles() {
    FieldPath path = FieldPath().Child("profiles");
    const std::vector<KubeSchedulerProfile>& profiles = configuration_.profiles;
    if (profiles.empty()) return errors_.Required(path);
    std::set<std::string_view> names;
    for (size_t index = 0; index < profiles.size(); ++index) {
      CheckProfile(path.Index(index), profiles[index]);
      if (names.insert(profiles[index].scheduler_name).second) continue;
      // The reference prints the first profile's path here, which comes out as an empty object.
      errors_.Duplicate(path.Index(index).Child("schedulerName"), "{}");
    }
    CheckCommonQueueSort(path);
  }

  void CheckPercentage(const FieldPath& path, int32_t percentage) {
    if (percentage >= 0 && percentage <= 100) return;
    errors_.Invalid(path, Number(percentage), "not in valid range [0-100]");
  }

  void CheckProfile(const FieldPath& path, const KubeSchedulerProfile& profile) {
    if (profile.scheduler_name.empty()) errors_.Required(path.Child("schedulerName"));
    if (profile.percentage_of_nodes_to_score) {
      CheckPercentage(path.Child("percentageOfNodesToScore"),
                      *profile.percentage_of_nodes_to_score);
    }
    for (ExtensionPoint point : kExtensionPoints) {
      // The reference does not validate these two points, nor multiPoint.
      if (point == ExtensionPoint::kPlacementGenerate) break;
      FieldPath enabled = path.Child("plugins").Child(ExtensionPointField(point)).Child("enabled");
      const std::vector<PluginRef>& plugins = profile.plugins[point].enabled;
      for (size_t index = 0; index < plugins.size(); ++index) {
        CheckNotRemoved(enabled.Index(index), plugins[index].name);
      }
    }
    CheckPluginConfig(path.Child("pluginConfig"), profile.plugin_config);
  }

  // Returns true if the plugin exists.
  bool CheckNotRemoved(const FieldPath& path, std::string_view name) {
    bool is_removed = std::find(std::begin(kRemovedPlugins), std::end(kRemovedPlugins), name) !=
                      std::end(kRemovedPlugins);
    if (!is_removed) return true;
    errors_.Invalid(path, GoQuote(name),
                    Format("was invalid in version \"v1\" (KubeSchedulerConfiguration is "
                           "version \"{}\")",
                           kConfigurationApiVersion));
    return false;
  }

  void CheckPluginConfig(const FieldPath& path, const std::vector<PluginConfig>& configs) {
    std::set<std::string_view> names;
    for (size_t index = 0; index < configs.size(); ++index) {
      const PluginConfig& config = configs[index];
      FieldPath place = path.Index(index);
      if (!names.insert(config.name).second) errors_.Duplicate(place, GoQuote(config.name));
      if (!CheckNotRemoved(place, config.name)) continue;
      CheckArgs(place.Child("args"), config);
    }
  }

  // The reference registers the check of NodeResourcesFit's arguments under the name of their kind.
  // So it checks them only when the plugin is built, and reports a plugin with the kind's name as
  // having invalid arguments.
  void CheckArgs(const FieldPath& path, const PluginConfig& config) {
    if (config.name == NodeResourcesFitArgs::kKind) {
      errors_.Invalid(path, ArgsJson(config.args), "has to match plugin args");
    } else if (!std::holds_alternative<NodeResourcesFitArgs>(config.args)) {
      ValidateArgs(path, config.args, features_, &errors_);
    }
  }

  void CheckCommonQueueSort(const FieldPath& path) {
    const std::vector<KubeSchedulerProfile>& profiles = configuration_.profiles;
    const PluginSet& canon = profiles[0].plugins[ExtensionPoint::kQueueSort];
    if (canon.enabled.size() > 1) {
      errors_.Invalid(path.Index(0).Child("plugins").Child("queueSort").Child("Enabled"),
                      Number(static_cast<int64_t>(canon.enabled.size())),
                      "only one queue sort plugin can be enabled");
    }
    std::string name = canon.enabled.empty() ? std::string() : canon.enabled[0].name;
    const PluginArgs canon_args = name.empty() ? PluginArgs() : profiles[0].ArgsOf(name);
    for (size_t index = 1; index < profiles.size(); ++index) {
      const PluginSet& current = profiles[index].plugins[ExtensionPoint::kQueueSort];
      if (current != canon) {
        errors_.Invalid(path.Index(index).Child("plugins").Child("queueSort"),
                        PluginSetJson(current), "must be the same for all profiles");
      }
      for (const PluginConfig& config : profiles[index].plugin_config) {
        if (config.name != name || config.args == canon_args) continue;
        errors_.Invalid(path.Index(index).Child("pluginConfig").Child("args"),
                        ArgsJson(config.args), "queueSort must be the same for all profiles");
      }
    }
  }

  void CheckBackoffs() {
    int64_t initial = configuration_.pod_initial_backoff_seconds;
    int64_t max = configuration_.pod_max_backoff_seconds;
    if (initial <= 0) {
      errors_.Invalid(FieldPath().Child("podInitialBackoffSeconds"), Number(initial),
                      "must be greater than 0");
    }
    if (max < initial) {
      errors_.Invalid(FieldPath().Child("podMaxBackoffSeconds"), Number(max),
                      "must be greater than or equal to PodInitialBackoffSeconds");
    }
  }

  void CheckExtenders() {
    FieldPath path = FieldPath().Child("extenders");
    size_t binders = 0;
    std::set<std::string_view> managed;
    for (size_t index = 0; index < configuration_.extenders.size(); ++index) {
      const ExtenderConfig& extender = configuration_.extenders[index];
      FieldPath place = path.Index(index);
      if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
        errors_.Invalid(place.Child("weight"), Number(extender.weight),
                        "must have a positive weight applied to it");
      }
      if (!extender.bind_verb.empty()) ++binders;
      for (size_t item = 0; item < extender.managed_resources.size(); ++item) {
        std::string_view name = extender.managed_resources[item].name.view();
        FieldPath resource = place.Child("managedResources").Index(item).Child("name");
        CheckExtendedResource(resource, name);
        if (managed.insert(name).second) continue;
        errors_.Invalid(resource, GoQuote(name), "duplicate extender managed resource name");
      }
    }
    if (binders > 1) {
      errors_.Invalid(path, GoQuote(Format("found {} extenders implementing bind", binders)),
                      "only one extender can implement bind");
    }
  }

  void CheckExtendedResource(const FieldPath& path, std::string_view name) {
    std::vector<std::string> messages = QualifiedNameErrors(name);
    for (const std::string& message : messages) errors_.Invalid(path, GoQuote(name), message);
    if (!messages.empty() || IsExtendedResourceName(name)) return;
    errors_.Invalid(path, GoQuote(name), "is an invalid extended resource name");
  }

  const KubeSchedulerConfiguration& configuration_;
  const Features& features_;
  FieldErrorList errors_;
};

void CheckWeights(const FieldPath& path, const PluginSet& set, FieldErrorList* errors) {
  for (size_t index = 0; index < set.enabled.size(); ++index) {
    if (set.enabled[index].weight >= 0) continue;
    errors->Invalid(path.Child("enabled").Index(index).Child("weight"),
                    Number(set.enabled[index].weight), "must be non-negative");
  }
}

}  // namespace

std::optional<ConfigurationError> ValidateConfiguration(
    const KubeSchedulerConfiguration& configuration, const Features& features) {
  return Validator(configuration, features).Run();
}

std::optional<ConfigurationError> ValidateWeights(const KubeSchedulerConfiguration& configuration) {
  FieldErrorList errors;
  for (size_t index = 0; index < configuration.profiles.size(); ++index) {
    const Plugins& plugins = configuration.profiles[index].plugins;
    FieldPath path = FieldPath().Child("profiles").Index(index).Child("plugins");
    for (ExtensionPoint point : {ExtensionPoint::kScore, ExtensionPoint::kPlacementScore}) {
      CheckWeights(path.Child(ExtensionPointField(point)), plugins[point], &errors);
    }
    CheckWeights(path.Child("multiPoint"), plugins.multi_point, &errors);
  }
  if (errors.empty()) return std::nullopt;
  return ConfigurationError::Aggregate(errors.Take());
}

}  // namespace stowage
