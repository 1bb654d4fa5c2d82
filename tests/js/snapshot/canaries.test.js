// Goal: a snapshot contains no text of a user, except where the scheduler reads it. Method: objects
// of all kinds with a canary in every field of the table of Kubernetes' types; the snapshot must
// contain exactly the listed ones, each with its reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymize } from '../../../js/src/snapshot/anonymize.js';
import { KINDS } from '../../../js/src/snapshot/fields.js';
import { snapshotOf } from '../../../js/src/snapshot/snapshot.js';
import { apiVersionsOf, Canaries } from '../support/canaries.js';

/** Names of objects, and fields that choose between them. */
const NAMES = `
  CSINode.spec.drivers[].name
  CSIStorageCapacity.storageClassName
  Container.image
  Container.name
  Container.ports[].name
  Container.ports[].hostIP
  DeviceClass.spec.extendedResourceName
  Job.spec.managedBy
  Job.status.conditions[].type
  Job.status.uncountedTerminatedPods.failed[]
  Job.status.uncountedTerminatedPods.succeeded[]
  Node.status.conditions[].type
  Node.status.declaredFeatures[]
  Node.status.images[].names[]
  ObjectMeta.name
  ObjectMeta.namespace
  ObjectMeta.ownerReferences[].name
  ObjectMeta.ownerReferences[].uid
  ObjectMeta.uid
  PersistentVolume.spec.claimRef.name
  PersistentVolume.spec.claimRef.namespace
  PersistentVolume.spec.claimRef.uid
  PersistentVolume.spec.csi.driver
  PersistentVolume.spec.storageClassName
  PersistentVolume.spec.volumeAttributesClassName
  PersistentVolumeClaimSpec.storageClassName
  PersistentVolumeClaimSpec.volumeAttributesClassName
  PersistentVolumeClaimSpec.volumeName
  Pod.status.conditions[].reason
  Pod.status.conditions[].type
  Pod.status.containerStatuses[].name
  Pod.status.extendedResourceClaimStatus.resourceClaimName
  Pod.status.initContainerStatuses[].name
  Pod.status.nodeAllocatableResourceClaimStatuses[].containers[]
  Pod.status.nodeAllocatableResourceClaimStatuses[].resourceClaimName
  Pod.status.nominatedNodeName
  Pod.status.resourceClaimStatuses[].name
  Pod.status.resourceClaimStatuses[].resourceClaimName
  PodAffinityTerm.namespaces[]
  PodDisruptionBudget.status.disruptedPods{key}
  PodGroup.spec.priorityClassName
  PodGroup.spec.resourceClaims[].name
  PodGroup.spec.resourceClaims[].resourceClaimName
  PodGroup.spec.resourceClaims[].resourceClaimTemplateName
  PodSpec.nodeName
  PodSpec.priorityClassName
  PodSpec.resourceClaims[].name
  PodSpec.resourceClaims[].resourceClaimName
  PodSpec.resourceClaims[].resourceClaimTemplateName
  PodSpec.runtimeClassName
  PodSpec.schedulerName
  PodSpec.schedulingGates[].name
  PodSpec.schedulingGroup.podGroupName
  PodSpec.volumes[].csi.driver
  PodSpec.volumes[].image.reference
  PodSpec.volumes[].name
  PodSpec.volumes[].persistentVolumeClaim.claimName
  DeviceTaintRule.spec.deviceSelector.pool
  ResourceClaim.status.allocation.devices.results[].pool
  ResourceClaim.status.devices[].conditions[].message
  ResourceClaim.status.devices[].conditions[].reason
  ResourceClaim.status.devices[].pool
  ResourceClaim.status.reservedFor[].name
  ResourceClaim.status.reservedFor[].uid
  ResourceClaimSpec.devices.requests[].exactly.deviceClassName
  ResourceClaimSpec.devices.requests[].firstAvailable[].deviceClassName
  ResourceRequirements.claims[].name
  ResourceQuota.spec.scopeSelector.matchExpressions[].values[]
  ResourceSlice.spec.devices[].nodeName
  ResourceSlice.spec.nodeName
  ResourceSlice.spec.pool.name
  RuntimeClass.handler
  StatefulSet.spec.serviceName
  StatefulSet.status.currentRevision
  StatefulSet.status.updateRevision
  StorageClass.provisioner
  VolumeAttachment.spec.attacher
  VolumeAttachment.spec.nodeName
  VolumeAttachment.spec.source.persistentVolumeName
`;

