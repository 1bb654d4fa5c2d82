// Schemas of the kinds of resource.k8s.io.
#include "core/api/decode/device_schema.h"

#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/selector_schema.h"
#include "core/api/device_class.h"
#include "core/api/device_taint_rule.h"
#include "core/api/resource_claim.h"
#include "core/api/sorted_entries.h"

namespace stowage {
namespace {

constexpr auto kClaimMetaFields =
    Fields(Field<&ObjectMeta::name>("name"), Field<&ObjectMeta::namespace_>("namespace"),
           Field<&ObjectMeta::uid>("uid"), Field<&ObjectMeta::resource_version>("resourceVersion"),
           Field<&ObjectMeta::generation>("generation"), Field<&ObjectMeta::labels>("labels"),
           Field<&ObjectMeta::annotations>("annotations"),
           Field<&ObjectMeta::owner_references>("ownerReferences"),
           Field<&ObjectMeta::finalizers>("finalizers"),
           Field<&ObjectMeta::creation_timestamp>("creationTimestamp"),
           Field<&ObjectMeta::deletion_timestamp>("deletionTimestamp"));
constexpr TypeInfo kMetaOfClaim = ObjectTypeInfo(kClaimMetaFields);

}  // namespace

template <>
struct Schema<CelDeviceSelector> {
  static constexpr auto kFields = Fields(Field<&CelDeviceSelector::expression>("expression"));
};

template <>
struct Schema<DeviceSelector> {
  static constexpr auto kFields = Fields(Field<&DeviceSelector::cel>("cel"));
};

template <>
struct Schema<DeviceToleration> {
  static constexpr auto kFields =
      Fields(Field<&DeviceToleration::key>("key"), Field<&DeviceToleration::op>("operator"),
             Field<&DeviceToleration::value>("value"), Field<&DeviceToleration::effect>("effect"),
             Field<&DeviceToleration::toleration_seconds>("tolerationSeconds"));
};

template <>
struct Schema<CapacityRequirements> {
  static constexpr auto kFields = Fields(Field<&CapacityRequirements::requests>("requests"));
};

template <>
struct Schema<ExactDeviceRequest> {
  using Request = ExactDeviceRequest;
  static constexpr auto kFields = Fields(
      Field<&Request::device_class_name>("deviceClassName"),
      Field<&Request::selectors>("selectors"), Field<&Request::allocation_mode>("allocationMode"),
      Field<&Request::count>("count"), Field<&Request::admin_access>("adminAccess"),
      Field<&Request::tolerations>("tolerations"), Field<&Request::capacity>("capacity"));
};

template <>
struct Schema<DeviceSubRequest> {
  using Sub = DeviceSubRequest;
  using Request = ExactDeviceRequest;
  static constexpr auto kFields =
      Fields(Field<&Sub::name>("name"),
             Within<&Sub::request, &Request::device_class_name>("deviceClassName"),
             Within<&Sub::request, &Request::selectors>("selectors"),
             Within<&Sub::request, &Request::allocation_mode>("allocationMode"),
             Within<&Sub::request, &Request::count>("count"),
             Within<&Sub::request, &Request::tolerations>("tolerations"),
             Within<&Sub::request, &Request::capacity>("capacity"));
};

template <>
struct Schema<DeviceRequest> {
  static constexpr auto kFields =
      Fields(Field<&DeviceRequest::name>("name"), Field<&DeviceRequest::exactly>("exactly"),
             Field<&DeviceRequest::first_available>("firstAvailable"));
};

template <>
struct Schema<DeviceConstraint> {
  static constexpr auto kFields =
      Fields(Field<&DeviceConstraint::requests>("requests"),
             Field<&DeviceConstraint::match_attribute>("matchAttribute"),
             Field<&DeviceConstraint::distinct_attribute>("distinctAttribute"));
};

template <>
struct Schema<OpaqueDeviceConfiguration> {
  static constexpr auto kFields =
      Fields(Field<&OpaqueDeviceConfiguration::driver>("driver"),
             Field<&OpaqueDeviceConfiguration::parameters>("parameters"));
};

template <>
struct Schema<DeviceClaimConfiguration> {
  static constexpr auto kFields = Fields(Field<&DeviceClaimConfiguration::requests>("requests"),
                                         Field<&DeviceClaimConfiguration::opaque>("opaque"));
};

template <>
struct Schema<DeviceClaim> {
  static constexpr auto kFields = Fields(Field<&DeviceClaim::requests>("requests"),
                                         Field<&DeviceClaim::constraints>("constraints"),
                                         Field<&DeviceClaim::config>("config"));
};

template <>
struct Schema<ResourceClaimSpec> {
  static constexpr auto kFields = Fields(Field<&ResourceClaimSpec::devices>("devices"));
};

template <>
struct Schema<DeviceRequestAllocationResult> {
  using Result = DeviceRequestAllocationResult;
  static constexpr auto kFields = Fields(
      Field<&Result::request>("request"), Field<&Result::driver>("driver"),
      Field<&Result::pool>("pool"), Field<&Result::device>("device"),
      Field<&Result::admin_access>("adminAccess"), Field<&Result::tolerations>("tolerations"),
      Field<&Result::binding_conditions>("bindingConditions"),
      Field<&Result::binding_failure_conditions>("bindingFailureConditions"),
      Field<&Result::share_id>("shareID"), Field<&Result::consumed_capacity>("consumedCapacity"));
};

template <>
struct Schema<DeviceAllocationConfiguration> {
  using Config = DeviceAllocationConfiguration;
  static constexpr auto kFields =
      Fields(Field<&Config::source>("source"), Field<&Config::requests>("requests"),
             Field<&Config::opaque>("opaque"));
};

template <>
struct Schema<DeviceAllocationResult> {
  static constexpr auto kFields = Fields(Field<&DeviceAllocationResult::results>("results"),
                                         Field<&DeviceAllocationResult::config>("config"));
};

template <>
struct Schema<AllocationResult> {
  static constexpr auto kFields =
      Fields(Field<&AllocationResult::devices>("devices"),
             Field<&AllocationResult::node_selector>("nodeSelector"),
             Field<&AllocationResult::allocation_timestamp>("allocationTimestamp"));
};

template <>
struct Schema<ResourceClaimConsumerReference> {
  using Reference = ResourceClaimConsumerReference;
  static constexpr auto kFields =
      Fields(Field<&Reference::api_group>("apiGroup"), Field<&Reference::resource>("resource"),
             Field<&Reference::name>("name"), Field<&Reference::uid>("uid"));
};

template <>
struct Schema<DeviceCondition> {
  static constexpr auto kFields = Fields(
      Field<&DeviceCondition::type>("type"), Field<&DeviceCondition::status>("status"),
      Field<&DeviceCondition::reason>("reason"), Field<&DeviceCondition::message>("message"));
};

template <>
struct Schema<AllocatedDeviceStatus> {
  using Status = AllocatedDeviceStatus;
  static constexpr auto kFields =
      Fields(Field<&Status::driver>("driver"), Field<&Status::pool>("pool"),
             Field<&Status::device>("device"), Field<&Status::share_id>("shareID"),
             Field<&Status::conditions>("conditions"));
};

template <>
struct Schema<ResourceClaimStatus> {
  static constexpr auto kFields = Fields(Field<&ResourceClaimStatus::allocation>("allocation"),
                                         Field<&ResourceClaimStatus::reserved_for>("reservedFor"),
                                         Field<&ResourceClaimStatus::devices>("devices"));
};

template <>
struct Schema<ResourceClaim> {
  static constexpr auto kFields =
      Fields(FieldAs<&ResourceClaim::metadata>("metadata", &kMetaOfClaim),
             Field<&ResourceClaim::spec>("spec"), Field<&ResourceClaim::status>("status"));
};

template <>
struct Schema<DeviceAttribute> {
  static constexpr auto kFields = Fields(
      Field<&DeviceAttribute::int_value>("int"), Field<&DeviceAttribute::bool_value>("bool"),
      Field<&DeviceAttribute::string_value>("string"),
      Field<&DeviceAttribute::version_value>("version"),
      Field<&DeviceAttribute::int_values>("ints"), Field<&DeviceAttribute::bool_values>("bools"),
      Field<&DeviceAttribute::string_values>("strings"),
      Field<&DeviceAttribute::version_values>("versions"));
};

template <>
struct Schema<CapacityRequestPolicyRange> {
  static constexpr auto kFields = Fields(Field<&CapacityRequestPolicyRange::min>("min"),
                                         Field<&CapacityRequestPolicyRange::max>("max"),
                                         Field<&CapacityRequestPolicyRange::step>("step"));
};

template <>
struct Schema<CapacityRequestPolicy> {
  static constexpr auto kFields = Fields(Field<&CapacityRequestPolicy::default_value>("default"),
                                         Field<&CapacityRequestPolicy::valid_values>("validValues"),
                                         Field<&CapacityRequestPolicy::valid_range>("validRange"));
};

template <>
struct Schema<DeviceCapacity> {
  static constexpr auto kFields = Fields(Field<&DeviceCapacity::value>("value"),
                                         Field<&DeviceCapacity::request_policy>("requestPolicy"));
};

template <>
struct Schema<Counter> {
  static constexpr auto kFields = Fields(Field<&Counter::value>("value"));
};

template <>
struct Schema<CounterSet> {
  static constexpr auto kFields =
      Fields(Field<&CounterSet::name>("name"), Field<&CounterSet::counters>("counters"));
};

template <>
struct Schema<DeviceCounterConsumption> {
  static constexpr auto kFields =
      Fields(Field<&DeviceCounterConsumption::counter_set>("counterSet"),
             Field<&DeviceCounterConsumption::counters>("counters"));
};

template <>
struct Schema<DeviceTaint> {
  static constexpr auto kFields =
      Fields(Field<&DeviceTaint::key>("key"), Field<&DeviceTaint::value>("value"),
             Field<&DeviceTaint::effect>("effect"), Field<&DeviceTaint::time_added>("timeAdded"));
};

template <>
struct Schema<NodeAllocatableResourceMapping> {
  using Mapping = NodeAllocatableResourceMapping;
  static constexpr auto kFields =
      Fields(Field<&Mapping::capacity_key>("capacityKey"),
             Field<&Mapping::allocation_multiplier>("allocationMultiplier"));
};

template <>
struct Schema<Device> {
  static constexpr auto kFields = Fields(
      Field<&Device::name>("name"), Field<&Device::attributes>("attributes"),
      Field<&Device::capacity>("capacity"), Field<&Device::consumes_counters>("consumesCounters"),
      Field<&Device::node_name>("nodeName"), Field<&Device::node_selector>("nodeSelector"),
      Field<&Device::all_nodes>("allNodes"), Field<&Device::taints>("taints"),
      Field<&Device::binds_to_node>("bindsToNode"),
      Field<&Device::binding_conditions>("bindingConditions"),
      Field<&Device::binding_failure_conditions>("bindingFailureConditions"),
      Field<&Device::allow_multiple_allocations>("allowMultipleAllocations"),
      Field<&Device::node_allocatable_resource_mappings>("nodeAllocatableResourceMappings"));
};

template <>
struct Schema<ResourcePool> {
  static constexpr auto kFields =
      Fields(Field<&ResourcePool::name>("name"), Field<&ResourcePool::generation>("generation"),
             Field<&ResourcePool::resource_slice_count>("resourceSliceCount"));
};

template <>
struct Schema<ResourceSliceSpec> {
  using Spec = ResourceSliceSpec;
  static constexpr auto kFields =
      Fields(Field<&Spec::driver>("driver"), Field<&Spec::pool>("pool"),
             Field<&Spec::node_name>("nodeName"), Field<&Spec::node_selector>("nodeSelector"),
             Field<&Spec::all_nodes>("allNodes"),
             Field<&Spec::per_device_node_selection>("perDeviceNodeSelection"),
             Field<&Spec::devices>("devices"), Field<&Spec::shared_counters>("sharedCounters"));
};

template <>
struct Schema<ResourceSlice> {
  static constexpr auto kFields =
      Fields(FieldAs<&ResourceSlice::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&ResourceSlice::spec>("spec"));
};

template <>
struct Schema<DeviceClassConfiguration> {
  static constexpr auto kFields = Fields(Field<&DeviceClassConfiguration::opaque>("opaque"));
};

template <>
struct Schema<DeviceClassSpec> {
  static constexpr auto kFields = Fields(
      Field<&DeviceClassSpec::selectors>("selectors"), Field<&DeviceClassSpec::config>("config"),
      Field<&DeviceClassSpec::extended_resource_name>("extendedResourceName"));
};

template <>
struct Schema<DeviceClass> {
  static constexpr auto kFields =
      Fields(FieldAs<&DeviceClass::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&DeviceClass::spec>("spec"));
};

template <>
struct Schema<DeviceTaintSelector> {
  static constexpr auto kFields = Fields(Field<&DeviceTaintSelector::driver>("driver"),
                                         Field<&DeviceTaintSelector::pool>("pool"),
                                         Field<&DeviceTaintSelector::device>("device"));
};

template <>
struct Schema<DeviceTaintRuleSpec> {
  static constexpr auto kFields =
      Fields(Field<&DeviceTaintRuleSpec::device_selector>("deviceSelector"),
             Field<&DeviceTaintRuleSpec::taint>("taint"));
};

template <>
struct Schema<DeviceTaintRule> {
  static constexpr auto kFields =
      Fields(FieldAs<&DeviceTaintRule::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&DeviceTaintRule::spec>("spec"));
};

const TypeInfo& ResourceClaimType() { return kTypeInfo<ResourceClaim>; }
const TypeInfo& ResourceSliceType() { return kTypeInfo<ResourceSlice>; }
const TypeInfo& DeviceClassType() { return kTypeInfo<DeviceClass>; }
const TypeInfo& DeviceTaintRuleType() { return kTypeInfo<DeviceTaintRule>; }

namespace {

template <typename T>
void Sort(NamedValues<T>* values) {
  NamedValues<T> added;
  added.swap(*values);
  MergeEntries(&added, values);
}

}  // namespace

void SortNamedValues(ResourceSlice* slice) {
  for (Device& device : slice->spec.devices) {
    Sort(&device.attributes);
    Sort(&device.capacity);
    Sort(&device.node_allocatable_resource_mappings);
    for (DeviceCounterConsumption& consumption : device.consumes_counters) {
      Sort(&consumption.counters);
    }
  }
  for (CounterSet& set : slice->spec.shared_counters) Sort(&set.counters);
}

}  // namespace stowage
