/** Serves the files of a folder. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PlainResponse } from '../../io/plain_http.js';

/** @import { PlainHeaderValues, PlainRequest } from '../../io/plain_http.js' */

const TYPES = /** @type {Record<string, string>} */ ({
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
});

/** The type by the file's extension; unknown extensions are bytes. @param {string} file */
export function contentTypeOf(file) {
  return TYPES[extname(file)] ?? 'application/octet-stream';
}

const INDEX = 'index.html';

/** Our folders have only such names. The pattern excludes `..` and hidden files. */
const NAME = /^[\w-][\w.-]*$/;

/**
 * Returns a handler for the files of a folder. The URL of a folder serves its `index.html`.
 * @param {string} folder
 * @param {{ prefix: string, headers?: PlainHeaderValues, asServed?: (path: string, bytes:
 *   Uint8Array) => Uint8Array | string }} options `prefix` of the paths, such as `/page/`,
 *   `headers` of all responses, `asServed` converts a file's content before it is served
 * @returns {(request: PlainRequest) => Promise<PlainResponse>}
 */
export function staticFiles(folder, { prefix, headers = {}, asServed = (_, bytes) => bytes }) {
  const answer = (/** @type {number} */ status, text = '', more = {}) =>
    new PlainResponse(text, { status, headers: { ...headers, ...more } });
  return async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return answer(405, '', { allow: 'GET, HEAD' });
    const path = pathOf(new URL(url).pathname.slice(prefix.length));
    const bytes = path === undefined ? undefined : await contentOf(join(folder, path));
    if (path === undefined || bytes === undefined) return answer(404, 'There is no such file.\n');
    return new PlainResponse(asServed(path, bytes), {
      status: 200,
      headers: {
        'content-type': contentTypeOf(path),
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        ...headers,
      },
    });
  };
}

/**
 * @param {string} rest of a URL's path
 * @returns {string | undefined} relative to the folder; undefined if no file can have this path
 */
function pathOf(rest) {
  const names = rest.split('/');
  if (names.at(-1) === '') names[names.length - 1] = INDEX;
  return names.every((name) => NAME.test(name)) ? names.join('/') : undefined;
}

/** @param {string} file */
async function contentOf(file) {
  try {
    return await readFile(file);
  } catch {
    return undefined;
  }
}
