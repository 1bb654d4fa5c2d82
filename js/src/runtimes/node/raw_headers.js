/** @import { PlainHeaderValues } from '../../io/plain_http.js' */

/**
 * Returns headers by their names in lower case. Equal names are joined to one list, as in Headers;
 * only cookies stay apart.
 * @param {string[]} rawHeaders Node's: names and values alternate
 * @returns {PlainHeaderValues}
 */
export function headersFrom(rawHeaders) {
  /** @type {PlainHeaderValues} */
  const headers = Object.create(null);
  /** @type {string[]} */
  const cookies = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase();
    const value = rawHeaders[at + 1];
    if (name === 'set-cookie') cookies.push(value);
    else headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return headers;
}
