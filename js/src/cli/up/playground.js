/** Serves the playground beside the API of a cluster: the page finds the API at its own origin. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fetchOf, PLAIN, PlainResponse } from '../../io/plain_http.js';
import { staticFiles } from '../../runtimes/node/static_files.js';

/** @import { Fetch, PlainFetch } from '../../io/plain_http.js' */

/** The page's path, which the API does not use. */
export const PLAYGROUND_PATH = '/playground/';

/** Tells the page that the cluster is a sandbox, which it then shows at once. */
const MARK = '<meta name="stowage-cluster" content="sandbox" />';

/** @param {string} folder of the built page */
export function hasPlayground(folder) {
  return existsSync(join(folder, 'index.html'));
}

/**
 * Returns the handler with the page at its path.
 * @param {Fetch & { [PLAIN]: PlainFetch }} fetch
 * @param {string} folder of the built page
 * @returns {Fetch & { [PLAIN]: PlainFetch }}
 */
export function withPlayground(fetch, folder) {
  const page = staticFiles(folder, {
    prefix: PLAYGROUND_PATH,
    headers: { 'content-security-policy': "frame-ancestors 'none'" },
    asServed: (path, bytes) =>
      path === 'index.html' ? String(bytes).replace('<head>', `<head>\n    ${MARK}`) : bytes,
  });
  return fetchOf(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(PLAYGROUND_PATH)) return page(request);
    if (`${pathname}/` !== PLAYGROUND_PATH) return fetch[PLAIN](request);
    return new PlainResponse('', { status: 308, headers: { location: PLAYGROUND_PATH } });
  });
}
