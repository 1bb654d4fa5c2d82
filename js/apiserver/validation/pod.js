/**
 * Pods, and the specs in their templates.
 * Counterpart: `ValidatePodSpec` and `ValidatePodUpdate` of pkg/apis/core/validation, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
} from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';
import { oneOf } from './container_fields.js';
import { containersErrors, imagesErrors, nameErrors } from './containers.js';
import { labelNameFaults, subdomainFaults } from '../../src/kubernetes/names.js';
import { gatedPlacementErrors, withoutPlacement } from './pod_placement_update.js';
import { podResizeErrors } from './pod_resize.js';
import {
  containerResourcesErrors,
  podResourcesErrors,
} from '../../src/kubernetes/resource_errors.js';
import { placementErrors, tolerationsErrors } from './scheduling.js';
import { claimSpecErrors } from './volumes.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const DEADLINE_LAST = 2 ** 31 - 1;

/** Of pods and PriorityClasses. */
export const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

/** In the order of upstream's checks: of several sources, the first one counts. */
const VOLUME_SOURCES = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret'],
  ...['nfs', 'iscsi', 'glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs'],
  ...['quobyte', 'downwardAPI', 'fc', 'flexVolume', 'configMap', 'azureFile', 'vsphereVolume'],
  ...['photonPersistentDisk', 'portworxVolume', 'azureDisk', 'storageos', 'projected', 'scaleIO'],
  ...['csi', 'ephemeral', 'image'],
];

/** @param {KubernetesObject} pod */
export function podErrors({ metadata, spec }) {
  return [
    ...podSpecErrors(spec, 'spec', metadata.name),
    ...imagesErrors(spec.containers ?? [], 'spec.containers'),
    ...imagesErrors(spec.initContainers ?? [], 'spec.initContainers'),
  ];
}

/**
 * Rules for new pods only.
 * @param {KubernetesObject} pod
 * @returns {FieldError[]}
 */
export function podCreateErrors({ spec }) {
  const { ephemeralContainers = [], schedulingGates = [], nodeName } = spec;
  const detail = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(ephemeralContainers.length > 0
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(nodeName && schedulingGates.length > 0 ? [forbiddenField('spec.nodeName', detail)] : []),
  ];
}

/**
 * @param {any} spec
 * @param {string} path
 * @param {string} [podName] undefined for the spec of a template
 * @returns {FieldError[]}
 */
export function podSpecErrors(spec, path, podName = '') {
  const { activeDeadlineSeconds: deadline, preemptionPolicy, overhead } = spec;
  const { volumes, errors } = checkedVolumes(spec.volumes ?? [], `${path}.volumes`, podName);
  return [
    ...errors,
    ...resourceClaimsErrors(spec.resourceClaims ?? [], `${path}.resourceClaims`),
    ...containersErrors(spec, path, volumes),
    ...podResourcesErrors(spec, `${path}.resources`),
    ...hostNetworkErrors(spec, `${path}.containers`),
    ...hostUsersErrors(spec, path),
    ...oneOf(spec.restartPolicy, `${path}.restartPolicy`, RESTART_POLICIES),
    ...oneOf(spec.dnsPolicy, `${path}.dnsPolicy`, DNS_POLICIES),
    ...placementErrors(spec, path),
    ...named(spec.serviceAccountName, `${path}.serviceAccountName`, subdomainFaults),
    ...named(spec.nodeName, `${path}.nodeName`, subdomainFaults),
    ...(deadline === undefined || (deadline >= 1 && deadline <= DEADLINE_LAST)
      ? []
      : [invalidValue(`${path}.activeDeadlineSeconds`, deadline, DEADLINE_RULE)]),
    ...named(spec.hostname, `${path}.hostname`, labelNameFaults),
    ...named(spec.subdomain, `${path}.subdomain`, labelNameFaults),
    ...tolerationsErrors(spec.tolerations ?? [], `${path}.tolerations`),
    ...named(spec.priorityClassName, `${path}.priorityClassName`, subdomainFaults),
    ...named(spec.runtimeClassName, `${path}.runtimeClassName`, subdomainFaults),
    ...(preemptionPolicy === undefined
      ? []
      : oneOf(preemptionPolicy, `${path}.preemptionPolicy`, PREEMPTION_POLICIES)),
    ...(overhead ? containerResourcesErrors({ limits: overhead }, `${path}.overhead`) : []),
  ];
}

