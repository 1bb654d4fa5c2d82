/** The fields of metadata that the server writes. */

/** Letters and digits of generated names, which form no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const NAME_LONGEST = 63;

/** Finalizers of objects that are being deleted; the garbage collector removes them. */
export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/**
 * Returns a UUID, version 4.
 * @param {() => number} random at least 0, below 1
 */
export function freshUid(random) {
  let hex = '';
  while (hex.length < 32) {
    hex += Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  }
  const variant = (8 + (parseInt(hex[16], 16) % 4)).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

/**
 * Returns a name that starts with a `generateName`.
 * @param {string} prefix
 * @param {(prefix: string) => number} random gets the prefix
 */
export function generatedName(prefix, random) {
  let suffix = '';
  while (suffix.length < SUFFIX_LENGTH)
    suffix += ALPHABET[Math.floor(random(prefix) * ALPHABET.length)];
  return prefix.slice(0, NAME_LONGEST - SUFFIX_LENGTH) + suffix;
}

/**
 * Formats a `metav1.Time`, which has whole seconds.
 * @param {number} time milliseconds since the epoch
 */
export function timestamp(time) {
  const seconds = Math.floor(time / 1000);
  // Times within one second have the same text.
  if (latest?.seconds !== seconds) {
    latest = { seconds, text: `${new Date(time).toISOString().slice(0, 19)}Z` };
  }
  return latest.text;
}

/** @type {{ seconds: number, text: string } | undefined} */
let latest;

/**
 * Returns the object without undefined and null fields.
 * @param {Record<string, any>} fields
 * @returns {Record<string, any>}
 */
export function present(fields) {
  /** @type {Record<string, any>} */
  const found = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}
