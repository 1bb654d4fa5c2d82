/**
 * Lists in pages.
 * Source: client-go/tools/pager/pager.go, v1.36, and "Retrieving large results sets in chunks" of
 * the Kubernetes API concepts.
 */
import { listMetaOf } from './list_meta.js';

/** @import { ListMeta } from './list_meta.js' */

/** What a page holds at most, unless told otherwise: client-go's default. */
export const PAGE_LIMIT = 500;

const LINE_FEED = 10;
const SPACE = 32;

/**
 * One page, as the server sent it, but on one line: `bytes` has no line feed in it.
 * @typedef {{ bytes: Uint8Array, metadata: ListMeta }} ListPage
 */

/** @typedef {Record<string, string | number | boolean | undefined>} Query */

/**
 * Asks for one page after the other, until the server says that it was the last.
 * @param {(query: Query) => Promise<Uint8Array>} get one page
 * @param {{ limit?: number, query?: Query }} options `limit: 0`: all at once
 * @returns {AsyncGenerator<ListPage, void, void>}
 */
export async function* listPages(get, { limit = PAGE_LIMIT, query = {} }) {
  const { resourceVersion, resourceVersionMatch, ...rest } = query;
  const paged = { ...rest, ...(limit > 0 && { limit }) };
  let next = /** @type {string | undefined} */ (query.continue);
  do {
    // A token holds its version itself; the server refuses another beside it.
    const version = next ? { continue: next } : { resourceVersion, resourceVersionMatch };
    const bytes = onOneLine(await get({ ...paged, ...version }));
    const metadata = listMetaOf(bytes);
    yield { bytes, metadata };
    next = metadata.continue;
  } while (next);
}

/**
 * In place. A line feed in JSON is always one between values; API servers write several for
 * browsers.
 * @param {Uint8Array} bytes
 */
function onOneLine(bytes) {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
    bytes[at] = SPACE;
  return bytes;
}
