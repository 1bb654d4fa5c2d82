import { DEFAULT_NAMESPACE } from './keys.js';
import { PriorityClasses } from './default_classes.js';
import { withDeviceClaimDefaults, withDeviceClaimTemplateDefaults } from './device_defaults.js';
import { InputError } from './errors.js';
import { hashSuffix, hashUuid } from './hash.js';
import {
  schedulerNameOf,
  withMergedLabelKeys,
  withPortDefaults,
  withRequestsOfLimits,
} from './pod_defaults.js';
import { podLevelRequests } from './pod_requests.js';
import { isRecord } from './values.js';
import {
  withClaimDefaults,
  withStorageClassDefaults,
  withVolumeDefaults,
} from './volume_defaults.js';

/** @import { DefaultsContext, KubernetesObject } from './types.js' */

/** Cluster-scoped kinds, among those that are read here or by the engine. */
const CLUSTER_SCOPED = new Set([
  'Node',
  'Namespace',
  'PriorityClass',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'VolumeAttachment',
  'ResourceSlice',
  'DeviceClass',
  'DeviceTaintRule',
  'RuntimeClass',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'APIService',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'IngressClass',
]);

/**
 * Whether objects of this kind live in namespaces, as far as the table knows.
 * @param {KubernetesObject} object
 */
export function isNamespaced({ kind = '' }) {
  return !CLUSTER_SCOPED.has(kind);
}

/**
 * Whether its name has to be generated from `generateName`; a `count` then makes it unique.
 * @param {KubernetesObject} object
 */
export function isToBeNamed({ metadata }) {
  const hasPrefix = typeof metadata?.generateName === 'string' && metadata.generateName !== '';
  return hasPrefix && !metadata.name && !metadata.uid;
}

/**
 * Returns the object as the API server would have stored it, as far as the scheduler reads it. An
 * object with a uid has been stored already and is returned unchanged. So is an object whose
 * metadata, spec or status is not an object: the engine rejects it. The argument is never changed.
 *
 * All kinds get a uid (computed from seed, kind, namespace and name), a name if they have a
 * `generateName`, and their namespace. Pods get the scheduler's name, priority and preemption
 * policy of their class, requests from limits, protocols, host ports of the host network, and label
 * selectors with `matchLabelKeys` and `mismatchLabelKeys` merged in. Claims without a class get the
 * default one, claims and volumes a mode and a phase, StorageClasses their binding mode and reclaim
 * policy, requests for devices their mode, their number and the operators of their tolerations.
 * `expand` adds the changes of admission (LimitRanges, RuntimeClasses, tolerations).
 * @param {KubernetesObject} object
 * @param {DefaultsContext} [context]
 * @returns {KubernetesObject}
 * @throws {InputError} if the pod's PriorityClass does not exist
 */
export function withDefaults(object, context = {}) {
  const parts = [object.metadata, object.spec, object.status];
  if (object.metadata?.uid || !parts.every((part) => isRecord(part ?? {}))) return object;
  const metadata = metadataOf(object, context);
  const named = { ...object, metadata };
  switch (object.kind) {
    case 'Pod':
      return {
        ...named,
        spec: podSpec(named, context),
        status: { ...object.status, phase: object.status?.phase || 'Pending' },
      };
    case 'Node':
      return object.status?.capacity && !object.status.allocatable
        ? { ...named, status: { ...object.status, allocatable: object.status.capacity } }
        : named;
    case 'Namespace': {
      if (!isRecord(metadata.labels ?? {})) return named;
      const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
      return { ...named, metadata: { ...metadata, labels } };
    }
    case 'PersistentVolumeClaim':
      return withClaimDefaults(named, context);
    case 'PersistentVolume':
      return withVolumeDefaults(named);
    case 'StorageClass':
      return withStorageClassDefaults(named);
    case 'ResourceClaim':
      return withDeviceClaimDefaults(named);
    case 'ResourceClaimTemplate':
      return withDeviceClaimTemplateDefaults(named);
    case 'ReplicationController':
      return Object.keys(object.spec?.selector ?? {}).length > 0
        ? named
        : { ...named, spec: { ...object.spec, selector: object.spec?.template?.metadata?.labels } };
    default:
      return named;
  }
}

/**
 * @param {KubernetesObject} object
 * @param {DefaultsContext} context
 */
function metadataOf(object, { seed = 0, count = 0, creationTimestamp }) {
  const metadata = { ...object.metadata };
  const { kind = '' } = object;
  if (isNamespaced(object)) metadata.namespace ||= DEFAULT_NAMESPACE;
  const namespace = metadata.namespace ?? '';
  if (isToBeNamed(object)) {
    metadata.name =
      metadata.generateName +
      hashSuffix(`${seed}/${kind}/${namespace}/${metadata.generateName}/${count}`, 5);
  }
  metadata.uid = hashUuid(`${seed}/${kind}/${namespace}/${metadata.name ?? ''}`);
  if (creationTimestamp !== undefined) metadata.creationTimestamp ??= creationTimestamp;
  return metadata;
}

/**
 * @param {KubernetesObject} pod
 * @param {DefaultsContext} context
 */
function podSpec(pod, context) {
  const schedulerName = schedulerNameOf(pod.spec);
  const given = { ...pod.spec, schedulerName, ...priorityOf(pod, context) };
  const spec = withMergedLabelKeys(given, pod.metadata.labels ?? {});
  for (const field of ['containers', 'initContainers']) {
    if (Array.isArray(spec[field]))
      spec[field] = spec[field].map((/** @type {any} */ container) =>
        withRequestsOfLimits(withPortDefaults(container, spec.hostNetwork)),
      );
  }
  const requests = podLevelRequests(spec);
  if (requests) spec.resources = { ...spec.resources, requests };
  return spec;
}

/**
 * Returns the default class for a pod that names none. A pod with a different priority gets no
 * class.
 * @param {KubernetesObject} pod
 * @param {PriorityClasses} classes
 */
function defaultClassOf({ spec }, classes) {
  const found = classes.globalDefault();
  return spec?.priority == null || spec.priority === found?.value ? found : undefined;
}

/**
 * @param {KubernetesObject} pod
 * @param {DefaultsContext} context
 */
function priorityOf(pod, context) {
  const { priority, priorityClassName, preemptionPolicy } = pod.spec ?? {};
  const classes = PriorityClasses.of(context.priorityClasses);
  const found = priorityClassName ? classes.get(priorityClassName) : defaultClassOf(pod, classes);
  if (priorityClassName && !found && priority == null) {
    const { namespace, name } = pod.metadata;
    const detail = `no PriorityClass with name ${priorityClassName} was found`;
    const field = 'spec.priorityClassName';
    throw new InputError({
      code: 'FieldValueInvalid',
      apiVersion: 'v1',
      kind: 'Pod',
      namespace,
      name,
      field,
      value: priorityClassName,
      detail,
    });
  }
  return {
    priority: priority ?? found?.value ?? 0,
    preemptionPolicy: preemptionPolicy ?? found?.preemptionPolicy ?? 'PreemptLowerPriority',
  };
}
