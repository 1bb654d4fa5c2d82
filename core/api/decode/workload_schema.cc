#include "core/api/workloads.h"

#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/selector_schema.h"

namespace stowage {

template <>
struct Schema<MapSelectorSpec> {
  static constexpr auto kFields = Fields(Field<&MapSelectorSpec::selector>("selector"));
};

template <>
struct Schema<LabelSelectorSpec> {
  static constexpr auto kFields = Fields(Field<&LabelSelectorSpec::selector>("selector"));
};

template <>
struct Schema<PodDisruptionBudgetStatus> {
  static constexpr auto kFields =
      Fields(Field<&PodDisruptionBudgetStatus::disruptions_allowed>("disruptionsAllowed"),
             KeysOf<&PodDisruptionBudgetStatus::disrupted_pods>("disruptedPods"));
};

template <>
struct Schema<Namespace> {
  static constexpr auto kFields =
      Fields(FieldAs<&Namespace::metadata>("metadata", &kMetaWithoutAnnotations));
};

template <>
struct Schema<Service> {
  static constexpr auto kFields =
      Fields(FieldAs<&Service::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&Service::spec>("spec"));
};

template <>
struct Schema<ReplicationController> {
  static constexpr auto kFields =
      Fields(FieldAs<&ReplicationController::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&ReplicationController::spec>("spec"));
};

template <>
struct Schema<ReplicaSet> {
  static constexpr auto kFields =
      Fields(FieldAs<&ReplicaSet::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&ReplicaSet::spec>("spec"));
};

template <>
struct Schema<StatefulSet> {
  static constexpr auto kFields =
      Fields(FieldAs<&StatefulSet::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&StatefulSet::spec>("spec"));
};

template <>
struct Schema<PodDisruptionBudget> {
  static constexpr auto kFields = Fields(
      FieldAs<&PodDisruptionBudget::metadata>("metadata", &kMetaWithoutAnnotations),
      Field<&PodDisruptionBudget::spec>("spec"), Field<&PodDisruptionBudget::status>("status"));
};

const TypeInfo& NamespaceType() { return kTypeInfo<Namespace>; }
const TypeInfo& ServiceType() { return kTypeInfo<Service>; }
const TypeInfo& ReplicationControllerType() { return kTypeInfo<ReplicationController>; }
const TypeInfo& ReplicaSetType() { return kTypeInfo<ReplicaSet>; }
const TypeInfo& StatefulSetType() { return kTypeInfo<StatefulSet>; }
const TypeInfo& PodDisruptionBudgetType() { return kTypeInfo<PodDisruptionBudget>; }

}  // namespace stowage
