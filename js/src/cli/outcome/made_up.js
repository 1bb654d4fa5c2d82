/**
 * Reports the claims and volumes that the simulation created on behalf of the cluster's
 * controllers.
 */
import { keyFor, namespaceOf } from '../../kubernetes/keys.js';
import { shortList } from '../terminal/terminal.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { MadeUpHere } from '../../check/types.js'
 * @import { MadeUp } from '../../engine/record_types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 */

/**
 * @param {{ scheduler: Scheduler, cluster: Cluster }} simulation
 * @returns {MadeUpHere[]} by claim
 */
export function madeUpIn({ scheduler, cluster }) {
  /** @type {MadeUp[]} */
  const madeUp = scheduler.inspect({ madeUp: true }).madeUp ?? [];
  if (madeUp.length === 0) return [];
  const pending = new Set(
    cluster.read
      .filter(({ kind, metadata, status }) => {
        const isStored = kind === 'PersistentVolumeClaim' && metadata?.uid;
        return isStored && status?.phase === 'Pending';
      })
      .map((claim) => keyFor(namespaceOf(claim), claim.metadata.name)),
  );
  return madeUp.map((each) => ({ ...each, pending: pending.has(each.claim) }));
}

/**
 * Returns the lines that commands print to standard error beside a table.
 * @param {MadeUpHere[]} madeUp
 * @returns {string[]}
 */
export function madeUpLines(madeUp) {
  if (madeUp.length === 0) return [];
  return [`note: made up by the simulation: ${shortList(madeUp.map(textOf))}`];
}

/** @param {MadeUpHere} madeUp */
function textOf({ claim, volume, by, pending }) {
  if (volume === null) return `claim ${claim} (by ${by})`;
  const state = pending ? ', Pending in the input' : '';
  return `volume ${volume} for claim ${claim}${state} (by ${by})`;
}
