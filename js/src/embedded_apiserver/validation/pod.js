/**
 * Pods, and the specs in their templates.
 * Counterpart: `ValidatePodSpec` and `ValidatePodUpdate` of pkg/apis/core/validation, v1.36.
 */
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../field_errors.js';
import { isEqual } from '../frozen.js';
import { containersErrors, nameErrors, resourcesErrors } from './containers.js';
import { subdomainFaults } from './names.js';
import { podResizeErrors } from './pod_resize.js';
import { schedulingErrors } from './scheduling.js';

/**
 * @import { KubernetesObject } from '../../types.js'
 * @import { FieldError } from '../field_errors.js'
 */

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const DEADLINE_LAST = 2 ** 31 - 1;

/** @param {KubernetesObject} pod */
export function podErrors({ spec }) {
  return podSpecErrors(spec, 'spec');
}

/**
 * @param {any} spec
 * @param {string} path
 * @returns {FieldError[]}
 */
export function podSpecErrors(spec, path) {
  const { restartPolicy, dnsPolicy, activeDeadlineSeconds: deadline } = spec;
  return [
    ...volumesErrors(spec.volumes ?? [], `${path}.volumes`),
    ...containersErrors(spec, path),
    ...(spec.resources ? resourcesErrors(spec.resources, `${path}.resources`) : []),
    ...(RESTART_POLICIES.includes(restartPolicy)
      ? []
      : [notSupported(`${path}.restartPolicy`, restartPolicy, RESTART_POLICIES)]),
    ...(DNS_POLICIES.includes(dnsPolicy)
      ? []
      : [notSupported(`${path}.dnsPolicy`, dnsPolicy, DNS_POLICIES)]),
    ...(deadline === undefined || (deadline >= 1 && deadline <= DEADLINE_LAST)
      ? []
      : [
          invalidValue(
            `${path}.activeDeadlineSeconds`,
            deadline,
            `must be between 1 and ${DEADLINE_LAST}, inclusive`,
          ),
        ]),
    ...subdomainErrors(spec.nodeName, `${path}.nodeName`),
    ...subdomainErrors(spec.schedulerName, `${path}.schedulerName`),
    ...subdomainErrors(spec.priorityClassName, `${path}.priorityClassName`),
    ...schedulingErrors(spec, path),
  ];
}

/**
 * @param {string | undefined} name
 * @param {string} field
 */
function subdomainErrors(name, field) {
  if (!name) return [];
  return subdomainFaults(name).map((fault) => invalidValue(field, name, fault));
}

/**
 * @param {any[]} volumes
 * @param {string} field
 */
function volumesErrors(volumes, field) {
  const names = volumes.map(({ name }) => name);
  return volumes.flatMap(({ name, persistentVolumeClaim: claim, ...source }, index) => {
    const path = `${field}[${index}]`;
    const claimName = `${path}.persistentVolumeClaim.claimName`;
    const sources = Object.keys(source);
    return [
      ...nameErrors(name, `${path}.name`),
      ...(name && names.indexOf(name) < index ? [duplicate(`${path}.name`, name)] : []),
      ...(claim && !claim.claimName ? [required(claimName)] : []),
      ...sources
        .slice(claim ? 0 : 1)
        .map((other) =>
          forbiddenField(`${path}.${other}`, 'may not specify more than 1 volume type'),
        ),
    ];
  });
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
  const errors = [...gateUpdateErrors(spec, old), ...tolerationUpdateErrors(spec, old)];
  if (errors.length > 0 || isEqual(withChanges(spec, old), old)) return errors;
  return [forbiddenField('spec', `pod updates may not change fields other than ${UPDATABLE}`)];
}

/**
 * The spec with everything that may change as it was.
 * @param {any} spec
 * @param {any} old
 */
function withChanges(spec, old) {
  const { activeDeadlineSeconds, tolerations, schedulingGates } = old;
  const isToOne = old.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1;
  const isGated = old.schedulingGates?.length > 0;
  const { nodeSelector, affinity } = isGated ? old : spec;
  return {
    ...spec,
    containers: withImages(spec.containers, old.containers),
    initContainers: withImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds,
    tolerations,
    schedulingGates,
    nodeSelector,
    affinity,
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

/**
 * @param {any} spec
 * @param {any} old
 */
function gateUpdateErrors({ schedulingGates = [] }, old) {
  const names = (old.schedulingGates ?? []).map((/** @type {any} */ { name }) => name);
  const added = schedulingGates.filter((/** @type {any} */ { name }) => !names.includes(name));
  return added.map((/** @type {any} */ { name }, /** @type {number} */ index) =>
    forbiddenField(
      `spec.schedulingGates[${index}].name`,
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    ),
  );
}

/**
 * Tolerations stay, but for their seconds; others may come.
 * @param {any} spec
 * @param {any} old
 */
function tolerationUpdateErrors({ tolerations = [] }, old) {
  const isKept = (old.tolerations ?? []).every((/** @type {any} */ before) =>
    tolerations.some((/** @type {any} */ one) =>
      isEqual({ ...one, tolerationSeconds: 0 }, { ...before, tolerationSeconds: 0 }),
    ),
  );
  if (isKept) return [];
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return [forbiddenField('spec.tolerations', detail)];
}
