/**
 * An engine that sees objects under other names only, and answers under the true ones: what plays
 * recordings against it plays them against a cluster that was anonymised.
 */
import { anonymize } from '../../../js/src/snapshot/anonymize.js';

const TOKEN =
  /\b(w\d+)\.example\b|\b[wz]\d+\b|\b0{8}-0000-4000-8000-[0-9a-f]{12}\b|\b10(\.\d+){3}\b/g;
const REASONS = new RegExp(
  String.raw`(\d+/\d+ nodes are available: )(.*?)` +
    String.raw`(\.(?= (?:no new|still|deallocation|deletion)| preemption:|$))`,
  'g',
);

/**
 * Requests of generated claims are numbered by the order of the resources' names, which made-up
 * names do not keep.
 *
 * @param {string} text
 */
export const withoutRequestNumbers = (text) =>
  text.replace(/\b(container-\d+-request-)\d+\b/g, '$1N');

export class RenamingEngine {
  #engine;
  #renamed;

  /**
   * @param {import('../../support/raw_engine.js').RawEngine} engine
   * @param {object[]} objects all that will ever be there
   * @param {object} [configuration]
   */
  constructor(engine, objects, configuration) {
    this.#engine = engine;
    this.#renamed = anonymize(objects, { configuration });
  }

  createScheduler(options) {
    const { configuration } = this.#renamed;
    return new RenamingScheduler(
      this.#engine.createScheduler({ ...options, configuration }),
      this.#renamed,
    );
  }
}

class RenamingScheduler {
  #scheduler;
  #rename;
  #originals;
  #made;

  constructor(scheduler, { rename, originals }) {
    this.#scheduler = scheduler;
    this.#rename = rename;
    this.#originals = originals;
    this.#made = new Map([...originals].map(([made, original]) => [original, made]));
  }

  apply(values, nowUs) {
    const lines = values.flatMap((value) => {
      if (value.type === 'SCHEDULE_ONE') return { ...value, pod: this.#nameOf(value.pod) };
      if (!value.object) return value;
      const object = this.#rename(value.object);
      return object ? { ...value, object } : [];
    });
    return this.#scheduler.apply(lines, nowUs);
  }

  run(nowUs, maxCycles) {
    return this.#scheduler.run(nowUs, maxCycles).map((record) => this.#truly(record));
  }

  dispose() {
    this.#scheduler.dispose();
  }

  #nameOf(pod) {
    return pod
      .split('/')
      .map((text) => this.#made.get(text))
      .join('/');
  }

  #truly(value) {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#truly(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, item]) => [this.#text(key), this.#truly(item)]));
  }

  /** Reasons are sorted as texts, under whatever names. */
  #text(text) {
    const original = text.replace(
      TOKEN,
      (made, domain) => this.#originals.get(domain ?? made) ?? made,
    );
    const sorted = original.replace(REASONS, (_, start, reasons, end) => {
      return start + reasons.split(', ').sort().join(', ') + end;
    });
    return withoutRequestNumbers(sorted);
  }
}
