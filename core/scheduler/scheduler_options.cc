#include "core/scheduler/scheduler_options.h"

#include <optional>
#include <utility>

#include "core/api/decode/decode_json.h"
#include "core/base/format.h"
#include "core/framework/cluster_event.h"

namespace stowage {

struct SimulateOptions {
  bool volumes = true;
  bool claims = true;
  bool graceful_deletion = false;
};

struct LimitOptions {
  int64_t object_bytes = static_cast<int64_t>(DecodeLimits().object_bytes);
  int64_t depth = static_cast<int64_t>(DecodeLimits().depth);
  int64_t batch_bytes = static_cast<int64_t>(DecodeLimits().batch_bytes);
};

// The options document as parsed.
struct OptionsDocument {
  std::string kubernetes_version = std::string(VersionText(kNewestVersion));
  FeatureGateMap behaviour;
  FeatureGateMap feature_gates;
  FeatureGateMap quirks;
  int64_t seed = 0;
  std::string tie_break;  // empty: as the release does
  std::string api = "simulated";
  SimulateOptions simulate;
  std::string detail = "summary";
  LimitOptions limits;
  std::string verdict_cache = "firstUse";
  int64_t start_time_us = 0;
  std::vector<PluginDeclaration> plugins;
  bool events = false;
  bool moves = false;
  bool metrics = false;
  bool keep_objects = false;
  bool keep_batches = false;
  int64_t api_call_timeout_ms = 0;
  int64_t assumed_pod_expiry_ms = 0;
  int64_t pre_bind_poll_interval_ms = 1000;
  int64_t pod_max_in_unschedulable_pods_ms =
      SchedulerOptions().pod_max_in_unschedulable_pods_us / 1000;
  std::string hostname;
};

template <>
struct Schema<SimulateOptions> {
  static constexpr auto kFields =
      Fields(Field<&SimulateOptions::volumes>("volumes"), Field<&SimulateOptions::claims>("claims"),
             Field<&SimulateOptions::graceful_deletion>("gracefulDeletion"));
};

template <>
struct Schema<LimitOptions> {
  static constexpr auto kFields =
      Fields(Field<&LimitOptions::object_bytes>("objectBytes"),
             Field<&LimitOptions::depth>("depth"), Field<&LimitOptions::batch_bytes>("batchBytes"));
};

template <>
struct Schema<PluginEventDeclaration> {
  static constexpr auto kFields = Fields(Field<&PluginEventDeclaration::resource>("resource"),
                                         Field<&PluginEventDeclaration::action_types>("actionType"),
                                         Field<&PluginEventDeclaration::has_hint>("hint"));
};

template <>
struct Schema<PluginDeclaration> {
  static constexpr auto kFields =
      Fields(Field<&PluginDeclaration::name>("name"), Field<&PluginDeclaration::methods>("methods"),
             Field<&PluginDeclaration::events>("events"));
};

template <>
struct Schema<OptionsDocument> {
  static constexpr auto kFields = Fields(
      Field<&OptionsDocument::kubernetes_version>("kubernetesVersion"),
      Field<&OptionsDocument::behaviour>("behaviour"),
      Field<&OptionsDocument::feature_gates>("featureGates"),
      Field<&OptionsDocument::quirks>("quirks"), Field<&OptionsDocument::seed>("seed"),
      Field<&OptionsDocument::tie_break>("tieBreak"), Field<&OptionsDocument::api>("api"),
      Field<&OptionsDocument::simulate>("simulate"), Field<&OptionsDocument::detail>("detail"),
      Field<&OptionsDocument::limits>("limits"),
      Field<&OptionsDocument::verdict_cache>("verdictCache"),
      Field<&OptionsDocument::start_time_us>("startTimeUs"),
      Field<&OptionsDocument::events>("events"), Field<&OptionsDocument::moves>("moves"),
      Field<&OptionsDocument::metrics>("metrics"),
      Field<&OptionsDocument::keep_objects>("keepObjects"),
      Field<&OptionsDocument::keep_batches>("keepBatches"),
      Field<&OptionsDocument::api_call_timeout_ms>("apiCallTimeout"),
      Field<&OptionsDocument::assumed_pod_expiry_ms>("assumedPodExpiry"),
      Field<&OptionsDocument::pre_bind_poll_interval_ms>("preBindPollInterval"),
      Field<&OptionsDocument::pod_max_in_unschedulable_pods_ms>(
          "podMaxInUnschedulablePodsDuration"),
      Field<&OptionsDocument::hostname>("hostname"), Field<&OptionsDocument::plugins>("plugins"));
};

namespace {

// One century: the sum of two such durations still fits in microseconds.
constexpr int64_t kMillisecondsMax = int64_t{100} * 366 * 86'400'000;

template <typename T>
using Choices = std::vector<std::pair<std::string_view, T>>;

// Sets `*target` to the choice named `text`; the error lists the valid choices.
template <typename T>
std::optional<OptionError> Choose(std::string_view field, std::string_view text,
                                  const Choices<T>& choices, T* target) {
  std::string supported;
  for (const auto& [name, value] : choices) {
    if (name == text) {
      *target = value;
      return std::nullopt;
    }
    supported += Format("{}\"{}\"", supported.empty() ? "" : ", ", name);
  }
  return OptionError{
      std::string(field),
      Format("{}: Unsupported value: \"{}\": supported values: {}", field, text, supported)};
}

std::optional<OptionError> ReadVersion(std::string_view text, KubernetesVersion* version) {
  Choices<KubernetesVersion> choices;
  for (size_t index = 0; index < kKubernetesVersionCount; ++index) {
    auto choice = static_cast<KubernetesVersion>(index);
    choices.emplace_back(VersionText(choice), choice);
  }
  if (std::optional<KubernetesVersion> parsed = ParseKubernetesVersion(text)) {
    text = VersionText(*parsed);
  }
  return Choose("kubernetesVersion", text, choices, version);
}

std::optional<OptionError> ReadBehaviour(const OptionsDocument& document,
                                         SchedulerOptions* options) {
  std::optional<OptionError> fault =
      ReadVersion(document.kubernetes_version, &options->kubernetes_version);
  if (fault) return fault;
  options->behaviour = BehaviourOf(options->kubernetes_version);
  for (const auto& [name, value] : document.behaviour) {
    if (options->behaviour.Set(name, value)) continue;
    std::string field = Format("behaviour.{}", name);
    return OptionError{field, Format("{}: there is no such fact", field)};
  }
  return std::nullopt;
}

Choices<VerdictCacheOptions> VerdictCacheChoices() {
  return {{"off", {.mode = VerdictCacheMode::kOff}},
          {"firstUse", {.mode = VerdictCacheMode::kFirstUse}},
          {"secondUse", {.mode = VerdictCacheMode::kSecondUse}},
          {"tiny", {.mode = VerdictCacheMode::kFirstUse, .max_bytes = 1}},
          {"refill", {.mode = VerdictCacheMode::kFirstUse, .refills = true}}};
}

std::optional<OptionError> ReadLimits(const LimitOptions& document, DecodeLimits* limits) {
  const std::pair<std::string_view, int64_t> members[] = {
      {"limits.objectBytes", document.object_bytes},
      {"limits.depth", document.depth},
      {"limits.batchBytes", document.batch_bytes}};
  for (const auto& [field, value] : members) {
    if (value > 0) continue;
    return OptionError{std::string(field),
                       Format("{}: Invalid value: {}: must be greater than 0", field, value)};
  }
  limits->object_bytes = static_cast<size_t>(document.object_bytes);
  limits->depth = static_cast<size_t>(document.depth);
  limits->batch_bytes = static_cast<size_t>(document.batch_bytes);
  return std::nullopt;
}

std::optional<OptionError> ReadTimes(const OptionsDocument& document, SchedulerOptions* options) {
  const struct {
    std::string_view field;
    int64_t milliseconds;
    int64_t* target_us;
    int64_t min = 0;
  } members[] = {
      {"apiCallTimeout", document.api_call_timeout_ms, &options->api_call_timeout_us},
      {"assumedPodExpiry", document.assumed_pod_expiry_ms, &options->assumed_pod_expiry_us},
      {"preBindPollInterval", document.pre_bind_poll_interval_ms,
       &options->pre_bind_poll_interval_us, 1},
      {"podMaxInUnschedulablePodsDuration", document.pod_max_in_unschedulable_pods_ms,
       &options->pod_max_in_unschedulable_pods_us}};
  for (const auto& [field, milliseconds, target_us, min] : members) {
    if (milliseconds < min || milliseconds > kMillisecondsMax) {
      return OptionError{std::string(field),
                         Format("{}: Invalid value: {}: must be between {} and {}", field,
                                milliseconds, min, kMillisecondsMax)};
    }
    *target_us = milliseconds * 1000;
  }
  return std::nullopt;
}

std::optional<OptionError> CheckPluginEvents(const std::vector<PluginDeclaration>& plugins) {
  for (const PluginDeclaration& plugin : plugins) {
    if (!plugin.events) continue;
    for (const PluginEventDeclaration& event : *plugin.events) {
      Symbol other;
      if (!EventResourceOfText(event.resource, &other)) {
        return OptionError{"plugins", Format("plugins: events: resource: Invalid value: "
                                             "\"{}\": no such resource",
                                             event.resource)};
      }
      for (const std::string& action : event.action_types) {
        if (ActionOfText(action)) continue;
        return OptionError{"plugins", Format("plugins: events: actionType: Invalid value: "
                                             "\"{}\": no such action",
                                             action)};
      }
    }
  }
  return std::nullopt;
}

// Quirks: named behaviours of v1.36 that contradict its own documentation.
std::optional<OptionError> ReadQuirks(const FeatureGateMap& quirks, SchedulerOptions* options) {
  for (const auto& [name, is_on] : quirks) {
    if (name != "extenderNodesWithoutPods") {
      return OptionError{"quirks", Format("quirks: Invalid value: \"{}\": no such quirk", name)};
    }
    options->extender_quirks.nodes_without_pods = is_on;
  }
  return std::nullopt;
}

OptionError DecodeFault(const DecodeReport& report) {
  if (report.syntax_error) return {"", "options: " + report.syntax_error->message};
  if (!report.field_errors.empty()) {
    return {report.field_errors.front().field, report.field_errors.front().message};
  }
  return {"", "options: " + report.strict_errors.front()};
}

}  // namespace

Result<SchedulerOptions, OptionError> ReadSchedulerOptions(std::string_view json) {
  OptionsDocument document;
  DecodeReport report = DecodeJson(json, {.strict = true}, &document);
  if (!report.ok()) return DecodeFault(report);
  SchedulerOptions options;
  options.feature_gates = document.feature_gates;
  options.seed = static_cast<uint64_t>(document.seed);
  options.start_time = Instant::FromMicros(document.start_time_us);
  options.plugins = std::move(document.plugins);
  options.graceful_deletion = document.simulate.graceful_deletion;
  options.simulate_volumes = document.simulate.volumes;
  options.simulate_claims = document.simulate.claims;
  std::optional<OptionError> fault = ReadBehaviour(document, &options);
  options.tie_break = options.behaviour.ties_go_by_heap ? TieBreak::kHeap : TieBreak::kRandom;
  if (!fault && !document.tie_break.empty()) {
    fault = Choose<TieBreak>(
        "tieBreak", document.tie_break,
        {{"heap", TieBreak::kHeap}, {"name", TieBreak::kName}, {"random", TieBreak::kRandom}},
        &options.tie_break);
  }
  if (!fault) {
    fault = Choose<ApiMode>("api", document.api,
                            {{"simulated", ApiMode::kSimulated}, {"host", ApiMode::kHost}},
                            &options.api);
  }
  if (!fault) {
    fault = Choose<bool>("detail", document.detail,
                         {{"summary", false}, {"nodes", true}, {"table", true}},
                         &options.has_node_detail);
  }
  if (!fault) {
    fault = Choose<VerdictCacheOptions>("verdictCache", document.verdict_cache,
                                        VerdictCacheChoices(), &options.verdict_cache);
  }
  options.records = {document.events, document.moves, options.kubernetes_version > kNewestVersion};
  options.has_metrics = document.metrics;
  options.keeps_objects = document.keep_objects;
  options.keeps_batches = document.keep_batches;
  if (!document.hostname.empty()) options.hostname = document.hostname;
  if (!fault) fault = ReadLimits(document.limits, &options.limits);
  if (!fault) fault = ReadTimes(document, &options);
  if (!fault) fault = CheckPluginEvents(options.plugins);
  if (!fault) fault = ReadQuirks(document.quirks, &options);
  if (fault) return *fault;
  return options;
}

}  // namespace stowage
