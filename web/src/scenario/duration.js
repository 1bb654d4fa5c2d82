const UNITS = /** @type {Record<string, number>} */ ({
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
});

const SHAPE = /^(\d+(\.\d+)?(ms|s|m|h))+$/;

/**
 * A duration as Go writes it, such as `1h30m` or `1.5s`.
 * @param {unknown} text
 * @returns {number | null} milliseconds; null: it is none
 */
export function durationOf(text) {
  if (typeof text !== 'string' || !SHAPE.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit], 0);
}
