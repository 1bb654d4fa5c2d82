/**
 * The watches of one informer per kind: events come late but in order, sometimes twice; and when a
 * watch breaks, its undelivered events are lost until a new list. A list may be stale: an older
 * one, followed by the events since then.
 */
import { BASE_KINDS, RESOURCES } from './kinds.js';
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

/**
 * An older list with the events since then; `isOfOtherHistory`: the world was restored after it.
 * @typedef {{ resourceVersion: string, objects: any[], since: any[], isOfOtherHistory: boolean }}
 *   OlderList
 */

/**
 * @typedef {object} Delivery
 * @property {string} kind
 * @property {number} dueUs
 * @property {any} line  for the engine
 * @property {boolean} [isListed] the object is from a list
 * @property {boolean} [isResync] all objects of the kind, as last delivered; `line` is null
 */

/**
 * @typedef {object} Circumstances
 * @property {World} world
 * @property {(...parts: (string | number)[]) => import('./random.js').Random} draw
 * @property {(fault: string) => number} odds
 * @property {string[]} kinds  what is watched
 */

const MILLISECOND_US = 1000;
const PAGE = 7;
const RESTART_US_MAX = 20_000 * MILLISECOND_US;

export class Watch {
  #circumstances;
  /** @type {Map<string, Delivery[]>} by kind */
  #streams;
  /** When a broken watch is repaired, by kind. @type {Map<string, number>} */
  #healedAtUs = new Map();
  /** When a watch that continues in another history ends, by kind. @type {Map<string, number>} */
  #foundOutAtUs = new Map();
  /**
   * The numbers of lists of a kind, and of events of an object, so far.
   * @type {Map<string, number>}
   */
  #told = new Map();
  /** By kind. @type {Map<string, OlderList>} */
  #older = new Map();

  /** @param {Circumstances} circumstances @param {number} nowUs */
  constructor(circumstances, nowUs) {
    this.#circumstances = circumstances;
    const { kinds, draw } = circumstances;
    this.#streams = new Map(kinds.map((kind) => [kind, []]));
    for (const kind of kinds) {
      // No pod is decided before the lists of all kinds have begun.
      const delayUs = BASE_KINDS.includes(kind) ? draw('first', kind).below(10) * 1000 : 0;
      this.#healedAtUs.set(kind, nowUs + delayUs);
    }
  }

  /** @param {string} kind @param {string} type @param {any} object @param {number} nowUs */
  tell(kind, type, object, nowUs) {
    const older = this.#older.get(kind);
    if (older && !older.isOfOtherHistory) older.since.push({ type, object });
    const stream = this.#streams.get(kind);
    if (!stream || this.#healedAtUs.has(kind)) return;
    const { draw, odds } = this.#circumstances;
    const subject = `${kind} ${keyOf(object)}`;
    const nth = (this.#told.get(subject) ?? 0) + 1;
    this.#told.set(subject, nth);
    const random = draw('watch', subject, nth);
    const isSlow = random.chance(odds('slowWatch'));
    const delayUs = random.below(isSlow ? 8_000 : 20) * MILLISECOND_US;
    const dueUs = Math.max(nowUs + delayUs, stream.at(-1)?.dueUs ?? 0);
    stream.push({ kind, dueUs, line: { type, object } });
    if (random.chance(odds('twice'))) stream.push({ kind, dueUs, line: { type, object } });
  }

  /** @param {string} kind @param {number} untilUs */
  break(kind, untilUs) {
    // The end of a list is not lost: its informer lists until it is complete.
    const stream = this.#streams.get(kind);
    if (!stream || this.#healedAtUs.has(kind) || stream.some(({ isListed }) => isListed)) return;
    stream.length = 0;
    this.#foundOutAtUs.delete(kind);
    this.#healedAtUs.set(kind, untilUs);
  }

  /**
   * The world has another history: nothing more of the previous one arrives, not even the rest of a
   * list, which starts anew. A watch may continue for a while as if nothing had happened.
   * @param {number} nowUs
   * @param {import('./random.js').Random} random
   */
  restart(nowUs, random) {
    for (const [kind, stream] of this.#streams) {
      const older = this.#older.get(kind);
      if (older) older.isOfOtherHistory = true;
      const goesOn = random.chance(0.6) && !this.#healedAtUs.has(kind);
      const atUs = nowUs + random.below(RESTART_US_MAX);
      const isListing = stream.some(({ isListed }) => isListed);
      this.#foundOutAtUs.delete(kind);
      if (goesOn && !isListing) this.#foundOutAtUs.set(kind, atUs);
      else this.#healedAtUs.set(kind, atUs);
      stream.length = 0;
    }
  }

  /** @param {string} kind @param {number} nowUs */
  resync(kind, nowUs) {
    const stream = this.#streams.get(kind);
    const dueUs = Math.max(nowUs, stream?.at(-1)?.dueUs ?? 0);
    stream?.push({ kind, dueUs, line: null, isResync: true });
  }

  /** When the next delivery is due; infinity if there is none. */
  get nextUs() {
    const heads = [...this.#streams.values()].flatMap(([head]) => (head ? [head.dueUs] : []));
    return Math.min(...heads, ...this.#healedAtUs.values(), ...this.#foundOutAtUs.values());
  }

  /** The due deliveries, in order. @param {number} nowUs @returns {Delivery[]} */
  take(nowUs) {
    for (const [kind, atUs] of this.#foundOutAtUs) {
      if (atUs <= nowUs) this.break(kind, nowUs);
    }
    for (const [kind, atUs] of this.#healedAtUs) {
      if (atUs <= nowUs) this.#list(kind, nowUs);
    }
    /** @type {Delivery[]} */
    const due = [];
    for (const stream of this.#streams.values()) {
      const count = stream.findIndex(({ dueUs }) => dueUs > nowUs);
      due.push(...stream.splice(0, count < 0 ? stream.length : count));
    }
    return due.sort((a, b) => a.dueUs - b.dueUs);
  }

  /** @param {string} kind @param {number} nowUs */
  #list(kind, nowUs) {
    this.#healedAtUs.delete(kind);
    const { world, draw, odds } = this.#circumstances;
    const nth = (this.#told.get(kind) ?? 0) + 1;
    this.#told.set(kind, nth);
    const random = draw('list', kind, nth);
    const older = random.chance(odds('staleList')) ? this.#older.get(kind) : undefined;
    const list = older ?? this.#keep(kind);
    const resource = RESOURCES[kind];
    const stream = /** @type {Delivery[]} */ (this.#streams.get(kind));
    let dueUs = nowUs;
    const push = (/** @type {any} */ line) => stream.push({ kind, dueUs, line, isListed: true });
    push({ type: 'SYNC_BEGIN', resource });
    for (const [index, object] of list.objects.entries()) {
      if (index % PAGE === PAGE - 1 && random.chance(odds('slowWatch'))) {
        dueUs += random.below(500) * MILLISECOND_US;
      }
      push({ type: 'ADDED', object });
    }
    push({ type: 'SYNC_END', resource, resourceVersion: list.resourceVersion });
    if (!older) return;
    // A version of another history cannot be followed: the informer lists again.
    if (older.isOfOtherHistory) this.#healedAtUs.set(kind, dueUs + MILLISECOND_US);
    else for (const line of older.since) stream.push({ kind, dueUs, line });
  }

  /** The present list. @param {string} kind */
  #keep(kind) {
    const { world } = this.#circumstances;
    const { resourceVersion } = world;
    const objects = world.list(kind);
    const list = { resourceVersion, objects, since: [], isOfOtherHistory: false };
    this.#older.set(kind, list);
    return list;
  }
}
