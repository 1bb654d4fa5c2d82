/** Metrics that JavaScript keeps: counters, gauges and histograms. */

/** @import { MetricFamily, Sample, Stability } from './metrics_text.js' */

/**
 * The part that all kinds of families share.
 * @typedef {{ name: string, help: string, stability: Stability, labels: string[] }} Description
 */

/** Joins label values; no label value contains it. */
const SEPARATOR = '\u0000';

/**
 * Returns the upper bounds of `count` buckets: start, start·factor, start·factor², computed one
 * from the other in floating point, as upstream does.
 * @param {number} start
 * @param {number} factor
 * @param {number} count
 */
export function exponentialBuckets(start, factor, count) {
  const bounds = [];
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}

/** Numbers by their labels: counters add, gauges set. */
export class NumberFamily {
  #description;
  #type;
  /** @type {Map<string, { labels: string[], value: number }>} */
  #samples = new Map();

  /**
   * @param {'counter' | 'gauge'} type
   * @param {Description} description
   */
  constructor(type, description) {
    this.#type = type;
    this.#description = description;
  }

  /**
   * @param {string[]} labels
   * @param {number} [amount]
   */
  add(labels, amount = 1) {
    const sample = this.#samples.get(labels.join(SEPARATOR));
    if (sample) sample.value += amount;
    else this.set(labels, amount);
  }

  /**
   * @param {string[]} labels
   * @param {number} value
   */
  set(labels, value) {
    this.#samples.set(labels.join(SEPARATOR), { labels, value });
  }

  /** @returns {MetricFamily} */
  family() {
    return { ...this.#description, type: this.#type, samples: [...this.#samples.values()] };
  }
}

/** Durations or amounts by their labels, counted in buckets. */
export class HistogramFamily {
  #description;
  #bounds;
  /** @type {Map<string, { labels: string[], buckets: number[], sum: number, count: number }>} */
  #samples = new Map();

  /** @param {Description & { bounds: number[] }} description */
  constructor({ bounds, ...description }) {
    this.#description = description;
    this.#bounds = bounds;
  }

  /**
   * @param {string[]} labels
   * @param {number} value
   */
  observe(labels, value) {
    const key = labels.join(SEPARATOR);
    let sample = this.#samples.get(key);
    if (!sample) {
      sample = { labels, buckets: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#samples.set(key, sample);
    }
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) sample.buckets[bucket] += 1;
    sample.sum += value;
    sample.count += 1;
  }

  /** @returns {MetricFamily} */
  family() {
    /** @type {Sample[]} */
    const samples = [...this.#samples.values()].map((sample) => ({
      ...sample,
      buckets: [...sample.buckets],
    }));
    return { ...this.#description, type: 'histogram', bounds: this.#bounds, samples };
  }
}