/** Labels, taints, and selectors. */
const LABELS = `
  CSINode.spec.drivers[].topologyKeys[]
  DeviceTaintRule.spec.taint.key
  DeviceTaintRule.spec.taint.value
  DeviceToleration.key
  DeviceToleration.value
  LabelSelector.matchExpressions[].key
  LabelSelector.matchExpressions[].values[]
  LabelSelector.matchLabels{key}
  LabelSelector.matchLabels{}
  Node.spec.taints[].key
  Node.spec.taints[].value
  NodeSelectorTerm.matchExpressions[].key
  NodeSelectorTerm.matchExpressions[].values[]
  NodeSelectorTerm.matchFields[].values[]
  ObjectMeta.labels{key}
  ObjectMeta.labels{}
  PodAffinityTerm.matchLabelKeys[]
  PodAffinityTerm.mismatchLabelKeys[]
  PodAffinityTerm.topologyKey
  PodGroup.spec.schedulingConstraints.topology[].key
  PodSpec.nodeSelector{key}
  PodSpec.nodeSelector{}
  PodSpec.tolerations[].key
  PodSpec.tolerations[].value
  PodSpec.topologySpreadConstraints[].matchLabelKeys[]
  PodSpec.topologySpreadConstraints[].topologyKey
  ReplicationController.spec.selector{key}
  ReplicationController.spec.selector{}
  ResourceSlice.spec.devices[].taints[].key
  ResourceSlice.spec.devices[].taints[].value
  RuntimeClass.scheduling.nodeSelector{key}
  RuntimeClass.scheduling.nodeSelector{}
  RuntimeClass.scheduling.tolerations[].key
  RuntimeClass.scheduling.tolerations[].value
  Service.spec.selector{key}
  Service.spec.selector{}
  StorageClass.allowedTopologies[].matchLabelExpressions[].key
  StorageClass.allowedTopologies[].matchLabelExpressions[].values[]
`;

/** Names of resources, and of their requests. */
const RESOURCES = `
  LimitRange.spec.limits[].defaultRequest{key}
  LimitRange.spec.limits[].default{key}
  LimitRange.spec.limits[].maxLimitRequestRatio{key}
  LimitRange.spec.limits[].max{key}
  LimitRange.spec.limits[].min{key}
  Node.status.allocatable{key}
  PersistentVolume.spec.capacity{key}
  PersistentVolumeClaimSpec.resources.requests{key}
  Pod.status.allocatedResources{key}
  Pod.status.containerStatuses[].allocatedResources{key}
  Pod.status.initContainerStatuses[].allocatedResources{key}
  Pod.status.nodeAllocatableResourceClaimStatuses[].resources{key}
  PodSpec.overhead{key}
  ResourceRequirements.limits{key}
  ResourceRequirements.requests{key}
  ResourceQuota.spec.hard{key}
  ResourceQuota.status.hard{key}
  ResourceQuota.status.used{key}
  RuntimeClass.overhead.podFixed{key}
`;

