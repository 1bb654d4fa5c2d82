/**
 * A watch: a stream of JSON lines after a version, until the client ends it or it times out.
 * Source: "Efficient detection of changes", "Watch bookmarks" and "Streaming lists" of the
 * Kubernetes API concepts; apiserver/pkg/storage/cacher, v1.36.
 */
import { EventLine, eventLine } from './event_line.js';
import { prefixOf } from './lists.js';
import { expired, tooLargeResourceVersion } from '../src/kubernetes/status_errors.js';
import { watchEvent } from './watch_events.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Clock } from '../src/io/clock.js'
 * @import { ListOptions } from './list_options.js'
 * @import { Representation } from './representation.js'
 * @import { ResourceRequest } from './request_info.js'
 * @import { Storage, StorageEvent } from './storage.js'
 * @import { Watches } from './watches.js'
 */

/** The interval of bookmarks, also before the end: milliseconds. */
const BOOKMARK_PERIOD = 60_000;
const BOOKMARK_BEFORE_END = 2_000;

/** The timeout of a watch without one is between this and twice this: milliseconds. */
const TIMEOUT_LEAST = 1_800_000;

/**
 * The maximum that waits for a slow reader in addition to the initial events: lines, and their
 * characters. A watch with more ends without sending them; its client can resume from the last
 * event that it read.
 */
const WAITING_MAX = 10_000;
const WAITING_CHARACTERS_MAX = 16 << 20;

/** The number of characters after which a chunk is complete. */
const CHUNK = 1 << 20;

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

export class WatchStream {
  #parts;
  /** @type {ReadableStreamDefaultController<Uint8Array> | null} */
  #controller = null;
  /** The initial events, created when the reader requests them. @type {Iterator<EventLine>} */
  #beginning = [][Symbol.iterator]();
  #hasBegun = true;
  /** Whether the reader waits for the next chunk. */
  #isAsked = false;
  /** Later lines that the reader has not taken yet. @type {EventLine[]} */
  #waiting = [];
  #waitingCharacters = 0;
  #isEnding = false;
  #ended = new AbortController();
  /** @type {() => void} */
  #unsubscribe = () => {};
  /** Events up to this version are not sent. */
  #resourceVersion = 0;

