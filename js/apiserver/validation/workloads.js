/**
 * Workloads.
 * Counterpart: pkg/apis/apps/validation and pkg/apis/batch/validation, v1.36.
 */
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../src/kubernetes/field_errors.js';
import { isEqual } from '../frozen.js';
import { labelSelectorOf } from '../../src/kubernetes/label_selector.js';
import { jobPolicyErrors } from './job_policies.js';
import { jobSelectorErrors } from './job_selector.js';
import { labelErrors } from './object_meta.js';
import { podSpecErrors } from './pod.js';
import { selectorErrors } from './scheduling.js';
import {
  daemonSetStrategyErrors,
  deploymentStrategyErrors,
  statefulSetStrategyErrors,
} from './update_strategies.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FieldError } from '../../src/kubernetes/field_errors.js'
 */

const ONLY_ALWAYS = ['Always'];
const OF_JOBS = ['OnFailure', 'Never'];
const POD_MANAGEMENT = ['OrderedReady', 'Parallel'];
const POD_MANAGEMENT_RULE = `must be '${POD_MANAGEMENT.join("' or '")}'`;
const RETENTION = ['Retain', 'Delete'];
const IMMUTABLE = 'field is immutable';

/** @param {KubernetesObject} deployment */
export function deploymentErrors({ spec }) {
  return [
    ...selectingErrors(spec, 'deployment'),
    ...deploymentStrategyErrors(spec.strategy, 'spec.strategy'),
    ...deadlineErrors(spec),
    ...endlessErrors(spec.template, 'ReplicaSet'),
  ];
}

/** @param {any} spec of a Deployment */
function deadlineErrors({ progressDeadlineSeconds: deadline, minReadySeconds = 0 }) {
  const field = 'spec.progressDeadlineSeconds';
  if (deadline === undefined) return [];
  return [
    ...notNegative(deadline, field),
    ...(deadline > minReadySeconds
      ? []
      : [invalidValue(field, deadline, 'must be greater than minReadySeconds')]),
  ];
}

/** @param {KubernetesObject} replicaSet */
export function replicaSetErrors({ spec }) {
  return [...selectingErrors(spec, 'replicaset'), ...endlessErrors(spec.template, 'ReplicaSet')];
}

/**
 * Pods that are always replaced have no deadline.
 * @param {any} template
 * @param {string} kind in messages
 */
function endlessErrors(template, kind) {
  const field = 'spec.template.spec.activeDeadlineSeconds';
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  return template?.spec?.activeDeadlineSeconds === undefined ? [] : [forbiddenField(field, detail)];
}

/** @param {KubernetesObject} daemonSet */
export function daemonSetErrors({ spec }) {
  return [
    ...selectingErrors(spec, 'daemonset'),
    ...daemonSetStrategyErrors(spec.updateStrategy, 'spec.updateStrategy'),
    ...endlessErrors(spec.template, 'DaemonSet'),
  ];
}

/** @param {KubernetesObject} statefulSet */
export function statefulSetErrors({ spec }) {
  const policy = spec.podManagementPolicy;
  const retention = 'persistentVolumeClaimRetentionPolicy';
  return [
    ...(POD_MANAGEMENT.includes(policy)
      ? []
      : [invalidValue('spec.podManagementPolicy', policy, POD_MANAGEMENT_RULE)]),
    ...statefulSetStrategyErrors(spec.updateStrategy, 'spec.updateStrategy'),
    ...['whenDeleted', 'whenScaled']
      .filter((name) => !RETENTION.includes(spec[retention][name]))
      .map((name) => notSupported(`spec.${retention}.${name}`, spec[retention][name], RETENTION)),
    ...notNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    ...selectingErrors({ ...spec, template: withClaims(spec) }, 'statefulset'),
    ...endlessErrors(spec.template, 'StatefulSet'),
  ];
}

/**
 * Returns the template with the volumes that its pods get from the claims.
 * @param {any} spec of a StatefulSet
 */
function withClaims({ template, volumeClaimTemplates = [] }) {
  const claims = volumeClaimTemplates.map((/** @type {any} */ { metadata }) => ({
    name: metadata?.name,
    persistentVolumeClaim: { claimName: metadata?.name },
  }));
  const names = new Set(claims.map((/** @type {any} */ { name }) => name));
  const own = template.spec.volumes ?? [];
  const others = own.filter((/** @type {any} */ { name }) => !names.has(name));
  return { ...template, spec: { ...template.spec, volumes: [...others, ...claims] } };
}

/** @param {KubernetesObject} controller */
export function replicationControllerErrors({ spec }) {
  const { selector = {}, template } = spec;
  const field = 'spec.selector';
  return [
    ...countErrors(spec),
    ...(Object.keys(selector).length === 0 ? [required(field)] : []),
    ...(template
      ? templateErrors(template, { matchLabels: selector })
      : [required('spec.template')]),
    ...endlessErrors(template, 'ReplicationController'),
  ];
}

/**
 * Validates what all kinds share whose selector has to match their template.
 * @param {any} spec
 * @param {string} name in messages
 */
