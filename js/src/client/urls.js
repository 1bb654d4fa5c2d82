/** Addresses of API servers and what is below them. */
import { InputError } from '../kubernetes/errors.js';
import { withoutLastSlashes } from '../io/url_text.js';

/** @import { Query } from './list_pages.js' */

/**
 * @param {unknown} text
 * @returns {string | undefined} without trailing slashes; undefined if it cannot be a server's
 *   address
 */
export function baseOf(text) {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.search || url.hash || url.username || url.password) return undefined;
  return withoutLastSlashes(url.href);
}

/**
 * @param {string} base
 * @param {string} path
 * @param {Query} [query]
 * @returns {string}
 * @throws {InputError} if the path does not start with a slash: text after a host's name would
 *   change the host
 */
export function urlOf(base, path, query = {}) {
  if (!path.startsWith('/')) {
    const detail = 'a path that begins with a slash is expected';
    throw new InputError({ code: 'FieldValueInvalid', field: 'path', value: path, detail });
  }
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return base + path;
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${base}${path}${path.includes('?') ? '&' : '?'}${text}`;
}
