/**
 * A watch: a stream of JSON lines, from a version on, until somebody ends it or its time is up.
 * Source: "Efficient detection of changes", "Watch bookmarks" and "Streaming lists" of the
 * Kubernetes API concepts; apiserver/pkg/storage/cacher, v1.36.
 */
import { prefixOf } from './lists.js';
import { expired, tooLargeResourceVersion } from './status_errors.js';
import { watchEvent } from './watch_events.js';

/**
 * @import { Clock, KubernetesObject } from '../types.js'
 * @import { ListOptions } from './list_options.js'
 * @import { Representation } from './representation.js'
 * @import { ResourceRequest } from './request_info.js'
 * @import { Storage, StorageEvent } from './storage.js'
 * @import { Watches } from './watches.js'
 */

/** Between bookmarks, and before the end: milliseconds. */
const BOOKMARK_PERIOD = 60_000;
const BOOKMARK_BEFORE_END = 2_000;

/** A watch that asks for no end has one between this and twice this: milliseconds. */
const TIMEOUT_LEAST = 1_800_000;

/**
 * Lines that wait for a slow reader, beyond those that it begins with. One that has more is sent
 * away, and comes back.
 */
const WAITING_MAX = 10_000;

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

export class WatchStream {
  #parts;
  /** @type {ReadableStreamDefaultController<Uint8Array> | null} */
  #controller = null;
  /** Lines that the reader did not take yet. @type {string[]} */
  #waiting = [];
  #waitingMax = Infinity;
  #isEnding = false;
  #ended = new AbortController();
  /** @type {() => void} */
  #unsubscribe = () => {};
  /** No event up to this version is told. */
  #resourceVersion = 0;
  #encoder = new TextEncoder();

  /**
   * @param {{ storage: Storage, request: Pick<ResourceRequest, 'resource' | 'namespace'>,
   *   options: ListOptions, representation: Representation, clock: Clock, random: () => number,
   *   watches: Watches, asked: { signal: AbortSignal } }} parts `watches`: it is one of them;
   *   `asked`: whose signal ends it. It is held, for the signal of a Request may live no longer
   *   than the Request
   * @throws {import('../api_error.js').ApiError} Timeout, of a version to come
   */
  constructor(parts) {
    this.#parts = parts;
    this.stream = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#flush(),
      cancel: () => this.#stop(),
    });
    this.#begin();
  }

  #begin() {
    const { storage, options, request, watches, asked } = this.#parts;
    const current = storage.resourceVersion;
    // Without a version, who wants no initial events wants the next ones.
    const wanted = Number(options.resourceVersion) || current;
    if (options.sendInitialEvents) {
      if (wanted > current) throw tooLargeResourceVersion(options.resourceVersion, current);
      this.#sendInitialEvents();
    } else if (!this.#sendEventsAfter(wanted)) {
      return;
    }
    this.#resourceVersion = current;
    this.#waitingMax = this.#waiting.length + WAITING_MAX;
    this.#unsubscribe = storage.subscribe(request.resource.plural, (event) => this.#tell(event));
    const end = () => this.#end();
    this.#ended.signal.addEventListener('abort', watches.add(end));
    asked.signal.addEventListener('abort', end, { signal: this.#ended.signal });
    if (asked.signal.aborted) end();
    if (!this.#isEnding) void this.#keepTime();
  }

  #sendInitialEvents() {
    const { storage, request, representation, options } = this.#parts;
    for (const object of storage.list(request.resource.plural, prefixOf(request))) {
      if (this.#matches(object)) this.#send(representation.event('ADDED', object));
    }
    if (options.allowWatchBookmarks) this.#sendBookmark({ [INITIAL_EVENTS_END]: 'true' });
  }

  /**
   * @param {number} resourceVersion
   * @returns {boolean} false when that is too long ago: the watch is over then
   */
  #sendEventsAfter(resourceVersion) {
    const { storage, request, representation } = this.#parts;
    const { plural } = request.resource;
    const current = storage.resourceVersion;
    const events = resourceVersion > current ? null : storage.eventsAfter(plural, resourceVersion);
    if (events) {
      for (const event of events) this.#tell(event);
      return true;
    }
    // A version to come is one of another server: nobody can go on from it here.
    const message =
      resourceVersion > current
        ? `Too large resource version: ${resourceVersion}, current: ${current}`
        : `too old resource version: ${resourceVersion} (${storage.compacted(plural)})`;
    this.#send(representation.error(expired(message).toStatus()));
    this.#end();
    return false;
  }

  /** @param {StorageEvent} event */
  #tell(event) {
    const { representation, request } = this.#parts;
    if (event.resourceVersion <= this.#resourceVersion) return;
    if (!event.key.startsWith(prefixOf(request))) return;
    const seen = watchEvent(event, (object) => this.#matches(object));
    if (seen) this.#send(representation.event(seen.type, seen.object));
  }

  /** @param {KubernetesObject} object */
  #matches(object) {
    const { labelSelector, fieldSelector } = this.#parts.options;
    return labelSelector.matches(object.metadata.labels) && fieldSelector.matches(object);
  }

  /** @param {Record<string, string>} [annotations] */
  #sendBookmark(annotations) {
    const { storage, representation } = this.#parts;
    const resourceVersion = String(storage.resourceVersion);
    this.#send(representation.bookmark({ resourceVersion, ...(annotations && { annotations }) }));
  }

  /** Bookmarks, and the end. Where time is virtual, nobody waits for it. */
  async #keepTime() {
    const { clock, options, random } = this.#parts;
    if (clock.isVirtual) return;
    const { signal } = this.#ended;
    const start = clock.now();
    const timeout = options.timeoutSeconds
      ? options.timeoutSeconds * 1000
      : TIMEOUT_LEAST * (1 + random());
    try {
      for (const time of bookmarkTimes(start, start + timeout)) {
        await clock.sleep(time, signal);
        if (options.allowWatchBookmarks) this.#sendBookmark();
      }
      await clock.sleep(start + timeout, signal);
    } catch (cause) {
      if (signal.aborted) return;
      this.#controller?.error(cause);
      this.#controller = null;
    }
    this.#end();
  }

  /** @param {string} line */
  #send(line) {
    if (this.#isEnding) return;
    this.#waiting.push(line);
    if (this.#waiting.length > this.#waitingMax) return this.#end();
    if ((this.#controller?.desiredSize ?? 0) > 0) this.#flush();
  }

  /** Hands everything that waits to the reader, as one chunk. */
  #flush() {
    if (this.#waiting.length > 0) {
      // Not joined: each line would be copied twice.
      let text = '';
      for (const line of this.#waiting) text += line;
      // To enqueue may be to be asked for more at once.
      this.#waiting = [];
      this.#controller?.enqueue(this.#encoder.encode(text));
    }
    if (this.#isEnding) this.#stop(true);
  }

  /** No more lines come; the reader still gets those that wait. */
  #end() {
    this.#isEnding = true;
    this.#unsubscribe();
    this.#ended.abort();
    if (this.#waiting.length === 0 || (this.#controller?.desiredSize ?? 0) > 0) this.#flush();
  }

  #stop(isClosing = false) {
    this.#unsubscribe();
    this.#ended.abort();
    if (isClosing) this.#controller?.close();
    this.#controller = null;
  }
}

/**
 * @param {number} start
 * @param {number} deadline
 */
function* bookmarkTimes(start, deadline) {
  const last = deadline - BOOKMARK_BEFORE_END;
  for (let time = start + BOOKMARK_PERIOD; time < last; time += BOOKMARK_PERIOD) yield time;
  if (last > start) yield last;
}