function selectingErrors(spec, name) {
  const { selector, template } = spec;
  const field = 'spec.selector';
  const { isEmpty, fault } = labelSelectorOf(selector);
  return [
    ...countErrors(spec),
    ...(selector ? selectorErrors(selector, field) : [required(field)]),
    ...(isEmpty ? [invalidValue(field, selector, `empty selector is invalid for ${name}`)] : []),
    ...(fault === null
      ? templateErrors(template, selector)
      : [invalidValue(field, selector, 'invalid label selector')]),
  ];
}

/** @param {any} spec */
function countErrors({ replicas, minReadySeconds, revisionHistoryLimit }) {
  return Object.entries({ replicas, minReadySeconds, revisionHistoryLimit }).flatMap(
    ([name, value]) => notNegative(value, `spec.${name}`),
  );
}

/**
 * @param {number | null | undefined} value
 * @param {string} field
 * @returns {FieldError[]}
 */
export function notNegative(value, field) {
  if (value === undefined || value === null || value >= 0) return [];
  return [invalidValue(field, value, 'must be greater than or equal to 0')];
}

/**
 * @param {any} template
 * @param {any} selector
 */
function templateErrors(template, selector) {
  const { metadata, spec } = template;
  const path = 'spec.template';
  const labels = metadata?.labels ?? {};
  const isMatched = !selector || labelSelectorOf(selector).matches(labels);
  const policy = spec.restartPolicy;
  return [
    ...(isMatched
      ? []
      : [
          invalidValue(
            `${path}.metadata.labels`,
            labels,
            '`selector` does not match template `labels`',
          ),
        ]),
    ...labelErrors(labels, `${path}.labels`),
    ...templateSpecErrors(spec, `${path}.spec`),
    ...(policy === 'Always'
      ? []
      : [notSupported(`${path}.spec.restartPolicy`, policy, ONLY_ALWAYS)]),
  ];
}

/**
 * @param {any} spec of the pods
 * @param {string} path
 */
function templateSpecErrors(spec, path) {
  const detail = 'ephemeral containers not allowed in pod template';
  return [
    ...podSpecErrors(spec, path),
    ...(spec.ephemeralContainers?.length > 0
      ? [forbiddenField(`${path}.ephemeralContainers`, detail)]
      : []),
  ];
}

/** @param {KubernetesObject} job */
export function jobErrors({ spec }) {
  return [...jobSpecErrors(spec, 'spec'), ...jobSelectorErrors(spec)];
}

const JOB_COUNTS = [
  ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit'],
  ...['ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'],
];

/**
 * @param {any} spec of a job
 * @param {string} path
 */
export function jobSpecErrors(spec, path) {
  return [
    ...JOB_COUNTS.flatMap((name) => notNegative(spec[name], `${path}.${name}`)),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...jobPolicyErrors(spec, path),
    ...jobTemplateErrors(spec, path),
  ];
}

/**
 * @param {any} spec of a job
 * @param {string} path
 */
function jobTemplateErrors({ template, podFailurePolicy }, path) {
  const at = `${path}.template.spec`;
  const spec = template?.spec;
  if (!spec) return [required(`${at}.containers`)];
  const policy = spec.restartPolicy;
  const isAlways = policy === 'Always' || !policy;
  const field = `${at}.restartPolicy`;
  return [
    ...labelErrors(template.metadata?.labels ?? {}, `${path}.template.labels`),
    ...templateSpecErrors(spec, at),
    ...(isAlways ? [required(field, 'valid values: "OnFailure", "Never"')] : []),
    ...(isAlways || OF_JOBS.includes(policy) ? [] : [notSupported(field, policy, OF_JOBS)]),
    ...(podFailurePolicy && policy === 'OnFailure'
      ? [
          invalidValue(
            field,
            policy,
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
  ];
}

/**
 * @param {KubernetesObject} object
 * @param {KubernetesObject} old
 */
export function selectorUpdateErrors({ spec }, { spec: old }) {
  return unchanged(spec, old, ['selector']);
}

/**
 * @param {KubernetesObject} job
 * @param {KubernetesObject} old
 */
export function jobUpdateErrors({ spec }, { spec: old }) {
  const canScale = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  return unchanged(spec, old, [
    ...(canScale ? [] : ['completions']),
    'selector',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ]);
}

/**
 * @param {any} spec
 * @param {any} old
 * @param {string[]} names
 */
function unchanged(spec, old, names) {
  return names
    .filter((name) => !isEqual(spec[name], old[name]))
    .map((name) => invalidValue(`spec.${name}`, spec[name], IMMUTABLE));
}

const STATEFUL_SET_UPDATABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/**
 * @param {KubernetesObject} statefulSet
 * @param {KubernetesObject} old
 */
export function statefulSetUpdateErrors({ spec }, { spec: old }) {
  const others = (/** @type {any} */ one) =>
    Object.fromEntries(
      Object.entries(one).filter(([name]) => !STATEFUL_SET_UPDATABLE.includes(name)),
    );
  if (isEqual(others(spec), others(old))) return [];
  const [last, ...rest] = STATEFUL_SET_UPDATABLE.map((name) => `'${name}'`).reverse();
  const detail =
    `updates to statefulset spec for fields other than ${rest.reverse().join(', ')} and ${last} ` +
    'are forbidden';
  return [forbiddenField('spec', detail)];
}
