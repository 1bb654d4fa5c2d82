/**
 * Reads lists in pages. Source: client-go/tools/pager/pager.go, v1.36, and "Retrieving large
 * results sets in chunks" of the Kubernetes API concepts.
 */
import { listMetaOf } from './list_meta.js';

/** @import { ListMeta } from './list_meta.js' */

/** The default maximum size of a page, as in client-go. */
export const PAGE_LIMIT = 500;

const LINE_FEED = 10;
const SPACE = 32;

/**
 * One page as the server sent it, but on one line: `bytes` contains no line feed.
 * @typedef {{ bytes: Uint8Array, metadata: ListMeta }} ListPage
 */

/** @typedef {Record<string, string | number | boolean | undefined>} Query */

/**
 * Requests one page after the other, until the server marks the last one.
 * @param {(query: Query) => Promise<Uint8Array>} get requests one page
 * @param {{ limit?: number, query?: Query }} options `limit: 0`: all in one page
 * @returns {AsyncGenerator<ListPage, void, void>}
 */
export async function* listPages(get, { limit = PAGE_LIMIT, query = {} }) {
  const { resourceVersion, resourceVersionMatch, ...rest } = query;
  const paged = { ...rest, ...(limit > 0 && { limit }) };
  let next = /** @type {string | undefined} */ (query.continue);
  do {
    // A token contains its version; the server rejects another version beside it.
    const version = next ? { continue: next } : { resourceVersion, resourceVersionMatch };
    const bytes = onOneLine(await get({ ...paged, ...version }));
    const metadata = listMetaOf(bytes);
    yield { bytes, metadata };
    next = metadata.continue;
  } while (next);
}

/**
 * Replaces line feeds in place. In JSON they only occur between values; API servers write several
 * for browsers.
 * @param {Uint8Array} bytes
 */
function onOneLine(bytes) {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
    bytes[at] = SPACE;
  return bytes;
}
