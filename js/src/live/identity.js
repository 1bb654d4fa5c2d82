/**
 * The identity of a candidate. Source: cmd/kube-scheduler/app/options, makeLeaderElectionConfig,
 * v1.36.
 */

/**
 * Returns a UUID of version 4.
 * @param {() => number} random 0 ≤ x < 1
 */
export function randomUuid(random) {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  hex[12] = '4';
  hex[16] = '89ab'[Math.floor(random() * 4)];
  const text = hex.join('');
  const ends = [0, 8, 12, 16, 20, 32];
  return ends
    .slice(1)
    .map((end, index) => text.slice(ends[index], end))
    .join('-');
}

/**
 * Returns `HOST_UUID`, so that two processes on one host have different identities.
 * @param {string} hostname
 * @param {() => number} random
 */
export function candidateIdentity(hostname, random) {
  return `${hostname || 'stowage'}_${randomUuid(random)}`;
}