const DEADLINE_RULE = `must be between 1 and ${DEADLINE_LAST}, inclusive`;

/**
 * @param {string | undefined} name
 * @param {string} field
 * @param {(name: string) => string[]} faultsOf
 */
function named(name, field, faultsOf) {
  return name ? faultsOf(name).map((fault) => invalidValue(field, name, fault)) : [];
}

/**
 * A pod with users of its own cannot use namespaces of the host.
 * @param {any} spec
 * @param {string} path
 * @returns {FieldError[]}
 */
function hostUsersErrors(spec, path) {
  if (spec.hostUsers !== false) return [];
  const names = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name]);
  return names.map((name) => ({
    ...forbiddenField(`${path}.${name}`, 'when `hostUsers` is false'),
    ...(name === 'hostNetwork' && { gate: 'UserNamespacesHostNetworkSupport' }),
  }));
}

/**
 * A pod on the host network uses the host's ports.
 * @param {any} spec
 * @param {string} field
 * @returns {FieldError[]}
 */
function hostNetworkErrors({ hostNetwork, containers }, field) {
  if (!hostNetwork) return [];
  const detail = 'must match `containerPort` when `hostNetwork` is true';
  return itemsIn(containers).flatMap(({ ports = [] }, container) =>
    ports.flatMap((/** @type {any} */ port, /** @type {number} */ index) => {
      const { hostPort = 0, containerPort = 0 } = port;
      if (hostPort === 0 || hostPort === containerPort) return [];
      return [invalidValue(`${field}[${container}].ports[${index}].hostPort`, hostPort, detail)];
    }),
  );
}

/**
 * @param {any[]} claims
 * @param {string} field
 * @returns {FieldError[]}
 */
function resourceClaimsErrors(claims, field) {
  const names = new Set();
  const both = '`resourceClaimName` or `resourceClaimTemplateName`';
  return claims.flatMap(({ name = '', resourceClaimName, resourceClaimTemplateName }, index) => {
    const path = `${field}[${index}]`;
    const [claim, template] = [resourceClaimName ?? null, resourceClaimTemplateName ?? null];
    const whole = { Name: name, ResourceClaimName: claim, ResourceClaimTemplateName: template };
    const isTwice = name !== '' && names.has(name);
    names.add(name);
    return [
      ...(isTwice ? [duplicate(`${path}.name`, name)] : nameErrors(name, `${path}.name`)),
      ...(claim !== null && template !== null
        ? [invalidValue(path, whole, `at most one of ${both} may be specified`)]
        : []),
      ...(claim === null && template === null
        ? [invalidValue(path, whole, `must specify one of: ${both.replace(' or ', ', ')}`)]
        : []),
      ...named(claim, `${path}.resourceClaimName`, subdomainFaults),
      ...named(template, `${path}.resourceClaimTemplateName`, subdomainFaults),
    ];
  });
}

/**
 * Returns the volumes that containers may refer to, and the errors of the others.
 * @param {any[]} list
 * @param {string} field
 * @param {string} podName '' if it is not known yet
 */
function checkedVolumes(list, field, podName) {
  const ephemeral = podName === '' ? [] : list.filter((volume) => volume.ephemeral);
  const made = new Set(ephemeral.map(({ name }) => `${podName}-${name}`));
  const volumes = new Map();
  const errors = list.flatMap((volume, index) => {
    const path = `${field}[${index}]`;
    const { name = '' } = volume;
    const claimName = volume.persistentVolumeClaim?.claimName;
    const faults = [
      ...sourcesErrors(volume, path),
      ...nameErrors(name, `${path}.name`),
      ...(volumes.has(name) ? [duplicate(`${path}.name`, name)] : []),
    ];
    if (faults.length === 0) volumes.set(name, volume);
    const detail = 'must not reference a PVC that gets created for an ephemeral volume';
    const at = `${path}.persistentVolumeClaim.claimName`;
    return made.has(claimName) ? [...faults, invalidValue(at, claimName, detail)] : faults;
  });
  return { volumes, errors };
}

/**
 * A volume has exactly one source, counted in the order of the type's fields.
 * @param {any} volume
 * @param {string} path
 * @returns {FieldError[]}
 */
