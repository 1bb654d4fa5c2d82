/** The host's own draw: 0 ≤ x < 1, and nobody's seed. */
export function systemRandom() {
  return Math.random();
}
