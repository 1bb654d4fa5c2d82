/** The scheduler's arithmetic: 64-bit integers that are divided towards zero. */

/**
 * @param {number} part
 * @param {number} whole not 0
 * @returns {number} `part * 100 / whole`, truncated
 */
export function percent(part, whole) {
  return Number((BigInt(part) * 100n) / BigInt(whole));
}

/**
 * Go's `math.Round`: half away from zero.
 * @param {number} value
 */
export function rounded(value) {
  const truncated = Math.trunc(value);
  return Math.abs(value - truncated) >= 0.5 ? truncated + Math.sign(value) : truncated;
}

/**
 * A broken line, at one place.
 * @param {{ utilization: number, score: number }[]} shape with scores of 0 to 10
 * @param {number} at utilisation, 0 to 100
 * @returns {number} 0 to 100
 */
export function shapeAt(shape, at) {
  const points = shape.map(({ utilization, score = 0 }) => ({ utilization, score: score * 10 }));
  const index = points.findIndex(({ utilization }) => at <= utilization);
  if (index < 0) return points[points.length - 1].score;
  if (index === 0) return points[0].score;
  const [from, to] = [points[index - 1], points[index]];
  const rise = (to.score - from.score) * (at - from.utilization);
  return from.score + Math.trunc(rise / (to.utilization - from.utilization));
}

/**
 * A double as people read it.
 * @param {number} value
 */
export function decimalText(value) {
  return String(Number(value.toFixed(4)));
}
