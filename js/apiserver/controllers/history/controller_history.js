import { isAlreadyExists } from '../api_errors.js';
import { claimObjects, controllerRefTo } from '../controller_ref.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import { revisionDataOf, revisionHashOf } from '../../../src/kubernetes/workloads/template_pods.js';

/**
 * The templates that a StatefulSet or DaemonSet had, as ControllerRevisions.
 * Counterpart: pkg/controller/history/controller_history.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** How many names are tried for one revision, when other objects have them. */
const NAME_TRIES = 10;

/**
 * The revisions of an owner, the oldest first.
 * @param {ControllerContext} context
 * @param {KubernetesObject} owner
 */
export function revisionsOf(context, owner) {
  const { selector } = owner.spec;
  return claimObjects(context, { owner, resource: 'controllerrevisions', selector }).toSorted(
    byRevision,
  );
}

/**
 * The revision of the owner's template: the one that says the same, which becomes the newest again,
 * or a new one.
 * @param {ControllerContext} context
 * @param {KubernetesObject} owner
 * @param {object} given
 * @param {KubernetesObject[]} given.revisions the oldest first
 * @param {string} given.label which one holds the hash
 * @param {string} [given.knownHash] of the template, where there are no revisions, but pods that
 *   were made of it, as in a cluster that was read from a file
 * @returns {{ revision: KubernetesObject, collisionCount: number | undefined }} the count of
 *   collisions as it is then
 */
export function syncRevision(context, owner, { revisions, label, knownHash }) {
  const data = revisionDataOf(owner);
  const next = (revisions.at(-1)?.revision ?? 0) + 1;
  const same = revisions.findLast((revision) => semanticEqual(revision.data, data));
  const { collisionCount } = owner.status ?? {};
  if (same === undefined) {
    const hash = revisions.length === 0 ? knownHash : undefined;
    return createRevision(context, owner, { data, revision: next, label, knownHash: hash });
  }
  if (same === revisions.at(-1)) return { revision: same, collisionCount };
  const revision = context.store.update('controllerrevisions', { ...same, revision: next });
  return { revision, collisionCount };
}

/**
 * Takes away the oldest revisions that no pod and no status names.
 * @param {ControllerContext} context
 * @param {KubernetesObject[]} revisions the oldest first
 * @param {{ isLive: (revision: KubernetesObject) => boolean, limit: number }} options
 */
export function truncateHistory(context, revisions, { isLive, limit }) {
  const history = revisions.filter((revision) => !isLive(revision));
  for (const revision of history.slice(0, Math.max(0, history.length - limit)))
    context.delete('controllerrevisions', revision);
}

/**
 * The template of a revision.
 * @param {KubernetesObject} revision
 */
export function templateOf({ data }) {
  const { $patch: _, ...template } = data.spec.template;
  return template;
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} owner
 * @param {{ data: any, revision: number, label: string, knownHash: string | undefined }} given
 */
function createRevision(context, owner, { data, revision, label, knownHash }) {
  const { namespace, name } = owner.metadata;
  const { template } = owner.spec;
  let { collisionCount } = owner.status ?? {};
  for (let tries = 1; ; tries += 1) {
    const isFirst = tries === 1 && knownHash !== undefined;
    const hash = isFirst ? knownHash : revisionHashOf(owner, collisionCount);
    const wanted = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...template.metadata?.labels, [label]: hash },
        annotations: owner.metadata.annotations,
        ownerReferences: [controllerRefTo(owner)],
      },
      data,
      revision,
    };
    try {
      const created = context.store.create('controllerrevisions', wanted);
      return { revision: created, collisionCount };
    } catch (error) {
      if (!isAlreadyExists(error) || tries === NAME_TRIES) throw error;
      const taken = context.store.get('controllerrevisions', namespace, wanted.metadata.name);
      if (taken && semanticEqual(taken.data, data)) return { revision: taken, collisionCount };
      collisionCount = (collisionCount ?? 0) + 1;
    }
  }
}

/**
 * @param {KubernetesObject} left
 * @param {KubernetesObject} right
 */
function byRevision(left, right) {
  return left.revision - right.revision || (left.metadata.name < right.metadata.name ? -1 : 1);
}
