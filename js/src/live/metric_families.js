/** Metrics that are kept on this side: what happened, counted and measured. */

/** @import { MetricFamily, Sample, Stability } from './metrics_text.js' */

/**
 * What a family is, whatever it counts.
 * @typedef {{ name: string, help: string, stability: Stability, labels: string[] }} Description
 */

/** Label values are joined by what no label value holds. */
const SEPARATOR = '\u0000';

/**
 * Upper bounds of `count` buckets: start, start·factor, start·factor², as they come out of
 * floating-point numbers one after the other.
 * @param {number} start
 * @param {number} factor
 * @param {number} count
 */
export function exponentialBuckets(start, factor, count) {
  const bounds = [];
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}

/** Numbers by their labels: a counter goes up, a gauge is set. */
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