  /**
   * @param {{ storage: Storage, request: Pick<ResourceRequest, 'resource' | 'namespace'>,
   *   options: ListOptions, representation: Representation, clock: Clock, random: () => number,
   *   watches: Watches, asked: { signal: AbortSignal } }} parts `watches`: the open ones, including
   *   this; `asked`: the request, whose signal ends the watch. It is kept, because the signal of a
   *   Request may not outlive the Request
   * @throws {import('../src/kubernetes/api_error.js').ApiError} Timeout for a future version
   */
  constructor(parts) {
    this.#parts = parts;
    // Nothing is created before the reader requests it.
    this.stream = new ReadableStream(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => {
          this.#isAsked = true;
          this.#flush();
        },
        cancel: () => this.#stop(),
      },
      { highWaterMark: 0 },
    );
    this.#begin();
  }

  #begin() {
    const { storage, options, request, watches, asked } = this.#parts;
    const current = storage.resourceVersion;
    // Without a version and without initial events, a watch starts with the next event.
    const wanted = Number(options.resourceVersion) || current;
    if (options.sendInitialEvents) {
      if (wanted > current) throw tooLargeResourceVersion(options.resourceVersion, current);
      this.#sendInitialEvents();
    } else if (!this.#sendEventsAfter(wanted)) {
      return;
    }
    this.#resourceVersion = current;
    this.#unsubscribe = storage.subscribe(request.resource.plural, (event) => this.#receive(event));
    const end = () => this.#end();
    this.#ended.signal.addEventListener('abort', watches.add(end));
    asked.signal.addEventListener('abort', end, { signal: this.#ended.signal });
    if (asked.signal.aborted) end();
    if (!this.#isEnding) void this.#keepTime();
  }

  #sendInitialEvents() {
    const { storage, request, options } = this.#parts;
    const objects = storage.list(request.resource.plural, prefixOf(request));
    const annotations = { [INITIAL_EVENTS_END]: 'true' };
    const end = options.allowWatchBookmarks ? [this.#bookmark(annotations)] : [];
    this.#beginWith(this.#initialLines(objects, end));
  }

  /**
   * @param {readonly KubernetesObject[]} objects
   * @param {EventLine[]} end
   */
  *#initialLines(objects, end) {
    for (const object of objects) {
      if (this.#matches(object)) yield this.#line({ type: 'ADDED', object });
    }
    yield* end;
  }

  /** @param {readonly StorageEvent[]} events */
  *#linesOf(events) {
    for (const event of events) {
      const seen = this.#seen(event);
      if (seen) yield this.#line(seen);
    }
  }

  /** @param {Iterator<EventLine>} lines */
  #beginWith(lines) {
    this.#beginning = lines;
    this.#hasBegun = false;
  }

  /**
   * @param {number} resourceVersion
   * @returns {boolean} false if the version is too old: the watch is then over
   */
  #sendEventsAfter(resourceVersion) {
    const { storage, request, representation } = this.#parts;
    const { plural } = request.resource;
    const current = storage.resourceVersion;
    const events = resourceVersion > current ? null : storage.eventsAfter(plural, resourceVersion);
    if (events) {
      this.#beginWith(this.#linesOf(events));
      return true;
    }
    // A future version belongs to another server; a watch cannot resume from it here.
    const message =
      resourceVersion > current
        ? `Too large resource version: ${resourceVersion}, current: ${current}`
        : `too old resource version: ${resourceVersion} (${storage.compacted(plural)})`;
    this.#send(new EventLine(representation.error(expired(message).toStatus())));
    this.#end();
    return false;
  }

  /** @param {StorageEvent} event */
  #receive(event) {
    if (event.resourceVersion <= this.#resourceVersion) return;
    const seen = this.#seen(event);
    if (seen) this.#send(this.#line(seen));
  }

  /** @param {StorageEvent} event */
  #seen(event) {
    if (!event.key.startsWith(prefixOf(this.#parts.request))) return null;
    return watchEvent(event, (object) => this.#matches(object));
  }

  /** @param {{ type: string, object: KubernetesObject }} event */
  #line(event) {
    return eventLine(this.#parts.request.resource, this.#parts.representation, event);
  }

  /** @param {KubernetesObject} object */
  #matches(object) {
    const { labelSelector, fieldSelector } = this.#parts.options;
    return labelSelector.matches(object.metadata.labels) && fieldSelector.matches(object);
  }

  /** @param {Record<string, string>} [annotations] */
  #bookmark(annotations) {
    const { storage, representation } = this.#parts;
    const resourceVersion = String(storage.resourceVersion);
    const metadata = { resourceVersion, ...(annotations && { annotations }) };
    return new EventLine(representation.bookmark(metadata));
  }

  /** Sends bookmarks, and ends the watch. In virtual time it does neither. */
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
        if (options.allowWatchBookmarks) this.#send(this.#bookmark());
      }
      await clock.sleep(start + timeout, signal);
    } catch (cause) {
      if (signal.aborted) return;
      this.#controller?.error(cause);
      this.#controller = null;
    }
    this.#end();
  }

  /** @param {EventLine} line */
  #send(line) {
    if (this.#isEnding) return;
    this.#waiting.push(line);
    this.#waitingCharacters += line.text.length;
    const isSlow =
      this.#waiting.length > WAITING_MAX || this.#waitingCharacters > WAITING_CHARACTERS_MAX;
    if (isSlow) return this.#sendAway();
    this.#flush();
  }

  /** Sends a waiting reader the queued lines, as one chunk of bounded size. */
  #flush() {
    const lines = this.#isAsked ? this.#nextLines() : [];
    if (lines.length > 0) {
      // enqueue() may request more at once.
      this.#isAsked = false;
      this.#controller?.enqueue(bytesOf(lines));
    }
    const isEmpty = this.#hasBegun && this.#waiting.length === 0;
    if (this.#isEnding && isEmpty) this.#stop(true);
  }

  /** @returns {EventLine[]} about a chunk, the initial events first */
  #nextLines() {
    const lines = [];
    let characters = 0;
    while (!this.#hasBegun && characters < CHUNK) {
      const { done, value } = this.#beginning.next();
      if (done) this.#hasBegun = true;
      else characters += lines[lines.push(value) - 1].text.length;
    }
    if (!this.#hasBegun) return lines;
    let count = 0;
    for (; count < this.#waiting.length && characters < CHUNK; count += 1)
      characters += this.#waiting[count].text.length;
    const taken = this.#waiting.splice(0, count);
    for (const { text } of taken) this.#waitingCharacters -= text.length;
    return [...lines, ...taken];
  }

  /** Ends the queue; the reader still gets the waiting lines. */
  #end() {
    this.#isEnding = true;
    this.#unsubscribe();
    this.#ended.abort();
    this.#flush();
  }

  /** Ends a reader that is too slow; the waiting lines are dropped. */
  #sendAway() {
    this.#waiting = [];
    this.#beginning = [][Symbol.iterator]();
    this.#hasBegun = true;
    this.#end();
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

/**
 * Returns lines as one chunk. A single line shares its bytes with all watches.
 * @param {EventLine[]} lines
 */
function bytesOf(lines) {
  if (lines.length === 1) return lines[0].bytes;
  // Not with join(): it would copy each line twice.
  let text = '';
  for (const line of lines) text += line.text;
  return new EventLine(text).bytes;
}
