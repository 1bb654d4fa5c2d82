/** Workloads with their pods, as a cluster has them: every kind, with all of its owners. */
import { storedPod } from './objects.js';

const API = { Job: 'batch/v1', CronJob: 'batch/v1' };

/**
 * A workload as a person writes it.
 * @param {string} kind
 * @param {string} name
 * @param {{ cpu?: string, image?: string, spec?: object, podSpec?: object }} [options]
 */
export function makeWorkload(
  kind,
  name,
  { cpu = '1', image = 'app:v2', spec = {}, podSpec = {} } = {},
) {
  const labels = { app: name };
  const containers = [{ name: 'main', image, resources: { requests: { cpu } } }];
  const restart = API[kind] && { restartPolicy: 'Never' };
  const template = { metadata: { labels }, spec: { containers, ...restart, ...podSpec } };
  const selector = { matchLabels: labels };
  const own = {
    Job: { template, ...spec },
    CronJob: { schedule: '* * * * *', jobTemplate: { spec: { template, ...spec } } },
  };
  return {
    apiVersion: API[kind] ?? 'apps/v1',
    kind,
    metadata: { name },
    spec: own[kind] ?? { selector, template, ...spec },
  };
}

/**
 * An object as a cluster has it, with its controller.
 * @param {any} object
 * @param {any} [owner]
 */
export function owned(object, owner) {
  const { kind, metadata } = object;
  const ownerReferences = owner && [referenceTo(owner)];
  const uid = `u-${kind}-${metadata.name}`;
  return { ...object, metadata: { namespace: 'default', uid, ...metadata, ownerReferences } };
}

/**
 * A pod of a workload, on a node where one is given.
 * @param {string} name
 * @param {any} owner
 * @param {{ cpu?: string, node?: string, labels?: object, created?: string, spec?: object }}
 *   [options]
 */
export function podOf(name, owner, { cpu = '1', node, labels = {}, created, spec = {} } = {}) {
  const creationTimestamp = created ?? '2026-01-10T08:30:00Z';
  return storedPod(name, {
    cpu,
    metadata: {
      creationTimestamp,
      labels: { ...owner.spec?.template?.metadata?.labels, ...labels },
      ownerReferences: [referenceTo(owner)],
    },
    spec: { ...spec, ...(node && { nodeName: node }) },
    status: { phase: node ? 'Running' : 'Pending' },
  });
}

/**
 * A ReplicaSet of a Deployment.
 * @param {any} deployment
 * @param {string} hash
 * @param {{ replicas?: number, revision?: number }} [options]
 */
export function replicaSetOf(deployment, hash, { replicas = 1, revision = 1 } = {}) {
  const { template, selector } = deployment.spec;
  const labels = { ...template.metadata.labels, 'pod-template-hash': hash };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      labels,
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    },
    spec: { replicas, selector, template: { ...template, metadata: { labels } } },
  };
  return owned(set, deployment);
}

/** @param {any} owner */
function referenceTo({ apiVersion, kind, metadata: { name, uid } }) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
