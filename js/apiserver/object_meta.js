/** The fields of metadata that the server writes. */

/** Letters and digits of generated names, which form no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const NAME_LONGEST = 63;

/** Finalizers of objects that are being deleted; the garbage collector removes them. */
export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** The text of each byte. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Returns a UUID, version 4.
 * @param {() => number} random at least 0, below 1
 */
export function freshUid(random) {
  const word = () => Math.floor(random() * 0x1_0000_0000);
  const [a, b, c, d] = [word(), word(), word(), word()];
  const version = (b & 0x0fff) | 0x4000;
  const variant = ((c >>> 16) & 0x3fff) | 0x8000;
  const begin = `${half(a >>> 16)}${half(a)}-${half(b >>> 16)}-${half(version)}`;
  return `${begin}-${half(variant)}-${half(c)}${half(d >>> 16)}${half(d)}`;
}

/** The text of the lower half of a word. @param {number} word */
function half(word) {
  return BYTES[(word >>> 8) & 0xff] + BYTES[word & 0xff];
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
