/** The state of the connection to a cluster, in short. */

/** @import { ReflectorStatus } from '../../../js/src/informer.js' */

/**
 * @typedef {object} LiveStatus
 * @property {'connecting' | 'following' | 'waiting'} state `waiting`: for another attempt
 * @property {string} resourceVersion of the pods
 * @property {number} since milliseconds since the epoch
 * @property {string} reason why the connection waits; empty if it does not
 * @property {{ resource: string, state: 'forbidden' | 'absent' | 'backoff', message: string }[]}
 *   missing kinds that cannot be followed
 */

/** Without these resources there is no cluster to show. */
const NEEDED = ['nodes', 'pods'];

/**
 * @param {ReflectorStatus[]} all
 * @param {number} since
 * @returns {LiveStatus}
 */
export function statusOf(all, since) {
  const needed = all.filter(({ resource }) => NEEDED.includes(resource));
  const fault = needed.find(({ state }) => isMissing(state));
  const isFollowing = needed.every(({ state }) => state === 'watching');
  const isKnown = needed.every(({ resourceVersion }) => resourceVersion !== '');
  const pods = needed.find(({ resource }) => resource === 'pods');
  return {
    state: fault ? 'waiting' : isFollowing || isKnown ? 'following' : 'connecting',
    resourceVersion: pods?.resourceVersion ?? '',
    since,
    reason: fault?.lastError?.message ?? '',
    missing: all.flatMap(({ resource, state, lastError }) =>
      isMissing(state) ? [{ resource, state, message: lastError?.message ?? '' }] : [],
    ),
  };
}

/**
 * @param {ReflectorStatus['state']} state
 * @returns {state is 'forbidden' | 'absent' | 'backoff'}
 */
function isMissing(state) {
  return state === 'forbidden' || state === 'absent' || state === 'backoff';
}
