/**
 * The defaults of workloads.
 * Counterpart: pkg/apis/apps/v1/defaults.go, batch/v1/defaults.go and core/v1/defaults.go, v1.36.
 */
import { templateDefaults } from './pod_spec.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { FeatureGates } from '../feature_gates.js'
 */

const REVISIONS = 10;

/** @param {KubernetesObject} deployment */
export function deploymentDefaults(deployment) {
  const { spec = {} } = deployment;
  const type = spec.strategy?.type || 'RollingUpdate';
  const { rollingUpdate } = spec.strategy ?? {};
  const strategy =
    type === 'RollingUpdate'
      ? {
          type,
          rollingUpdate: {
            maxUnavailable: rollingUpdate?.maxUnavailable ?? '25%',
            maxSurge: rollingUpdate?.maxSurge ?? '25%',
          },
        }
      : { ...spec.strategy, type };
  return withSpec(deployment, {
    ...spec,
    replicas: spec.replicas ?? 1,
    template: templateDefaults(spec.template),
    strategy,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
  });
}

/** @param {KubernetesObject} replicaSet */
export function replicaSetDefaults(replicaSet) {
  const { spec = {} } = replicaSet;
  return withSpec(replicaSet, {
    ...spec,
    replicas: spec.replicas ?? 1,
    ...(spec.template && { template: templateDefaults(spec.template) }),
  });
}

/**
 * A controller without a selector selects by its template's labels.
 * @param {KubernetesObject} controller
 */
export function replicationControllerDefaults(controller) {
  const { metadata, spec = {} } = controller;
  const labels = spec.template?.metadata?.labels;
  const named = labels && !metadata.labels ? { ...metadata, labels } : metadata;
  return withSpec(
    { ...controller, metadata: named },
    {
      ...spec,
      replicas: spec.replicas ?? 1,
      ...(labels && !spec.selector && { selector: labels }),
      ...(spec.template && { template: templateDefaults(spec.template) }),
    },
  );
}

/**
 * @param {KubernetesObject} statefulSet
 * @param {{ gates?: FeatureGates }} context
 */
export function statefulSetDefaults(statefulSet, { gates }) {
  const { spec = {} } = statefulSet;
  const type = spec.updateStrategy?.type || 'RollingUpdate';
  const rollingUpdate = {
    partition: 0,
    ...(gates?.on.MaxUnavailableStatefulSet && { maxUnavailable: 1 }),
    ...spec.updateStrategy?.rollingUpdate,
  };
  const claims = spec.volumeClaimTemplates?.map(claimTemplateDefaults);
  return withSpec(statefulSet, {
    ...spec,
    replicas: spec.replicas ?? 1,
    template: templateDefaults(spec.template),
    ...(claims && { volumeClaimTemplates: claims }),
    podManagementPolicy: spec.podManagementPolicy || 'OrderedReady',
    updateStrategy: type === 'RollingUpdate' ? { type, rollingUpdate } : spec.updateStrategy,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
      ...spec.persistentVolumeClaimRetentionPolicy,
    },
  });
}

/** @param {any} claim */
function claimTemplateDefaults(claim) {
  return {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    ...claim,
    spec: { ...claim.spec, volumeMode: claim.spec?.volumeMode ?? 'Filesystem' },
    status: { ...claim.status, phase: claim.status?.phase ?? 'Pending' },
  };
}

/** @param {KubernetesObject} daemonSet */
export function daemonSetDefaults(daemonSet) {
  const { spec = {} } = daemonSet;
  const type = spec.updateStrategy?.type || 'RollingUpdate';
  const rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...spec.updateStrategy?.rollingUpdate };
  return withSpec(daemonSet, {
    ...spec,
    template: templateDefaults(spec.template),
    updateStrategy: type === 'RollingUpdate' ? { type, rollingUpdate } : spec.updateStrategy,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? REVISIONS,
  });
}

/** @param {KubernetesObject} job */
export function jobDefaults(job) {
  const { spec = {} } = job;
  const isSingle = spec.completions === undefined && spec.parallelism === undefined;
  return withSpec(job, {
    ...withStatuses(spec),
    ...(isSingle && { completions: 1 }),
    parallelism: spec.parallelism ?? 1,
    ...backoffLimit(spec),
    template: templateDefaults(spec.template),
    completionMode: spec.completionMode ?? 'NonIndexed',
    suspend: spec.suspend ?? false,
    manualSelector: spec.manualSelector ?? false,
    podReplacementPolicy:
      spec.podReplacementPolicy ?? (spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'),
  });
}

/**
 * Conditions of a failure policy have to be true, unless they say otherwise.
 * @param {any} spec of a job
 */
function withStatuses(spec) {
  if (!spec.podFailurePolicy?.rules) return spec;
  const rules = spec.podFailurePolicy.rules.map((/** @type {any} */ rule) => ({
    ...rule,
    ...(rule.onPodConditions && {
      onPodConditions: rule.onPodConditions.map((/** @type {any} */ pattern) => ({
        ...pattern,
        status: pattern.status || 'True',
      })),
    }),
  }));
  return { ...spec, podFailurePolicy: { ...spec.podFailurePolicy, rules } };
}

/** @param {any} spec of a job */
function backoffLimit({ backoffLimit: given, backoffLimitPerIndex }) {
  return { backoffLimit: given ?? (backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1) };
}

/** @param {KubernetesObject} cronJob */
export function cronJobDefaults(cronJob) {
  const { spec = {} } = cronJob;
  const { jobTemplate } = spec;
  const { spec: ofJobs } = jobTemplate ?? {};
  const template = templateDefaults(ofJobs?.template);
  return withSpec(cronJob, {
    ...spec,
    concurrencyPolicy: spec.concurrencyPolicy || 'Allow',
    suspend: spec.suspend ?? false,
    ...(template && {
      jobTemplate: { ...jobTemplate, spec: { ...withStatuses(ofJobs), template } },
    }),
    successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
    failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
  });
}

/**
 * @param {KubernetesObject} object
 * @param {object} spec
 */
function withSpec(object, spec) {
  return { ...object, spec };
}
