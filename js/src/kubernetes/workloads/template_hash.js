/**
 * Hashes a pod template for names and labels. It distinguishes templates as upstream's hash does,
 * but has another value: upstream's depends on how Go prints its structures. Counterpart:
 * pkg/controller/controller_utils.go, v1.36 (ComputeHash).
 */

/** Letters and digits that form no words: k8s.io/apimachinery/pkg/util/rand, v1.36. */
const ALPHANUMS = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * @param {any} template
 * @param {number | null | undefined} collisionCount changes the hash of an unchanged template
 * @returns {string} at most ten characters
 */
export function computeHash(template, collisionCount) {
  const text = canonicalJson(template) + (collisionCount ?? '');
  return safeEncode(String(fnv32a(new TextEncoder().encode(text))));
}

/**
 * Returns JSON with sorted keys, without undefined members.
 * @param {any} value
 * @returns {string}
 */
function canonicalJson(value) {
  return JSON.stringify(value, (_, part) => {
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part ?? undefined;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** @param {Uint8Array} bytes */
function fnv32a(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** @param {string} text */
function safeEncode(text) {
  return [...text].map((unit) => ALPHANUMS[unit.charCodeAt(0) % ALPHANUMS.length]).join('');
}
