/**
 * Recreates ReplicaSets that a dump lacks: `kubectl get deployments,pods` leaves them out. Without
 * them a Deployment would create all its pods again.
 */
import { labelSelectorOf } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

const HASH = 'pod-template-hash';

/**
 * A ReplicaSet that only its pods mention.
 * @typedef {{ owner: any, pods: KubernetesObject[] }} Missing
 */

/**
 * For each Deployment, the missing ReplicaSets that its pods name: the latest with the Deployment's
 * template, the others with their pods' spec. The Deployment adopts them.
 * @param {KubernetesObject[]} objects
 * @returns {KubernetesObject[]}
 */
export function missingReplicaSets(objects) {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  if (deployments.length === 0) return [];
  const missing = [...missingOwners(objects).values()].sort(byAge);
  const sets = deployments.flatMap(({ metadata, spec }) => {
    const selector = labelSelectorOf(spec?.selector);
    const own = missing.filter(
      ({ pods: [{ metadata: pod }] }) =>
        pod.namespace === metadata.namespace && !selector.isEmpty && selector.matches(pod.labels),
    );
    return own.map((one, index) => replicaSet(one, spec, index === 0));
  });
  return sets;
}

/**
 * @param {KubernetesObject[]} objects
 * @returns {Map<string, Missing>} by uid
 */
function missingOwners(objects) {
  const known = new Set(
    objects.filter(({ kind }) => kind === 'ReplicaSet').map(({ metadata }) => metadata.uid),
  );
  /** @type {Map<string, Missing>} */
  const missing = new Map();
  for (const pod of objects) {
    if (pod.kind !== 'Pod' || ['Succeeded', 'Failed'].includes(pod.status?.phase)) continue;
    const owner = pod.metadata.ownerReferences?.find(
      (/** @type {any} */ { kind, controller }) => kind === 'ReplicaSet' && controller,
    );
    if (!owner || known.has(owner.uid)) continue;
    const group = missing.get(owner.uid) ?? { owner, pods: [] };
    group.pods.push(pod);
    missing.set(owner.uid, group);
  }
  return missing;
}

/**
 * Sorts the latest first.
 * @param {Missing} a
 * @param {Missing} b
 */
function byAge(a, b) {
  const [left, right] = [a, b].map(({ pods }) => pods[0].metadata.creationTimestamp ?? '');
  return left < right ? 1 : left > right ? -1 : 0;
}

/**
 * @param {Missing} missing
 * @param {any} deployment of the Deployment
 * @param {boolean} isLatest
 * @returns {KubernetesObject}
 */
function replicaSet({ owner, pods }, { selector, template }, isLatest) {
  const [{ metadata, spec }] = pods;
  const { namespace, labels = {}, creationTimestamp } = metadata;
  const hash = labels[HASH] === undefined ? {} : { [HASH]: labels[HASH] };
  const { nodeName: _node, ...podSpec } = spec;
  const own = isLatest
    ? { ...template, metadata: { ...template.metadata, labels: { ...template.metadata?.labels } } }
    : { metadata: { labels: { ...labels } }, spec: podSpec };
  Object.assign(own.metadata.labels, hash);
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: owner.name,
      namespace,
      uid: owner.uid,
      ...(creationTimestamp && { creationTimestamp }),
      labels: own.metadata.labels,
    },
    spec: {
      replicas: pods.length,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...hash } },
      template: own,
    },
  };
}