/** Volumes that two pods cannot share, or that a node limits. */
const VOLUMES = `
  PersistentVolume.spec.awsElasticBlockStore.volumeID
  PersistentVolume.spec.azureDisk.diskURI
  PersistentVolume.spec.cinder.volumeID
  PersistentVolume.spec.csi.volumeHandle
  PersistentVolume.spec.gcePersistentDisk.pdName
  PersistentVolume.spec.portworxVolume.volumeID
  PodSpec.volumes[].awsElasticBlockStore.volumeID
  PodSpec.volumes[].azureDisk.diskURI
  PodSpec.volumes[].cinder.volumeID
  PodSpec.volumes[].gcePersistentDisk.pdName
  PodSpec.volumes[].iscsi.iqn
  PodSpec.volumes[].portworxVolume.volumeID
  PodSpec.volumes[].rbd.image
  PodSpec.volumes[].rbd.monitors[]
  PodSpec.volumes[].rbd.pool
`;

/** Names in expressions and allocations of devices. */
const DEVICES = `
  DeviceSelector.cel.expression
  DeviceTaintRule.spec.deviceSelector.device
  DeviceTaintRule.spec.deviceSelector.driver
  ResourceClaim.status.allocation.devices.results[].bindingConditions[]
  ResourceClaim.status.allocation.devices.results[].bindingFailureConditions[]
  ResourceClaim.status.allocation.devices.results[].consumedCapacity{key}
  ResourceClaim.status.allocation.devices.results[].device
  ResourceClaim.status.allocation.devices.results[].driver
  ResourceClaim.status.allocation.devices.results[].request
  ResourceClaim.status.allocation.devices.results[].shareID
  ResourceClaim.status.devices[].conditions[].type
  ResourceClaim.status.devices[].device
  ResourceClaim.status.devices[].driver
  ResourceClaim.status.devices[].shareID
  ResourceClaimSpec.devices.constraints[].distinctAttribute
  ResourceClaimSpec.devices.constraints[].matchAttribute
  ResourceClaimSpec.devices.constraints[].requests[]
  ResourceClaimSpec.devices.requests[].exactly.capacity.requests{key}
  ResourceClaimSpec.devices.requests[].firstAvailable[].capacity.requests{key}
  ResourceClaimSpec.devices.requests[].firstAvailable[].name
  ResourceClaimSpec.devices.requests[].name
  ResourceSlice.spec.devices[].attributes{key}
  ResourceSlice.spec.devices[].attributes{}.string
  ResourceSlice.spec.devices[].attributes{}.strings[]
  ResourceSlice.spec.devices[].attributes{}.version
  ResourceSlice.spec.devices[].attributes{}.versions[]
  ResourceSlice.spec.devices[].bindingConditions[]
  ResourceSlice.spec.devices[].bindingFailureConditions[]
  ResourceSlice.spec.devices[].capacity{key}
  ResourceSlice.spec.devices[].consumesCounters[].counterSet
  ResourceSlice.spec.devices[].consumesCounters[].counters{key}
  ResourceSlice.spec.devices[].name
  ResourceSlice.spec.devices[].nodeAllocatableResourceMappings{key}
  ResourceSlice.spec.devices[].nodeAllocatableResourceMappings{}.capacityKey
  ResourceSlice.spec.driver
  ResourceSlice.spec.sharedCounters[].counters{key}
  ResourceSlice.spec.sharedCounters[].name
`;

