/** Times parts of a measurement. A profile asks for the spans, to leave out what is not timed. */

/** @typedef {{ from: number, to: number }} Span  as `performance.now()` */

/** @type {Span[] | null} */
let spans = null;

/** @returns {number} a time, for `elapsedMs` */
export function startTime() {
  return performance.now();
}

/**
 * Ends a timed part.
 * @param {number} start
 * @returns {number} milliseconds
 */
export function elapsedMs(start) {
  const now = performance.now();
  spans?.push({ from: start, to: now });
  return now - start;
}

/**
 * Runs a measurement and collects its timed parts.
 * @template T
 * @param {() => Promise<T>} measure
 * @returns {Promise<{ result: T, spans: Span[] }>}
 */
export async function withSpans(measure) {
  const collected = (spans = /** @type {Span[]} */ ([]));
  try {
    return { result: await measure(), spans: collected };
  } finally {
    spans = null;
  }
}
