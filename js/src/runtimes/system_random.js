/** Returns a random number 0 ≤ x < 1 from the host, without a seed. */
export function systemRandom() {
  return Math.random();
}
