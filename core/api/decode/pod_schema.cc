#include "core/api/decode/meta_schema.h"
#include "core/api/decode/object_types.h"
#include "core/api/decode/selector_schema.h"
#include "core/api/pod_group.h"

namespace stowage {

template <>
struct Schema<ContainerResourceClaim> {
  static constexpr auto kFields = Fields(Field<&ContainerResourceClaim::name>("name"));
};

template <>
struct Schema<ResourceRequirements> {
  static constexpr auto kFields = Fields(RepeatedField<&ResourceRequirements::requests>("requests"),
                                         RepeatedField<&ResourceRequirements::limits>("limits"),
                                         Field<&ResourceRequirements::claims>("claims"));
};

template <>
struct Schema<ContainerPort> {
  static constexpr auto kFields =
      Fields(Field<&ContainerPort::host_port>("hostPort"),
             Field<&ContainerPort::container_port>("containerPort"),
             Field<&ContainerPort::protocol>("protocol"), Field<&ContainerPort::host_ip>("hostIP"));
};

template <>
struct Schema<ContainerRestartRule> {
  static constexpr auto kFields = Fields(Field<&ContainerRestartRule::action>("action"));
};

template <>
struct Schema<Container> {
  static constexpr auto kFields =
      Fields(Field<&Container::name>("name"), Field<&Container::image>("image"),
             Field<&Container::resources>("resources"), Field<&Container::ports>("ports"),
             Field<&Container::restart_policy>("restartPolicy"),
             Field<&Container::restart_policy_rules>("restartPolicyRules"));
};

template <>
struct Schema<Toleration> {
  static constexpr auto kFields =
      Fields(Field<&Toleration::key>("key"), Field<&Toleration::op>("operator"),
             Field<&Toleration::value>("value"), Field<&Toleration::effect>("effect"),
             Field<&Toleration::toleration_seconds>("tolerationSeconds"));
};

template <>
struct Schema<PodSchedulingGate> {
  static constexpr auto kFields = Fields(Field<&PodSchedulingGate::name>("name"));
};

template <>
struct Schema<PersistentVolumeClaimVolumeSource> {
  static constexpr auto kFields =
      Fields(Field<&PersistentVolumeClaimVolumeSource::claim_name>("claimName"),
             Field<&PersistentVolumeClaimVolumeSource::read_only>("readOnly"));
};

template <>
struct Schema<ImageVolumeSource> {
  static constexpr auto kFields = Fields(Field<&ImageVolumeSource::reference>("reference"),
                                         Field<&ImageVolumeSource::pull_policy>("pullPolicy"));
};

template <>
struct Schema<Volume> {
  static constexpr auto kFields =
      Fields(Field<&Volume::name>("name"),
             Field<&Volume::persistent_volume_claim>("persistentVolumeClaim"),
             Field<&Volume::image>("image"), Field<&Volume::other>("awsElasticBlockStore"),
             Field<&Volume::other>("azureDisk"), Field<&Volume::other>("azureFile"),
             Field<&Volume::other>("cephfs"), Field<&Volume::other>("cinder"),
             Field<&Volume::other>("csi"), Field<&Volume::other>("downwardAPI"),
             Field<&Volume::other>("emptyDir"), Field<&Volume::other>("ephemeral"),
             Field<&Volume::other>("fc"), Field<&Volume::other>("flexVolume"),
             Field<&Volume::other>("flocker"), Field<&Volume::other>("gcePersistentDisk"),
             Field<&Volume::other>("gitRepo"), Field<&Volume::other>("glusterfs"),
             Field<&Volume::other>("hostPath"), Field<&Volume::other>("iscsi"),
             Field<&Volume::other>("nfs"), Field<&Volume::other>("photonPersistentDisk"),
             Field<&Volume::other>("portworxVolume"), Field<&Volume::other>("projected"),
             Field<&Volume::other>("quobyte"), Field<&Volume::other>("rbd"),
             Field<&Volume::other>("scaleIO"), Field<&Volume::other>("storageos"),
             Field<&Volume::other>("vsphereVolume"));
};

template <>
struct Schema<PodResourceClaim> {
  static constexpr auto kFields =
      Fields(Field<&PodResourceClaim::name>("name"),
             Field<&PodResourceClaim::resource_claim_name>("resourceClaimName"),
             Field<&PodResourceClaim::resource_claim_template_name>("resourceClaimTemplateName"));
};

template <>
struct Schema<PodSchedulingGroup> {
  static constexpr auto kFields =
      Fields(Field<&PodSchedulingGroup::pod_group_name>("podGroupName"));
};

template <>
struct Schema<PodOs> {
  static constexpr auto kFields = Fields(Field<&PodOs::name>("name"));
};

template <>
struct Schema<PodSpec> {
  static constexpr auto kFields = Fields(
      Field<&PodSpec::node_name>("nodeName"), Field<&PodSpec::scheduler_name>("schedulerName"),
      Field<&PodSpec::priority>("priority"),
      Field<&PodSpec::priority_class_name>("priorityClassName"),
      Field<&PodSpec::preemption_policy>("preemptionPolicy"),
      Field<&PodSpec::node_selector>("nodeSelector"), RepeatedField<&PodSpec::affinity>("affinity"),
      RepeatedField<&PodSpec::tolerations>("tolerations"),
      RepeatedField<&PodSpec::topology_spread_constraints>("topologySpreadConstraints"),
      Field<&PodSpec::scheduling_gates>("schedulingGates"),
      RepeatedField<&PodSpec::containers>("containers"),
      RepeatedField<&PodSpec::init_containers>("initContainers"),
      Field<&PodSpec::resources>("resources"), Field<&PodSpec::overhead>("overhead"),
      RepeatedField<&PodSpec::volumes>("volumes"),
      Field<&PodSpec::resource_claims>("resourceClaims"),
      Field<&PodSpec::scheduling_group>("schedulingGroup"), Field<&PodSpec::os>("os"),
      Field<&PodSpec::host_network>("hostNetwork"), Field<&PodSpec::host_users>("hostUsers"));
};

template <>
struct Schema<PodCondition> {
  static constexpr auto kFields =
      Fields(Field<&PodCondition::type>("type"), Field<&PodCondition::status>("status"),
             Field<&PodCondition::reason>("reason"), Field<&PodCondition::message>("message"),
             Field<&PodCondition::last_probe_time>("lastProbeTime"),
             Field<&PodCondition::last_transition_time>("lastTransitionTime"),
             Field<&PodCondition::observed_generation>("observedGeneration"));
};

template <>
struct Schema<PodResourceClaimStatus> {
  static constexpr auto kFields =
      Fields(Field<&PodResourceClaimStatus::name>("name"),
             Field<&PodResourceClaimStatus::resource_claim_name>("resourceClaimName"));
};

template <>
struct Schema<PodExtendedResourceRequestMapping> {
  using Mapping = PodExtendedResourceRequestMapping;
  static constexpr auto kFields = Fields(Field<&Mapping::container_name>("containerName"),
                                         Field<&Mapping::resource_name>("resourceName"),
                                         Field<&Mapping::request_name>("requestName"));
};

template <>
struct Schema<PodExtendedResourceClaimStatus> {
  static constexpr auto kFields =
      Fields(Field<&PodExtendedResourceClaimStatus::request_mappings>("requestMappings"),
             Field<&PodExtendedResourceClaimStatus::resource_claim_name>("resourceClaimName"));
};

template <>
struct Schema<NodeAllocatableResourceClaimStatus> {
  using Status = NodeAllocatableResourceClaimStatus;
  static constexpr auto kFields =
      Fields(Field<&Status::resource_claim_name>("resourceClaimName"),
             Field<&Status::containers>("containers"), Field<&Status::resources>("resources"));
};

template <>
struct Schema<ContainerStatus> {
  static constexpr auto kFields =
      Fields(Field<&ContainerStatus::name>("name"), Field<&ContainerStatus::resources>("resources"),
             Field<&ContainerStatus::allocated_resources>("allocatedResources"));
};

template <>
struct Schema<PodStatus> {
  static constexpr auto kFields =
      Fields(Field<&PodStatus::phase>("phase"),
             Field<&PodStatus::nominated_node_name>("nominatedNodeName"),
             Field<&PodStatus::start_time>("startTime"),
             Field<&PodStatus::conditions>("conditions"), Field<&PodStatus::resources>("resources"),
             Field<&PodStatus::allocated_resources>("allocatedResources"),
             Field<&PodStatus::container_statuses>("containerStatuses"),
             Field<&PodStatus::init_container_statuses>("initContainerStatuses"),
             Field<&PodStatus::resource_claim_statuses>("resourceClaimStatuses"),
             Field<&PodStatus::extended_resource_claim_status>("extendedResourceClaimStatus"),
             Field<&PodStatus::node_allocatable_resource_claim_statuses>(
                 "nodeAllocatableResourceClaimStatuses"));
};

template <>
struct Schema<Pod> {
  static constexpr auto kFields =
      Fields(FieldAs<&Pod::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&Pod::spec>("spec"), Field<&Pod::status>("status"));
};

template <>
struct Schema<GangSchedulingPolicy> {
  static constexpr auto kFields = Fields(Field<&GangSchedulingPolicy::min_count>("minCount"));
};

template <>
struct Schema<PodGroupSchedulingPolicy> {
  static constexpr auto kFields = Fields(Field<&PodGroupSchedulingPolicy::gang>("gang"));
};

template <>
struct Schema<PodGroupTopologyConstraint> {
  static constexpr auto kFields = Fields(Field<&PodGroupTopologyConstraint::key>("key"));
};

template <>
struct Schema<PodGroupSchedulingConstraints> {
  static constexpr auto kFields =
      Fields(Field<&PodGroupSchedulingConstraints::topology>("topology"));
};

template <>
struct Schema<PodGroupSpec> {
  static constexpr auto kFields =
      Fields(Field<&PodGroupSpec::scheduling_policy>("schedulingPolicy"),
             Field<&PodGroupSpec::scheduling_constraints>("schedulingConstraints"),
             Field<&PodGroupSpec::disruption_mode>("disruptionMode"),
             Field<&PodGroupSpec::priority>("priority"),
             Field<&PodGroupSpec::resource_claims>("resourceClaims"));
};

template <>
struct Schema<PodGroupStatus> {
  static constexpr auto kFields = Fields(Field<&PodGroupStatus::conditions>("conditions"));
};

template <>
struct Schema<PodGroup> {
  static constexpr auto kFields =
      Fields(FieldAs<&PodGroup::metadata>("metadata", &kMetaWithoutAnnotations),
             Field<&PodGroup::spec>("spec"), Field<&PodGroup::status>("status"));
};

const TypeInfo& PodType() { return kTypeInfo<Pod>; }
const TypeInfo& PodGroupType() { return kTypeInfo<PodGroup>; }

}  // namespace stowage
