/** The maximum length of a number's text. Leading zeros are allowed, but no label has this many. */
const LONGEST = 4096;
const INTEGER = /^[+-]?\d+$/;

/**
 * Parses an integer as Kubernetes does in labels. Counterpart: strconv.ParseInt of Go, with base 10
 * and 64 bits.
 * @param {unknown} text
 * @returns {bigint | undefined} undefined if it is not an integer, or does not fit
 */
export function int64Of(text) {
  if (typeof text !== 'string' || text.length > LONGEST || !INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

/** Why an int64 is refused that JSON.parse would round. */
export const BEYOND_EXACT = `integers beyond ${Number.MAX_SAFE_INTEGER} are not supported`;
