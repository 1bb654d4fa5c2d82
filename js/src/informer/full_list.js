/**
 * All objects of a kind by lists, for servers that do not send them as a stream.
 * Sources: client-go/tools/cache/reflector.go (list) and tools/pager/pager.go, v1.36; "Resource
 * versions" and "Retrieving large results sets in chunks" of the Kubernetes API concepts.
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

/** How long a page may take, other attempts of the client included. */
const PAGE_IDLE_MS = 300_000;

/** FullList hands the list of a kind to the feed, whole or not at all. */
export class FullList {
  #parts;
  /** The server cuts it in pages even where any version will do: it has no watch cache. */
  #paginatedResult = false;

  /** @param {{ kind: Kind, listWatch: ListWatch, feed: Feed, clock: Clock }} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {string} resourceVersion not older than that; `0`: any; empty: the most recent
   * @param {AbortSignal} signal
   * @returns {Promise<string>} the version that it is of
   * @throws {ApiError} ConnectionError and InputError: nothing is known to be gone then
   */
  async read(resourceVersion, signal) {
    // With a limit the version would be an exact one, and older servers would pass their watch
    // cache by.
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
    // The token of a page was too old; without pages there are no tokens. No object may become
    // older than it was on the pages that came.
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
 * Without a version no watch can begin where the list ends; and what has none is no list of an API
 * server, though it may look like an empty one.
 * @param {unknown} version
 */
function checkedVersion(version) {
  if (typeof version === 'string' && version !== '' && version !== '0') return version;
  const field = 'metadata.resourceVersion';
  throw new InputError({ code: 'FieldValueRequired', field, detail: 'a list has a version' });
}