function sourcesErrors({ name: _name, ...sources }, path) {
  const [first, ...others] = Object.keys(sources).sort(
    (a, b) => VOLUME_SOURCES.indexOf(a) - VOLUME_SOURCES.indexOf(b),
  );
  const detail = 'may not specify more than 1 volume type';
  const { persistentVolumeClaim: claim, hostPath, ephemeral } = sources;
  return [
    ...(sources[first] === null ? [required(path, 'must specify a volume type')] : []),
    ...(first === 'hostPath' && !hostPath.path ? [required(`${path}.hostPath.path`)] : []),
    ...(first === 'persistentVolumeClaim' && !claim.claimName
      ? [required(`${path}.persistentVolumeClaim.claimName`)]
      : []),
    ...(first === 'ephemeral' ? ephemeralErrors(ephemeral, `${path}.ephemeral`) : []),
    ...others.map((other) => forbiddenField(`${path}.${other}`, detail)),
  ];
}

/**
 * @param {any} volume
 * @param {string} path
 */
function ephemeralErrors({ volumeClaimTemplate: template }, path) {
  const field = `${path}.volumeClaimTemplate`;
  return template ? claimSpecErrors(template.spec ?? {}, `${field}.spec`) : [required(field)];
}

const UPDATABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
  '`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} old
 * @param {{ subresource: string }} context
 * @returns {FieldError[]}
 */
export function podUpdateErrors({ spec }, { spec: old }, { subresource }) {
  if (subresource === 'resize') return podResizeErrors(spec, old);
  if (spec.containers?.length !== old.containers.length) {
    return [forbiddenField('spec.containers', 'pod updates may not add or remove containers')];
  }
  const errors = [
    ...gateUpdateErrors(spec, old),
    ...tolerationUpdateErrors(spec, old),
    ...deadlineUpdateErrors(spec, old),
    ...(isGated(old) ? gatedPlacementErrors(spec, old) : []),
  ];
  if (errors.length > 0 || isEqual(withChanges(spec, old), old)) return errors;
  return [forbiddenField('spec', `pod updates may not change fields other than ${UPDATABLE}`)];
}

/**
 * Returns the new spec with all mutable fields as in the old one.
 * @param {any} spec
 * @param {any} old
 */
function withChanges(spec, old) {
  const { activeDeadlineSeconds, tolerations, schedulingGates } = old;
  const isToOne = old.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: withImages(spec.containers, old.containers),
    initContainers: withImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds,
    tolerations,
    schedulingGates,
    ...(isGated(old) && withoutPlacement(spec, old)),
    ...(isToOne && { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds }),
  };
}

/**
 * @param {any[] | undefined} containers
 * @param {any[] | undefined} old
 */
function withImages(containers, old) {
  return containers?.map((container, index) => {
    const image = old?.[index]?.image;
    return image === undefined ? container : { ...container, image };
  });
}

/** @param {any} spec of a pod */
function isGated({ schedulingGates }) {
  return schedulingGates?.length > 0;
}

/**
 * A deadline may be set once, and shortened.
 * @param {any} spec
 * @param {any} old
 */
function deadlineUpdateErrors({ activeDeadlineSeconds: next }, { activeDeadlineSeconds: before }) {
  if (before === undefined || next <= before) return [];
  const detail =
    next === undefined
      ? 'must not update from a positive integer to nil value'
      : 'must be less than or equal to previous value';
  return [invalidValue('spec.activeDeadlineSeconds', next, detail)];
}

/**
 * @param {any} spec
 * @param {any} old
 */
function gateUpdateErrors({ schedulingGates = [] }, old) {
  const names = new Set((old.schedulingGates ?? []).map((/** @type {any} */ { name }) => name));
  const added = schedulingGates.filter((/** @type {any} */ { name }) => !names.has(name));
  return added.map((/** @type {any} */ { name }, /** @type {number} */ index) =>
    forbiddenField(
      `spec.schedulingGates[${index}].name`,
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    ),
  );
}

/**
 * Existing tolerations stay, except for their seconds; new ones may be added.
 * @param {any} spec
 * @param {any} old
 */
function tolerationUpdateErrors({ tolerations = [] }, old) {
  const textOf = (/** @type {any} */ { key, operator, value, effect }) =>
    JSON.stringify([key, operator, value, effect]);
  const kept = new Set(tolerations.map(textOf));
  const isKept = (old.tolerations ?? []).every((/** @type {any} */ one) => kept.has(textOf(one)));
  if (isKept) return [];
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return [forbiddenField('spec.tolerations', detail)];
}
