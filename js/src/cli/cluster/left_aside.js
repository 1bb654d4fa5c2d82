/** Names the manifests that only other controllers read. */
import { resourceOf } from '../../kubernetes/kinds.js';
import { say, shortList } from '../terminal/terminal.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 */

/**
 * Prints which objects are of kinds that nothing here reads, such as custom resources: their
 * controllers may create pods, or change how many there are.
 * @param {Iterable<KubernetesObject>} objects
 * @param {{ quiet?: boolean }} options
 * @param {Pick<Host, 'stderr'>} host
 */
export function sayLeftAside(objects, { quiet }, { stderr }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { apiVersion, kind } of objects) {
    if (!apiVersion || !kind || resourceOf({ apiVersion, kind })) continue;
    const type = `${kind} (${apiVersion})`;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  if (quiet || counts.size === 0) return;
  const types = shortList([...counts].map(([type, count]) => `${count} ${type}`));
  say(stderr, `note: left aside: ${types}: what their controllers do is not simulated`);
}