/** Kubernetes' own words, which the API server restricts. */
const WORDS = `
  Container.ports[].protocol
  Container.restartPolicy
  Container.restartPolicyRules[].action
  DeviceTaintRule.spec.taint.effect
  DeviceToleration.effect
  DeviceToleration.operator
  Job.spec.completionMode
  Job.spec.podReplacementPolicy
  Job.status.completedIndexes
  Job.status.conditions[].status
  Job.status.failedIndexes
  LabelSelector.matchExpressions[].operator
  LimitRange.spec.limits[].type
  Node.spec.taints[].effect
  Node.status.conditions[].status
  NodeSelectorTerm.matchExpressions[].operator
  NodeSelectorTerm.matchFields[].key
  NodeSelectorTerm.matchFields[].operator
  ObjectMeta.ownerReferences[].apiVersion
  ObjectMeta.ownerReferences[].kind
  ObjectMeta.resourceVersion
  PersistentVolume.spec.accessModes[]
  PersistentVolume.spec.azureDisk.kind
  PersistentVolume.spec.claimRef.apiVersion
  PersistentVolume.spec.claimRef.kind
  PersistentVolume.spec.volumeMode
  PersistentVolume.status.phase
  PersistentVolumeClaim.status.phase
  PersistentVolumeClaimSpec.accessModes[]
  PersistentVolumeClaimSpec.volumeMode
  Pod.status.conditions[].status
  Pod.status.phase
  PodDisruptionBudget.spec.unhealthyPodEvictionPolicy
  PodGroup.spec.disruptionMode
  PodSpec.os.name
  PodSpec.preemptionPolicy
  PodSpec.restartPolicy
  PodSpec.tolerations[].effect
  PodSpec.tolerations[].operator
  PodSpec.topologySpreadConstraints[].nodeAffinityPolicy
  PodSpec.topologySpreadConstraints[].nodeTaintsPolicy
  PodSpec.topologySpreadConstraints[].whenUnsatisfiable
  PodSpec.volumes[].azureDisk.kind
  PodSpec.volumes[].image.pullPolicy
  PriorityClass.preemptionPolicy
  ResourceClaim.status.devices[].conditions[].status
  ResourceClaim.status.reservedFor[].apiGroup
  ResourceClaim.status.reservedFor[].resource
  ResourceClaimSpec.devices.requests[].exactly.allocationMode
  ResourceClaimSpec.devices.requests[].firstAvailable[].allocationMode
  ResourceQuota.spec.scopeSelector.matchExpressions[].operator
  ResourceQuota.spec.scopeSelector.matchExpressions[].scopeName
  ResourceQuota.spec.scopes[]
  ResourceSlice.spec.devices[].taints[].effect
  RuntimeClass.scheduling.tolerations[].effect
  RuntimeClass.scheduling.tolerations[].operator
  StatefulSet.spec.podManagementPolicy
  StatefulSet.spec.updateStrategy.type
  StorageClass.reclaimPolicy
  StorageClass.volumeBindingMode
`;

const READ = [NAMES, LABELS, RESOURCES, VOLUMES, DEVICES, WORDS];

/** Fields that new names do not replace: see the README of snapshots. */
const ANONYMOUS = [DEVICES, WORDS];

/** @param {string[]} lists */
const placesIn = (lists) => lists.join(' ').trim().split(/\s+/).sort();

/** Returns an object of each kind, and of each of its versions. */
function flock() {
  const canaries = new Canaries();
  const objects = Object.keys(KINDS).flatMap((kind) => {
    const apiVersions = apiVersionsOf(kind);
    assert.ok(apiVersions.length > 0, `${kind} is not in the table`);
    return apiVersions.map((apiVersion) => canaries.objectOf(apiVersion, kind));
  });
  return { canaries, objects };
}

test('no text is in a snapshot but those that the scheduler reads', () => {
  const { canaries, objects } = flock();
  assert.deepEqual([...canaries.foundIn(snapshotOf(objects))].sort(), placesIn(READ));
});

test('with made-up names only words of Kubernetes and of devices are left', () => {
  const { canaries, objects } = flock();
  const { snapshot, originals } = anonymize(objects);
  assert.deepEqual([...canaries.foundIn(snapshot)].sort(), placesIn(ANONYMOUS));
  const known = new Set(placesIn(READ));
  const named = [...canaries.foundIn([...originals.values()])];
  assert.deepEqual(
    named.filter((place) => !known.has(place)),
    [],
    'nor does the list of true names hold others',
  );
});

test('values of the wrong type contain no canary either', () => {
  for (const odd of ['canary', ['canary'], { canary: ['canary'] }]) {
    for (const kind of Object.keys(KINDS)) {
      for (const field of ['metadata', 'spec', 'status']) {
        const list = snapshotOf([{ apiVersion: 'v1', kind, [field]: odd }]);
        assert.doesNotMatch(JSON.stringify(list), /canary/, `${kind}.${field}`);
      }
    }
  }
});
