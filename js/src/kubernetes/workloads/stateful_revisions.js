import { ordinalOf, revisionHashOf, REVISION_LABEL } from './template_pods.js';
import { isPodFinished } from './pods.js';

/**
 * The revisions of a StatefulSet: pods below the partition are created from the current one, also
 * when they are recreated, others from the new one. Counterpart:
 * pkg/controller/statefulset/stateful_set_utils.go, v1.36 (newVersionedStatefulSetPod).
 */

/** @import { KubernetesObject } from '../types.js' */

/**
 * A pod template with the name of its ControllerRevision; `isAssumed` if the input does not show
 * the template, so that it is another revision's.
 * @typedef {{ name: string, template: any, isAssumed?: boolean }} Revision
 */

/** Returns the first ordinal. @param {KubernetesObject} set */
export function startOf({ spec }) {
  return spec.ordinals?.start ?? 0;
}

/**
 * Whether a pod is created from the current revision, not from the new one.
 * @param {KubernetesObject} set
 * @param {number} ordinal
 */
export function isCurrentRevisionNeeded(set, ordinal) {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  return (
    (type || 'RollingUpdate') === 'RollingUpdate' &&
    ordinal - startOf(set) < (rollingUpdate?.partition ?? 0)
  );
}

/**
 * Returns those of a StatefulSet's pods that an update keeps as they are.
 * @param {KubernetesObject} set
 * @param {KubernetesObject[]} pods its running ones
 */
export function podsBelowPartition(set, pods) {
  return pods.filter(
    (pod) => isReplica(set, pod) && isCurrentRevisionNeeded(set, ordinalOf(set, pod)),
  );
}

/**
 * Whether a pod has one of the ordinals of its StatefulSet.
 * @param {KubernetesObject} set
 * @param {KubernetesObject} pod
 */
export function isReplica(set, pod) {
  const place = ordinalOf(set, pod) - startOf(set);
  return place >= 0 && place < (set.spec.replicas ?? 1);
}

/** Returns the revision that a pod was created from. @param {KubernetesObject} pod */
export function revisionNameOf({ metadata }) {
  return metadata.labels?.[REVISION_LABEL] ?? '';
}

/**
 * Returns the template of a ControllerRevision.
 * @param {KubernetesObject} revision
 */
export function templateOf({ data }) {
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

/**
 * Returns the current revision of a StatefulSet: its template is in a ControllerRevision, in the
 * StatefulSet before its change, or in a pod of that revision.
 * @param {KubernetesObject} set
 * @param {object} known
 * @param {KubernetesObject} [known.before] the StatefulSet in the cluster, if `set` changes one
 * @param {KubernetesObject[]} known.revisions its ControllerRevisions
 * @param {KubernetesObject[]} known.pods its pods
 * @returns {Revision | undefined} undefined if it is the new one, as for a new StatefulSet
 */
export function currentRevisionOf(set, { before, revisions, pods }) {
  const { status, spec } = before ?? set;
  const alive = pods.filter((pod) => !isPodFinished(pod) && revisionNameOf(pod) !== '');
  const lowest = alive
    .filter((pod) => isCurrentRevisionNeeded(set, ordinalOf(set, pod)))
    .toSorted((a, b) => ordinalOf(set, a) - ordinalOf(set, b))[0];
  const name = status?.currentRevision ?? (lowest && revisionNameOf(lowest));
  if (!name)
    return (
      before && { name: `${set.metadata.name}-${revisionHashOf(before)}`, template: spec.template }
    );
  const revision = revisions.find(
    ({ metadata, data }) => metadata.name === name && data?.spec?.template,
  );
  if (revision) return { name, template: templateOf(revision) };
  const isOnly = status ? isUpdated(before ?? set, name) : before !== undefined;
  if (isOnly) return { name, template: spec.template };
  const pod = alive.find((one) => revisionNameOf(one) === name);
  if (pod) return { name, template: templateOfPod(pod) };
  return { name, template: spec.template, isAssumed: true };
}

/**
 * Whether the revision is that of the StatefulSet's own template.
 * @param {KubernetesObject} set
 * @param {string} name
 */
function isUpdated({ metadata, status }, name) {
  const { updateRevision = name, observedGeneration = metadata.generation } = status;
  return updateRevision === name && observedGeneration === metadata.generation;
}

/**
 * Returns the template that a pod came from, with what admission added.
 * @param {KubernetesObject} pod
 */
function templateOfPod({ metadata: { labels, annotations }, spec }) {
  const { nodeName: _, ephemeralContainers: __, ...own } = spec;
  return { metadata: { labels, annotations }, spec: own };
}
