#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/encode/json_writer.h"
#include "core/api/field_error.h"
#include "core/api/node_affinity.h"
#include "core/api/validation_names.h"
#include "core/base/format.h"
#include "core/config/validation.h"

namespace stowage {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;

std::string Number(int64_t value) { return Format("{}", value); }

// Uses the field names of the reference's internal type, which has no JSON names.
std::string ShapeJson(const std::vector<UtilizationShapePoint>& shape) {
  std::string json;
  JsonWriter writer(&json);
  writer.BeginArray();
  for (const UtilizationShapePoint& point : shape) {
    writer.BeginObject();
    writer.IntMember("Utilization", point.utilization).IntMember("Score", point.score);
    writer.EndObject();
  }
  writer.EndArray();
  return json;
}

void ValidateLabelKey(const FieldPath& path, std::string_view key, FieldErrorList* errors) {
  for (const std::string& message : QualifiedNameErrors(key)) {
    errors->Invalid(path, GoQuote(key), message);
  }
}

void ValidateShape(const FieldPath& path, const std::vector<UtilizationShapePoint>& shape,
                   FieldErrorList* errors) {
  if (shape.empty()) return errors->Required(path, "at least one point must be specified");
  for (size_t index = 1; index < shape.size(); ++index) {
    if (shape[index - 1].utilization < shape[index].utilization) continue;
    errors->Invalid(path.Index(index).Child("utilization"), Number(shape[index].utilization),
                    "values must be sorted in increasing order");
    break;
  }
  for (size_t index = 0; index < shape.size(); ++index) {
    const UtilizationShapePoint& point = shape[index];
    if (point.utilization < 0 || point.utilization > 100) {
      errors->Invalid(path.Index(index).Child("utilization"), Number(point.utilization),
                      "not in valid range [0, 100]");
    }
    if (point.score < 0 || point.score > 10) {
      errors->Invalid(path.Index(index).Child("score"), Number(point.score),
                      "not in valid range [0, 10]");
    }
  }
}

void Validate(const FieldPath& path, const DefaultPreemptionArgs& args, const Features&,
              FieldErrorList* errors) {
  FieldPath percentage = path.Child("minCandidateNodesPercentage");
  FieldPath absolute = path.Child("minCandidateNodesAbsolute");
  int32_t percent = args.min_candidate_nodes_percentage;
  int32_t count = args.min_candidate_nodes_absolute;
  if (percent < 0 || percent > 100) {
    errors->Invalid(percentage, Number(percent), "not in valid range [0, 100]");
  }
  if (count < 0) errors->Invalid(absolute, Number(count), "not in valid range [0, inf)");
  if (percent != 0 || count != 0) return;
  errors->Invalid(percentage, "0", "cannot be zero at the same time as minCandidateNodesAbsolute");
  errors->Invalid(absolute, "0", "cannot be zero at the same time as minCandidateNodesPercentage");
}

void Validate(const FieldPath& path, const InterPodAffinityArgs& args, const Features&,
              FieldErrorList* errors) {
  if (args.hard_pod_affinity_weight >= 0 && args.hard_pod_affinity_weight <= 100) return;
  errors->Invalid(path.Child("hardPodAffinityWeight"), Number(args.hard_pod_affinity_weight),
                  "not in valid range [0, 100]");
}

void Validate(const FieldPath& path, const NodeResourcesBalancedAllocationArgs& args,
              const Features&, FieldErrorList* errors) {
  for (size_t index = 0; index < args.resources.size(); ++index) {
    const ResourceSpec& resource = args.resources[index];
    FieldPath place = path.Child("resources").Index(index);
    auto here = args.resources.begin() + static_cast<std::ptrdiff_t>(index);
    bool is_repeated = std::any_of(args.resources.begin(), here, [&](const ResourceSpec& other) {
      return other.name == resource.name;
    });
    if (is_repeated) errors->Duplicate(place.Child("name"), GoQuote(resource.name.view()));
    if (resource.weight != 1) {
      errors->Invalid(place.Child("weight"), Number(resource.weight), "must be 1");
    }
  }
}

void ValidateStrategy(const FieldPath& path, const ScoringStrategy& strategy,
                      FieldErrorList* errors) {
  bool is_ratio = strategy.type == ScoringStrategy::kRequestedToCapacityRatio;
  if (!is_ratio && strategy.type != ScoringStrategy::kLeastAllocated &&
      strategy.type != ScoringStrategy::kMostAllocated) {
    errors->NotSupported(path.Child("type"), strategy.type,
                         {ScoringStrategy::kLeastAllocated, ScoringStrategy::kMostAllocated,
                          ScoringStrategy::kRequestedToCapacityRatio});
  }
  for (size_t index = 0; index < strategy.resources.size(); ++index) {
    const ResourceSpec& resource = strategy.resources[index];
    if (resource.weight > 0 && resource.weight <= 100) continue;
    errors->Invalid(
        path.Child("resources").Index(index).Child("weight"), Number(resource.weight),
        Format("resource weight of {} not in valid range (0, 100]", resource.name.view()));
  }
  FieldPath ratio = path.Child("requestedToCapacityRatio");
  if (is_ratio && !strategy.requested_to_capacity_ratio) {
    errors->Required(ratio, "must be specified when type is RequestedToCapacityRatio");
  } else if (is_ratio) {
    ValidateShape(ratio.Child("shape"), strategy.requested_to_capacity_ratio->shape, errors);
  } else if (strategy.requested_to_capacity_ratio) {
    errors->Forbidden(ratio, "must be nil when type is not RequestedToCapacityRatio");
  }
}

void Validate(const FieldPath& path, const NodeResourcesFitArgs& args, const Features&,
              FieldErrorList* errors) {
  for (size_t index = 0; index < args.ignored_resources.size(); ++index) {
    ValidateLabelKey(path.Child("ignoredResources").Index(index),
                     args.ignored_resources[index].view(), errors);
  }
  for (size_t index = 0; index < args.ignored_resource_groups.size(); ++index) {
    const std::string& group = args.ignored_resource_groups[index];
    FieldPath place = path.Child("ignoredResourceGroups").Index(index);
    if (group.find('/') != std::string::npos) {
      errors->Invalid(place, GoQuote(group), "resource group name can't contain '/'");
    }
    ValidateLabelKey(place, group, errors);
  }
  FieldPath strategy = path.Child("scoringStrategy");
  if (!args.scoring_strategy) {
    return errors->Required(strategy, "ScoringStrategy field is required");
  }
  ValidateStrategy(strategy, *args.scoring_strategy, errors);
}

void ValidateDefaultingType(const FieldPath& path, const PodTopologySpreadArgs& args,
                            FieldErrorList* errors) {
  bool is_system = args.defaulting_type == PodTopologySpreadArgs::kSystemDefaulting;
  if (!is_system && args.defaulting_type != PodTopologySpreadArgs::kListDefaulting) {
    errors->NotSupported(
        path, args.defaulting_type,
        {PodTopologySpreadArgs::kSystemDefaulting, PodTopologySpreadArgs::kListDefaulting});
  } else if (is_system && !args.default_constraints.empty()) {
    errors->Invalid(path, GoQuote(args.defaulting_type), "when .defaultConstraints are not empty");
  }
}

void ValidateWhenUnsatisfiable(const FieldPath& path, std::string_view action,
                               FieldErrorList* errors) {
  if (action.empty()) return errors->Required(path, "can not be empty");
  if (action == "DoNotSchedule" || action == "ScheduleAnyway") return;
  errors->NotSupported(path, action, {"DoNotSchedule", "ScheduleAnyway"});
}

void ValidateConstraint(const FieldPath& path, const TopologySpreadConstraint& constraint,
                        FieldErrorList* errors) {
  if (constraint.max_skew <= 0) {
    errors->Invalid(path.Child("maxSkew"), Number(constraint.max_skew),
                    "not in valid range (0, inf)");
  }
  if (constraint.topology_key.empty()) {
    errors->Required(path.Child("topologyKey"), "can not be empty");
  } else {
    ValidateLabelKey(path.Child("topologyKey"), constraint.topology_key.view(), errors);
  }
  ValidateWhenUnsatisfiable(path.Child("whenUnsatisfiable"), constraint.when_unsatisfiable.view(),
                            errors);
  if (constraint.label_selector) {
    errors->Forbidden(path.Child("labelSelector"),
                      "constraint must not define a selector, as they deduced for each pod");
  }
}

void Validate(const FieldPath& path, const PodTopologySpreadArgs& args, const Features&,
              FieldErrorList* errors) {
  ValidateDefaultingType(path.Child("defaultingType"), args, errors);
  const std::vector<TopologySpreadConstraint>& constraints = args.default_constraints;
  for (size_t index = 0; index < constraints.size(); ++index) {
    const TopologySpreadConstraint& constraint = constraints[index];
    FieldPath place = path.Child("defaultConstraints").Index(index);
    ValidateConstraint(place, constraint, errors);
    auto here = constraints.begin() + static_cast<std::ptrdiff_t>(index);
    bool is_repeated =
        std::any_of(constraints.begin(), here, [&](const TopologySpreadConstraint& other) {
          return other.topology_key == constraint.topology_key &&
                 other.when_unsatisfiable == constraint.when_unsatisfiable;
        });
    if (!is_repeated) continue;
    errors->Duplicate(place, GoQuote(Format("{{{}, {}}}", constraint.topology_key.view(),
                                            constraint.when_unsatisfiable.view())));
  }
}

void Validate(const FieldPath& path, const VolumeBindingArgs& args, const Features& features,
              FieldErrorList* errors) {
  if (args.bind_timeout_seconds < 0) {
    errors->Invalid(path.Child("bindTimeoutSeconds"), Number(args.bind_timeout_seconds),
                    "invalid BindTimeoutSeconds, should not be a negative value");
  }
  if (features.storage_capacity_scoring) {
    ValidateShape(path.Child("shape"), args.shape.value_or(std::vector<UtilizationShapePoint>()),
                  errors);
  } else if (args.shape) {
    errors->Invalid(path.Child("shape"), ShapeJson(*args.shape),
                    "unexpected field `shape`, remove it or turn on the feature gate "
                    "StorageCapacityScoring");
  }
}

void Validate(const FieldPath& path, const DynamicResourcesArgs& args, const Features& features,
              FieldErrorList* errors) {
  FieldPath filter = path.Child("filterTimeout");
  if (args.filter_timeout && !features.dra_scheduler_filter_timeout) {
    errors->Forbidden(filter, "DRASchedulingFilterTimeout feature gate is disabled");
  } else if (args.filter_timeout && args.filter_timeout->nanos < 0) {
    errors->Invalid(filter, GoQuote(DurationText(*args.filter_timeout)),
                    "must be zero or positive");
  }
  FieldPath binding = path.Child("bindingTimeout");
  bool has_binding =
      features.dra_device_binding_conditions && features.dra_resource_claim_device_status;
  if (args.binding_timeout && !has_binding) {
    errors->Forbidden(
        binding,
        "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled");
  } else if (args.binding_timeout && args.binding_timeout->nanos < kNanosPerSecond) {
    errors->Invalid(binding, GoQuote(DurationText(*args.binding_timeout)),
                    "must be at least 1 second");
  }
}

// `parse_errors` are complete texts that begin with their fields.
void AddParseErrors(const FieldErrors& parse_errors, FieldErrorList* errors) {
  for (const std::string& message : parse_errors.messages()) {
    errors->Add(message.substr(0, message.find(": ")), message);
  }
}

void Validate(const FieldPath& path, const NodeAffinityArgs& args, const Features&,
              FieldErrorList* errors) {
  if (!args.added_affinity) return;
  FieldPath affinity = path.Child("addedAffinity");
  if (const std::optional<NodeSelector>& required = args.added_affinity->required) {
    auto parsed = NodeSelectorMatcher::Strict(
        *required, affinity.Child("requiredDuringSchedulingIgnoredDuringExecution").text());
    if (!parsed.ok()) AddParseErrors(parsed.fault(), errors);
  }
  if (const auto& preferred = args.added_affinity->preferred) {
    auto parsed = PreferredSchedulingTerms::Make(
        *preferred, affinity.Child("preferredDuringSchedulingIgnoredDuringExecution").text());
    if (!parsed.ok()) AddParseErrors(parsed.fault(), errors);
  }
}

// The arguments of plugins outside the core are not validated here.
template <typename T>
void Validate(const FieldPath&, const T&, const Features&, FieldErrorList*) {}

}  // namespace

void ValidateArgs(const FieldPath& path, const PluginArgs& args, const Features& features,
                  FieldErrorList* errors) {
  std::visit([&](const auto& typed) { Validate(path, typed, features, errors); }, args);
}

std::optional<std::string> ValidateNodeResourcesFitArgs(const NodeResourcesFitArgs& args) {
  FieldErrorList errors;
  Validate(FieldPath(), args, Features(), &errors);
  if (errors.empty()) return std::nullopt;
  return ConfigurationError::Aggregate(errors.Take()).message;
}

}  // namespace stowage
