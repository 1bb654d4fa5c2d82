/** Letters and digits that form no words, as Kubernetes uses them in generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Returns four 32-bit words that depend on every character of a text. Not for secrets: for names
 * that are the same for the same input.
 * @param {string} text
 * @returns {[number, number, number, number]}
 */
export function hashWords(text) {
  let [a, b, c, d] = [0x1e3779b9, 0x45ebca6b, 0x42b2ae35, 0x27d4eb2f];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    c = Math.imul(c ^ unit ^ (a >>> 15), 0x1b873593);
    d = Math.imul(d ^ unit ^ (b >>> 13), 0x4c9e2d51);
  }
  return [finish(a ^ c), finish(b ^ d), finish(c + b), finish(d + a)];
}

/**
 * Returns a UUID (version 4 in form) computed from a text.
 * @param {string} text
 */
export function hashUuid(text) {
  const hex = hashWords(text)
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('');
  const [time, version, variant] = [hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${hex.slice(0, 8)}-${time}-4${version}-8${variant}-${hex.slice(20)}`;
}

/**
 * Returns a short suffix for a name, as in `web-7d4b9c6f5`.
 * @param {string} text
 * @param {number} length at most 16
 */
export function hashSuffix(text, length) {
  let suffix = '';
  for (let word of hashWords(text)) {
    for (let digit = 0; digit < 4; digit++) {
      suffix += ALPHABET[word % ALPHABET.length];
      word = Math.floor(word / ALPHABET.length);
    }
  }
  return suffix.slice(0, length);
}

/** @param {number} word */
function finish(word) {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
