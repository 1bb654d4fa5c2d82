/**
 * Volumes, claims and their classes.
 * Counterpart: pkg/apis/core/validation and pkg/apis/storage/validation, v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import { parseQuantity } from '../../src/kubernetes/quantity.js';
import { isEqual } from '../frozen.js';
import { unsupported } from './container_fields.js';
import { nodeSelectorErrors, selectorErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const ONE_POD = 'ReadWriteOncePod';
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', ONE_POD];
const VOLUME_MODES = ['Block', 'Filesystem'];
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
const CLASS_RECLAIM_POLICIES = ['Delete', 'Retain'];
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer'];
const IMMUTABLE = 'field is immutable';

/** The fields of a PersistentVolume's spec that are not sources. */
const VOLUME_FIELDS = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

/** @param {KubernetesObject} claim */
export function claimErrors({ spec = {} }) {
  return claimSpecErrors(spec, 'spec');
}

/**
 * @param {any} spec of a claim, or of the template of one
 * @param {string} path
 * @returns {FieldError[]}
 */
export function claimSpecErrors(spec, path) {
  const modes = `${path}.accessModes`;
  return [
    ...(spec.accessModes?.length ? [] : [required(modes, 'at least 1 access mode is required')]),
    ...selectorErrors(spec.selector, `${path}.selector`),
    ...accessModesErrors(spec.accessModes ?? [], modes),
    ...storageErrors(spec.resources?.requests?.storage, `${path}.resources[storage]`),
    ...unsupported(spec.volumeMode, `${path}.volumeMode`, VOLUME_MODES),
  ];
}

/**
 * @param {string | undefined} quantity
 * @param {string} field
 */
function storageErrors(quantity, field) {
  if (quantity === undefined) return [required(field)];
  const isPositive = (parseQuantity(quantity) ?? 0n) > 0n;
  return isPositive ? [] : [invalidValue(field, quantity, 'must be greater than zero')];
}

/**
 * @param {string[]} modes
 * @param {string} field
 * @returns {FieldError[]}
 */
function accessModesErrors(modes, field) {
  const others = modes.filter((mode) => !ACCESS_MODES.includes(mode));
  const isOfOnePod = modes.includes(ONE_POD);
  const isShared = modes.some((mode) => mode !== ONE_POD && ACCESS_MODES.includes(mode));
  const detail = `may not use ${ONE_POD} with other access modes`;
  return [
    ...others.map((mode) => notSupported(field, mode, ACCESS_MODES)),
    ...(isOfOnePod && isShared ? [forbiddenField(field, detail)] : []),
  ];
}

/**
 * A claim's volume is set once, and its class may be set later.
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} old
 */
export function claimUpdateErrors({ spec, status }, { spec: old, status: before }) {
  const isBound = status?.phase === 'Bound';
  const same = {
    ...spec,
    ...(!old.volumeName && { volumeName: old.volumeName }),
    ...(old.storageClassName === undefined && { storageClassName: undefined }),
    ...(isBound && {
      resources: old.resources,
      volumeAttributesClassName: old.volumeAttributesClassName,
    }),
  };
  if (isEqual(same, old)) return isBound ? shrinkErrors(spec, old, before) : [];
  const detail =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName ' +
    'for bound claims';
  return [forbiddenField('spec', detail)];
}

/**
 * An expansion that failed may be reduced, but not to the present capacity.
 * @param {any} spec
 * @param {any} old
 * @param {any} status
 */
function shrinkErrors(spec, old, status) {
  const size = (/** @type {any} */ resources) => parseQuantity(resources?.storage ?? 0) ?? 0n;
  const next = size(spec.resources?.requests);
  if (next >= size(old.resources?.requests) || next > size(status?.capacity)) return [];
  const field = 'spec.resources.requests.storage';
  return [forbiddenField(field, 'field can not be less than status.capacity')];
}

