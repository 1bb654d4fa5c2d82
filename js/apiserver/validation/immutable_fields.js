/**
 * Fields that updates of configuration, permissions and attachments must not change.
 * Counterpart: the validation packages of pkg/apis in v1.36.
 */
import { forbiddenField, invalidValue } from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const IMMUTABLE = 'field is immutable';
const WHEN_SET = 'field is immutable when `immutable` is set';

/**
 * @param {KubernetesObject} configMap
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function configMapUpdateErrors(configMap, old) {
  if (old.immutable !== true) return [];
  return [
    ...(configMap.immutable === true ? [] : [forbiddenField('immutable', WHEN_SET)]),
    ...['data', 'binaryData']
      .filter((name) => !isEqual(configMap[name] ?? {}, old[name] ?? {}))
      .map((name) => forbiddenField(name, WHEN_SET)),
  ];
}

/**
 * @param {KubernetesObject} secret
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function secretUpdateErrors(secret, old) {
  const { type } = secret;
  return [
    ...(type === old.type ? [] : [invalidValue('type', type, IMMUTABLE)]),
    ...configMapUpdateErrors(secret, old),
  ];
}

/**
 * @param {KubernetesObject} binding a RoleBinding or ClusterRoleBinding
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function roleBindingUpdateErrors({ roleRef = {} }, old) {
  if (isEqual(roleRef, old.roleRef ?? {})) return [];
  const { apiGroup = '', kind = '', name = '' } = roleRef;
  const whole = { APIGroup: apiGroup, Kind: kind, Name: name };
  return [invalidValue('roleRef', whole, 'cannot change roleRef')];
}

/**
 * @param {KubernetesObject} revision
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function controllerRevisionUpdateErrors({ data }, old) {
  return isEqual(data, old.data) ? [] : [invalidValue('data', data, IMMUTABLE)];
}

/**
 * @param {KubernetesObject} attachment
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function volumeAttachmentUpdateErrors({ spec }, old) {
  return isEqual(spec, old.spec) ? [] : [invalidValue('spec', spec, IMMUTABLE)];
}

/**
 * @param {KubernetesObject} ingressClass
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function ingressClassUpdateErrors({ spec }, old) {
  const { controller } = spec ?? {};
  if (controller === old.spec?.controller) return [];
  return [invalidValue('spec.controller', controller, IMMUTABLE)];
}

/**
 * @param {KubernetesObject} node
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function nodeUpdateErrors({ spec = {} }, { spec: old = {} }) {
  const detail = (/** @type {string} */ name) =>
    `node updates may not change ${name} except from "" to valid`;
  const ranges = (/** @type {any} */ { podCIDRs, podCIDR }) =>
    podCIDRs ?? (podCIDR ? [podCIDR] : []);
  const hasRanges = ranges(old).length > 0;
  return [
    ...(hasRanges && !isEqual(ranges(spec), ranges(old))
      ? [forbiddenField('spec.podCIDRs', detail('podCIDR'))]
      : []),
    ...(old.providerID && spec.providerID !== old.providerID
      ? [forbiddenField('spec.providerID', detail('providerID'))]
      : []),
  ];
}

/**
 * @param {KubernetesObject} service
 * @param {KubernetesObject} old
 * @returns {FieldError[]}
 */
export function serviceUpdateErrors({ spec }, { spec: old }) {
  const isNamed = spec.type === 'ExternalName' || old.type === 'ExternalName';
  if (isNamed || !old.clusterIP || spec.clusterIP === old.clusterIP) return [];
  return [invalidValue('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set')];
}
