/** Renames everything in a snapshot without changing any decision. */
import { CONFIGURATION } from './fields.js';
import { MadeUpNames } from './names.js';
import { keepNumbers } from './numbered_names.js';
import { strip } from './snapshot.js';
import { read } from './walk.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Renames namespaces, objects, labels, taints, images, resources, volumes, schedulers. Names with a
 * meaning to the scheduler stay; new names sort like the old ones, and compared integers stay
 * integers in the same order. Objects that are named after others stay so.
 * @param {KubernetesObject[]} objects whole ones, with the pods that the workloads lack: they would
 *   be created under new names
 * @param {{ configuration?: any }} [options] a KubeSchedulerConfiguration to rename alike
 * @returns {{ snapshot: { apiVersion: 'v1', kind: 'List', items: KubernetesObject[] },
 *   configuration?: any, rename: (object: KubernetesObject) => KubernetesObject | undefined,
 *   originals: Map<string, string> }} `rename` is for a later state of the same objects, if it
 *   contains no new texts; `originals`: true names by new ones, to be kept secret
 */
export function anonymize(objects, { configuration } = {}) {
  const names = new MadeUpNames();
  const rename = (/** @type {KubernetesObject} */ object) => strip(object, names);
  keepNumbers(objects, names);
  objects.forEach(rename);
  if (configuration !== undefined) read(CONFIGURATION, configuration, names);
  names.settle();
  return {
    snapshot: {
      apiVersion: 'v1',
      kind: 'List',
      items: objects.flatMap((one) => rename(one) ?? []),
    },
    ...(configuration !== undefined && {
      configuration: read(CONFIGURATION, configuration, names),
    }),
    rename,
    originals: names.originals(),
  };
}
