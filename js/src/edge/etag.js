/**
 * Entity tags.
 * Source: RFC 9110, 8.8.3 and 13.1.2.
 */

/** The bytes of a digest that are enough to distinguish bodies. */
const DIGEST_BYTES = 16;

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<string>} a strong etag of the content
 */
export async function etagOf(bytes) {
  const whole = /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
  const hex = [...digest.subarray(0, DIGEST_BYTES)].map((byte) => byte.toString(16));
  return `"${hex.map((digits) => digits.padStart(2, '0')).join('')}"`;
}

/**
 * Quotes the bare words that some stores return as etags.
 * @param {string} text
 */
export function asEtag(text) {
  if (/^(W\/)?"[\x21\x23-\x7e]*"$/.test(text)) return text;
  return `"${text.replace(/[^\x21\x23-\x7e]/gu, (character) => encodeURIComponent(character))}"`;
}

/**
 * Whether the client's If-None-Match contains this etag.
 * @param {string | null} ifNoneMatch the header
 * @param {string} etag
 */
export function isNoneMatch(ifNoneMatch, etag) {
  if (ifNoneMatch === null) return true;
  if (ifNoneMatch.trim() === '*') return false;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  const opaque = (/** @type {string} */ tag) => tag.replace(/^W\//, '');
  return !tags.some((tag) => opaque(tag) === opaque(etag));
}
