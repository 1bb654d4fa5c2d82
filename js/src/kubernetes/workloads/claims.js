/** Creates the claims of a StatefulSet's pods, and those of ephemeral volumes. */
import { controllerRefTo } from '../owners.js';
import { isRecord, itemsIn } from '../values.js';

/** @import { KubernetesObject } from '../types.js' */

/**
 * Returns one claim per template, without the defaults of the API server.
 * @param {KubernetesObject} set
 * @param {string} pod its name
 * @returns {KubernetesObject[]}
 */
export function claimsFor(set, pod) {
  const { namespace } = set.metadata;
  const { volumeClaimTemplates, selector } = set.spec;
  return (volumeClaimTemplates ?? []).map((/** @type {any} */ { metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: nameOf(metadata?.name, pod),
      namespace,
      labels: { ...metadata?.labels, ...selector?.matchLabels },
      annotations: { ...metadata?.annotations },
    },
    spec,
  }));
}

/**
 * Returns the claims of a pod's ephemeral volumes, without the defaults of the API server.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject[]}
 */
export function ephemeralClaimsOf(pod) {
  const volumes = itemsIn(pod.spec?.volumes).filter((volume) => isRecord(volume?.ephemeral));
  return volumes.map((volume) => ephemeralClaimOf(pod, volume));
}

/**
 * Returns the claim of an ephemeral volume, without the defaults of the API server.
 * @param {KubernetesObject} pod
 * @param {any} volume of its spec, with `ephemeral`
 * @returns {KubernetesObject}
 */
export function ephemeralClaimOf(pod, { name, ephemeral }) {
  const { metadata, spec } = ephemeral.volumeClaimTemplate ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: `${pod.metadata.name}-${name}`,
      namespace: pod.metadata.namespace,
      ...(metadata?.labels && { labels: metadata.labels }),
      ...(metadata?.annotations && { annotations: metadata.annotations }),
      ownerReferences: [controllerRefTo({ ...pod, apiVersion: 'v1', kind: 'Pod' })],
    },
    spec,
  };
}

/**
 * Returns a pod's spec with the claims instead of volumes of the same names.
 * @param {any} spec
 * @param {KubernetesObject} set
 * @param {string} pod its name
 */
export function withClaims(spec, set, pod) {
  const names = (set.spec.volumeClaimTemplates ?? []).map(
    (/** @type {any} */ { metadata }) => metadata?.name,
  );
  if (names.length === 0) return spec;
  const others = (spec.volumes ?? []).filter(
    (/** @type {any} */ volume) => !names.includes(volume.name),
  );
  const volumes = names.map((/** @type {string} */ name) => ({
    name,
    persistentVolumeClaim: { claimName: nameOf(name, pod) },
  }));
  return { ...spec, volumes: [...others, ...volumes] };
}

/**
 * @param {string} template
 * @param {string} pod
 */
function nameOf(template, pod) {
  return `${template}-${pod}`;
}
