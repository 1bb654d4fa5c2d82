/** The addresses of requests, of which few have to be parsed. */

/**
 * @typedef {object} Address the parts of a URL
 * @property {URL} server any URL there
 * @property {string} path with the query
 * @property {string} pathname
 * @property {URLSearchParams} searchParams must not be changed
 */

/** Paths that parsing leaves as they are, apart from segments that begin with a dot. */
const PLAIN_PATH = /^\/[/\w.~:-]*$/;

const NOTHING = new URLSearchParams();

/** The server of the latest address, which most of the others share. */
let latest = originOf(new URL('http://localhost'));

/**
 * @param {string} url absolute
 * @returns {Address}
 * @throws {TypeError} if it is invalid
 */
export function addressOf(url) {
  const { origin, server } = latest;
  const path = url.startsWith(origin) ? url.slice(origin.length) : '';
  if (PLAIN_PATH.test(path) && !path.includes('/.')) {
    return { server, path, pathname: path, searchParams: NOTHING };
  }
  const parsed = new URL(url);
  latest = originOf(parsed);
  const { pathname, search, searchParams } = parsed;
  return { server: parsed, path: pathname + search, pathname, searchParams };
}

/** @param {URL} server */
function originOf(server) {
  return { server, origin: server.origin };
}
