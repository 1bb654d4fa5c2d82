/**
 * Handles bindings that no watch event confirms. kube-scheduler keeps an assumed pod forever: if
 * the API server accepted a binding and lost it, for example with the state that it was written to,
 * the pod keeps its room, and no cycle schedules it again. Here the pod is read back, and the
 * scheduler gets the API server's state of it like a watch event.
 */
import { splitKey } from '../kubernetes/keys.js';
import { ApiError } from '../kubernetes/api_error.js';
import { DisposedError, InputError } from '../kubernetes/errors.js';
import { isNotFound } from '../kubernetes/status_reasons.js';
import { isRecord } from '../kubernetes/values.js';
import { Fifo } from '../io/fifo.js';
import { sleepOrStop } from '../io/in_time.js';
import { failure, info } from './log_entry.js';

/**
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Clock, Turn } from '../engine/types.js'
 * @import { OnLog } from './log_entry.js'
 */

/**
 * How long a watch event may take to confirm a binding before the pod is read back: milliseconds.
 */
const CONFIRMATION_TIMEOUT = 120_000;

export class UnconfirmedBindings {
  #parts;
  /** When each pod is read back, by `namespace/name`. @type {Map<string, number>} */
  #due = new Map();
  /** The same, the oldest first, also of pods that were bound again since. */
  #queue = /** @type {Fifo<{ pod: string, until: number }>} */ (new Fifo());
  #isWatching = false;

  /**
   * @param {object} parts
   * @param {Pick<Scheduler, 'inspect' | 'apply'>} parts.scheduler
   * @param {Pick<ApiClient, 'json'>} parts.client
   * @param {<T>(read: () => Promise<T>) => Promise<T>} parts.within the limits of all calls
   * @param {Clock} parts.clock
   * @param {AbortSignal} parts.signal after it no pod is read back any more
   * @param {OnLog} [parts.onLog]
   * @param {(cause: unknown) => void} parts.onFault gets the scheduler's exceptions
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Records the bindings of a turn.
   * @param {Turn} turn
   */
  take({ records }) {
    for (const record of /** @type {any[]} */ (records))
      if (record.kind === 'BindingResult' && record.result === 'bound') this.#wait(record.pod);
    if (!this.#isWatching) void this.#watch();
  }

  /** @param {string} pod */
  #wait(pod) {
    const until = this.#parts.clock.now() + CONFIRMATION_TIMEOUT;
    this.#due.set(pod, until);
    this.#queue.push({ pod, until });
  }

  async #watch() {
    const { clock, signal, onFault } = this.#parts;
    this.#isWatching = true;
    try {
      for (let next; (next = this.#queue.peek()) && !signal.aborted;) {
        const { pod, until } = next;
        if (clock.now() < until) await sleepOrStop(clock, until, signal);
        if (signal.aborted) continue;
        this.#queue.shift();
        // The pod was bound again meanwhile, which started a new deadline.
        if (this.#due.get(pod) !== until) continue;
        this.#due.delete(pod);
        const uid = this.#assumed(pod);
        if (uid) this.#readBack(pod, uid).catch(onFault);
      }
    } catch (cause) {
      onFault(cause);
    } finally {
      this.#isWatching = false;
    }
  }

  /**
   * Returns the uid of a pod that is assumed; empty if it is confirmed or gone.
   * @param {string} pod
   * @returns {string}
   */
  #assumed(pod) {
    try {
      const { assumed, uid } = this.#parts.scheduler.inspect({ pod });
      return assumed ? uid : '';
    } catch (cause) {
      if (cause instanceof InputError || cause instanceof DisposedError) return '';
      throw cause;
    }
  }

  /** @param {string} pod @param {string} uid */
  async #readBack(pod, uid) {
    const { within, signal, onLog } = this.#parts;
    const { namespace, name } = splitKey(pod);
    /** @type {KubernetesObject | undefined} */
    let object;
    try {
      object = await within(() => this.#read(namespace, name));
    } catch (cause) {
      if (signal.aborted) return;
      onLog?.(failure(cause, 'Unable to read an unconfirmed binding back', { pod }));
      if (!this.#due.has(pod)) this.#wait(pod);
      if (!this.#isWatching) void this.#watch();
      return;
    }
    // A watch event or another binding may have come first.
    if (signal.aborted || this.#due.has(pod) || this.#assumed(pod) !== uid) return;
    const node = object?.spec?.nodeName;
    onLog?.(info(1, 'No watch event confirmed the binding', { pod, node }));
    const gone = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid } };
    const isBound = object?.metadata.uid === uid && Boolean(node);
    const events = [
      ...(isBound ? [] : [{ type: /** @type {const} */ ('DELETED'), object: gone }]),
      ...(object ? [{ type: /** @type {const} */ ('MODIFIED'), object }] : []),
    ];
    const onError = (/** @type {InputError} */ error) =>
      onLog?.(failure(error, 'Unable to take an unconfirmed binding back', { pod }));
    this.#parts.scheduler.apply(events, { onError });
  }

  /**
   * @param {string} namespace
   * @param {string} name
   * @returns {Promise<any>} undefined if there is no such pod
   * @throws {ApiError} ConnectionError, or InputError if the response is not the pod of that name
   */
  async #read(namespace, name) {
    const { client, signal } = this.#parts;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    try {
      const object = await client.json(path, { signal });
      const { kind, metadata } = isRecord(object) ? object : {};
      if (kind === 'Pod' && metadata?.name === name && metadata.uid) return object;
      const detail = `the response to GET ${path} is not that pod`;
      throw new InputError({ code: 'FieldValueInvalid', field: 'kind', detail });
    } catch (cause) {
      if (cause instanceof ApiError && isNotFound(cause) && isOfPod(cause)) return undefined;
      throw cause;
    }
  }
}

/**
 * Whether the 404 is about the pod. A proxy that does not know the path answers 404 as well.
 * @param {ApiError} error
 */
function isOfPod({ details }) {
  return details?.kind === 'pods';
}
