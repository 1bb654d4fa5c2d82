/** Letters and digits that make no words, as Kubernetes uses them in generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Four 32-bit words that depend on every character of a text. Not for secrets: for names that are
 * the same whenever the input is.
 * @param {string} text
 * @returns {[number, number, number, number]}
 */
export function hashWords(text) {
  const words = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];
  const factors = [0x01000193, 0x5bd1e995, 0x1b873593, 0xcc9e2d51];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul(words[lane] ^ unit, factors[lane]);
      words[lane] = (mixed << 13) | (mixed >>> 19);
    }
  }
  return /** @type {[number, number, number, number]} */ (
    words.map((word, lane) => finish(word ^ words[(lane + 1) % 4]))
  );
}

/**
 * A UUID (version 4 in form) made of a text.
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
 * A short suffix for a name, as in `web-7d4b9c6f5`.
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
