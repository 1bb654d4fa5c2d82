/** Finds the templates of StatefulSets, which their updates change for some of their pods only. */
import { controllerOf, identityOf, identityOfOwner, Owners } from '../kubernetes/owners.js';
import { isRecord } from '../kubernetes/values.js';
import { byCreation } from '../kubernetes/workloads/deployment_util.js';
import { semanticEqual } from '../kubernetes/workloads/objects.js';
import { currentRevisionOf, revisionNameOf } from '../kubernetes/workloads/stateful_revisions.js';
import { revisionHashOf } from '../kubernetes/workloads/template_pods.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Revision } from '../kubernetes/workloads/stateful_revisions.js'
 */

/** The StatefulSets and pods of a cluster that those of manifests replace. */
export class FormerSets {
  /** By identity. @type {Map<string, KubernetesObject>} */
  #sets;
  /** By the identity of their controller. @type {Map<string, KubernetesObject[]>} */
  #pods = new Map();

  /** @param {Iterable<KubernetesObject>} replaced */
  constructor(replaced) {
    const objects = [...replaced];
    const sets = objects.filter(
      ({ kind, spec }) => kind === 'StatefulSet' && isRecord(spec?.template),
    );
    this.#sets = new Map(sets.map((set) => [identityOf(set), set]));
    const owners = new Owners([]);
    for (const pod of objects.filter(({ kind }) => kind === 'Pod')) {
      if (controllerOf(pod)?.kind !== 'StatefulSet') continue;
      const owner = identityOfOwner(owners.chainOf(pod)[0]);
      const pods = this.#pods.get(owner);
      if (pods) pods.push(pod);
      else this.#pods.set(owner, [pod]);
    }
  }

  /**
   * Returns the revisions of a StatefulSet.
   * @param {KubernetesObject} set
   * @param {KubernetesObject[]} owned what it owns
   * @returns {{ current: Revision, update: Revision }}
   */
  revisionsOf(set, owned) {
    const identity = identityOf(set);
    const before = this.#sets.get(identity);
    const pods = owned.filter(({ kind }) => kind === 'Pod');
    const update = { name: updateNameOf(set, before, pods), template: set.spec.template };
    const current = currentRevisionOf(set, {
      before,
      revisions: owned.filter(({ kind }) => kind === 'ControllerRevision'),
      pods: [...pods, ...(this.#pods.get(identity) ?? [])],
    });
    return { current: current ?? update, update };
  }
}

/**
 * @param {KubernetesObject} set
 * @param {KubernetesObject | undefined} before
 * @param {KubernetesObject[]} pods
 * @returns {string}
 */
function updateNameOf(set, before, pods) {
  const isChanged = before && !semanticEqual(before.spec?.template, set.spec.template);
  const newest = pods.toSorted(byCreation).at(-1);
  const known =
    set.status?.updateRevision ??
    before?.status?.updateRevision ??
    (newest && revisionNameOf(newest));
  return (!isChanged && known) || `${set.metadata.name}-${revisionHashOf(set)}`;
}
