import { isAlreadyExists } from '../api_errors.js';
import { claimObjects, controllerRefTo } from '../controller_ref.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import { revisionDataOf, revisionHashOf } from '../../../src/kubernetes/workloads/template_pods.js';

/**
 * Stores the templates of a StatefulSet or DaemonSet as ControllerRevisions. Counterpart:
 * pkg/controller/history/controller_history.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** The number of names that are tried for one revision if other objects have them. */
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
 * Returns the revision of the owner's template: an equal existing one, which becomes the newest
 * again, or a new one.
 * @param {ControllerContext} context
 * @param {KubernetesObject} owner
 * @param {object} given
 * @param {KubernetesObject[]} given.revisions the oldest first
 * @param {string} given.label the label with the hash
 * @param {string} [given.knownHash] the template's hash if there are pods but no revisions, as in a
 *   cluster that was read from a file
 * @returns {{ revision: KubernetesObject, collisionCount: number | undefined }} the new count of
 *   collisions
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
 * Deletes the oldest revisions that no pod and no status refers to.
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
