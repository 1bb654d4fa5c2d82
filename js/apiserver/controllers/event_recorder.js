import { timestamp } from '../object_meta.js';
import { isApiError } from './api_errors.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Clock } from '../../src/io/clock.js'
 * @import { Store } from './controller_types.js'
 */

/**
 * The burst of events that a controller may write about one object, and the time after which one
 * more is allowed.
 */
const SPAM_BURST = 25;
const SPAM_REFILL = 300_000;

/** The number of messages of one reason that are written separately within that time. */
const SIMILAR_MAX = 10;
const SIMILAR_INTERVAL = 600_000;

/** The number of written events that are remembered. */
const REMEMBERED = 4096;

/**
 * Writes the events of one controller. A repeated event increases its count; many that differ only
 * in their message become one; events beyond a rate per object are dropped. Writing is best effort:
 * refusals of the API server are ignored.
 * Counterpart: k8s.io/client-go/tools/record, v1.36 (EventCorrelator).
 */
export class EventRecorder {
  #options;
  /** Written events by their content. @type {Map<string, { namespace: string, name: string }>} */
  #written = new Map();
  /** @type {Map<string, { messages: Set<string>, since: number }>} */
  #similar = new Map();
  /** @type {Map<string, { tokens: number, at: number }>} */
  #budgets = new Map();
  #count = 0;

  /** @param {{ store: Store, clock: Clock, component: string }} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {KubernetesObject} object the object of the event
   * @param {'Normal' | 'Warning'} type
   * @param {string} reason
   * @param {string} message
   */
  event(object, type, reason, message) {
    const { uid } = object.metadata;
    const said = this.#aggregate([uid, type, reason].join('/'), message);
    if (!this.#spend(uid)) return;
    try {
      this.#write(object, { type, reason, ...said });
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  /**
   * @param {KubernetesObject} object
   * @param {{ type: string, reason: string, message: string, key: string }} said `key` identifies
   *   equal events
   */
  #write(object, { type, reason, message, key }) {
    const { store, clock, component } = this.#options;
    const now = clock.now();
    const known = this.#written.get(key);
    const stored = known && store.get('events', known.namespace, known.name);
    if (stored) {
      const count = (stored.count ?? 1) + 1;
      store.update('events', { ...stored, message, count, lastTimestamp: timestamp(now) });
      return;
    }
    const namespace = object.metadata.namespace || 'default';
    const written = store.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${object.metadata.name}.${this.#suffix(now)}`, namespace },
      involvedObject: referenceTo(object),
      reason,
      message,
      source: { component },
      firstTimestamp: timestamp(now),
      lastTimestamp: timestamp(now),
      count: 1,
      type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: '',
    });
    remember(this.#written, key, { namespace, name: written.metadata.name });
  }

  /** The suffix of an event's name, as upstream has it: the time in hexadecimal. */
  #suffix(/** @type {number} */ now) {
    this.#count += 1;
    return (BigInt(Math.floor(now)) * 1_000_000n + BigInt(this.#count)).toString(16);
  }

  /**
   * @param {string} key of all events that differ in the message alone
   * @param {string} message
   * @returns {{ message: string, key: string }}
   */
  #aggregate(key, message) {
    const now = this.#options.clock.now();
    const known = this.#similar.get(key);
    const isRecent = known !== undefined && now - known.since <= SIMILAR_INTERVAL;
    const similar = isRecent ? known : { messages: new Set(), since: now };
    similar.since = now;
    remember(this.#similar, key, similar);
    if (similar.messages.size >= SIMILAR_MAX && !similar.messages.has(message))
      return { message: `(combined from similar events): ${message}`, key };
    similar.messages.add(message);
    return { message, key: `${key}/${message}` };
  }

  /** @param {string} uid */
  #spend(uid) {
    const now = this.#options.clock.now();
    const { tokens, at } = this.#budgets.get(uid) ?? { tokens: SPAM_BURST, at: now };
    const filled = Math.min(SPAM_BURST, tokens + (now - at) / SPAM_REFILL);
    const isFree = filled >= 1;
    remember(this.#budgets, uid, { tokens: isFree ? filled - 1 : filled, at: now });
    return isFree;
  }
}

/**
 * Keeps the newest entries.
 * @template T
 * @param {Map<string, T>} map
 * @param {string} key
 * @param {T} value
 */
function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  const [oldest] = map.keys();
  map.delete(oldest);
}

/** @param {KubernetesObject} object */
function referenceTo({ apiVersion, kind, metadata }) {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind, namespace, name, uid, apiVersion, resourceVersion };
}