/** @param {any} spec of a PersistentVolume */
function sourcesOf(spec) {
  return Object.keys(spec).filter((name) => !VOLUME_FIELDS.has(name));
}

/** @param {KubernetesObject} volume */
export function persistentVolumeErrors({ spec }) {
  const { capacity, persistentVolumeReclaimPolicy: policy, nodeAffinity } = spec;
  const [source, ...others] = sourcesOf(spec);
  const affinity = 'spec.nodeAffinity';
  return [
    ...(spec.accessModes?.length ? [] : [required('spec.accessModes')]),
    ...accessModesErrors(spec.accessModes ?? [], 'spec.accessModes'),
    ...(capacity?.storage === undefined ? [required('spec.capacity')] : []),
    ...(RECLAIM_POLICIES.includes(policy)
      ? []
      : [notSupported('spec.persistentVolumeReclaimPolicy', policy, RECLAIM_POLICIES)]),
    ...(source ? [] : [required('spec', 'must specify a volume type')]),
    ...others.map((name) =>
      forbiddenField(`spec.${name}`, 'may not specify more than 1 volume type'),
    ),
    ...(source === 'local' && !nodeAffinity?.required
      ? [required(affinity, 'Local volume requires node affinity')]
      : []),
    ...(nodeAffinity?.required
      ? nodeSelectorErrors(nodeAffinity.required, `${affinity}.required`)
      : []),
    ...unsupported(spec.volumeMode, 'spec.volumeMode', VOLUME_MODES),
  ];
}

/**
 * @param {KubernetesObject} volume
 * @param {KubernetesObject} old
 */
export function persistentVolumeUpdateErrors({ spec }, { spec: old }) {
  const source = (/** @type {any} */ one) =>
    Object.fromEntries(sourcesOf(one).map((name) => [name, one[name]]));
  /** @type {FieldError[]} */
  const errors = [];
  if (!isEqual(source(spec), source(old))) {
    const detail = 'spec.persistentvolumesource is immutable after creation';
    errors.push(forbiddenField('spec.persistentvolumesource', detail));
  }
  if (spec.volumeMode !== old.volumeMode) {
    errors.push(invalidValue('spec.volumeMode', spec.volumeMode, IMMUTABLE));
  }
  if (old.nodeAffinity && !isEqual(spec.nodeAffinity, old.nodeAffinity)) {
    const detail = `${IMMUTABLE}, except for updating from beta label to GA`;
    const error = invalidValue('spec.nodeAffinity', spec.nodeAffinity, detail);
    errors.push({ ...error, gate: 'MutablePVNodeAffinity' });
  }
  return errors;
}

/** @param {KubernetesObject} storageClass */
export function storageClassErrors({ provisioner, reclaimPolicy, volumeBindingMode }) {
  return [
    ...(provisioner ? [] : [required('provisioner')]),
    ...(!reclaimPolicy || CLASS_RECLAIM_POLICIES.includes(reclaimPolicy)
      ? []
      : [notSupported('reclaimPolicy', reclaimPolicy, CLASS_RECLAIM_POLICIES)]),
    ...(BINDING_MODES.includes(volumeBindingMode)
      ? []
      : [notSupported('volumeBindingMode', volumeBindingMode, BINDING_MODES)]),
  ];
}

/**
 * @param {KubernetesObject} storageClass
 * @param {KubernetesObject} old
 */
export function storageClassUpdateErrors(storageClass, old) {
  const forbidden = ['parameters', 'provisioner', 'reclaimPolicy']
    .filter((name) => !isEqual(storageClass[name] ?? {}, old[name] ?? {}))
    .map((name) => forbiddenField(name, `updates to ${name} are forbidden.`));
  const { volumeBindingMode } = storageClass;
  if (volumeBindingMode === old.volumeBindingMode) return forbidden;
  return [...forbidden, invalidValue('volumeBindingMode', volumeBindingMode, IMMUTABLE)];
}
