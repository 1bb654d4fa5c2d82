/** Zeros in front count for nothing, but no label has so many. */
const LONGEST = 4096;
const INTEGER = /^[+-]?\d+$/;

/**
 * An integer as Kubernetes reads it from a label.
 * Counterpart: strconv.ParseInt of Go, with base 10 and 64 bits.
 * @param {unknown} text
 * @returns {bigint | undefined} undefined: it is none, or does not fit
 */
export function int64Of(text) {
  if (typeof text !== 'string' || text.length > LONGEST || !INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}
