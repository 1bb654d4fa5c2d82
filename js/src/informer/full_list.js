/**
 * Reads all objects of a kind by lists, for servers that do not stream them. Sources:
 * client-go/tools/cache/reflector.go (list) and tools/pager/pager.go, v1.36; "Resource versions"
 * and "Retrieving large results sets in chunks" of the Kubernetes API concepts.
 */
import { InputError } from '../kubernetes/errors.js';
import { checkListKind } from './list_kind.js';
import { PAGE_LIMIT } from '../client/list_pages.js';
import { isExpired } from '../kubernetes/status_reasons.js';
import { TimedIterator } from './timed_iterator.js';

/**
 * @import { Clock } from '../engine/types.js'
 * @import { Feed } from './feed.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 * @import { ListPage } from '../client/list_pages.js'
 * @import { ListWatch } from './list_watch.js'
 */

/** The time limit of a page, including the client's retries. */
const PAGE_IDLE_MS = 300_000;

/** FullList hands the complete list of a kind to the feed, or none of it. */
export class FullList {
  #parts;
  /** Whether the server pages even lists of any version, which means that it has no watch cache. */
  #paginatedResult = false;

  /** @param {{ kind: Kind, listWatch: ListWatch, feed: Feed, clock: Clock }} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {string} resourceVersion the list is not older; `0`: any version; empty: the most recent
   * @param {AbortSignal} signal
   * @returns {Promise<string>} the list's version
   * @throws {ApiError} ConnectionError and InputError; the sink then keeps all objects
   */
  async read(resourceVersion, signal) {
    // With a limit, the server would return exactly this version, and older servers would bypass
    // their watch cache.
    const isAtLeast = resourceVersion !== '' && resourceVersion !== '0';
    const limit = isAtLeast && !this.#paginatedResult ? 0 : PAGE_LIMIT;
    const pages = this.#pages({ resourceVersion, limit }, signal);
    try {
      const version = await this.#take(pages, signal);
      this.#paginatedResult ||= resourceVersion === '0' && pages.count > 1;
      return version;
    } catch (cause) {
      if (!isExpired(cause) || pages.count === 0) throw cause;
    } finally {
      pages.close();
    }
    // The page token has expired. A list without pages needs none; it must not be older than the
    // pages that have arrived, so it is the most recent one.
    const whole = this.#pages({ resourceVersion: '', limit: 0 }, signal);
    try {
      return await this.#take(whole, signal);
    } finally {
      whole.close();
    }
  }

  /**
   * @param {Parameters<ListWatch['list']>[0]} options
   * @param {AbortSignal} signal
   * @returns {TimedIterator<ListPage>}
   */
  #pages(options, signal) {
    const { listWatch, clock } = this.#parts;
    const begin = (/** @type {AbortSignal} */ end) => listWatch.list(options, end);
    return new TimedIterator(begin, { clock, signal, idleMs: PAGE_IDLE_MS });
  }

  /**
   * @param {TimedIterator<ListPage>} pages
   * @param {AbortSignal} signal
   */
  async #take(pages, signal) {
    const { feed, kind } = this.#parts;
    let resourceVersion = '';
    for (let page; (page = await pages.next());) {
      checkListKind(page.bytes, kind);
      const version = checkedVersion(page.metadata.resourceVersion);
      if (pages.count === 1) {
        resourceVersion = version;
        await feed.begin(signal);
      }
      await feed.list(page.bytes, signal);
    }
    await feed.end(resourceVersion, signal);
    return resourceVersion;
  }
}

/**
 * Without a version no watch can start at the list's end. A response without one is not from an API
 * server, though it may look like an empty list.
 * @param {unknown} version
 */
function checkedVersion(version) {
  if (typeof version === 'string' && version !== '' && version !== '0') return version;
  const field = 'metadata.resourceVersion';
  throw new InputError({ code: 'FieldValueRequired', field, detail: 'a list has a version' });
}
