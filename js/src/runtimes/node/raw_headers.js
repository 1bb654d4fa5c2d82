/** Headers as Node receives them. */
import { PlainHeaders } from '../../io/plain_http.js';

/** @import { PlainHeaderValues } from '../../io/plain_http.js' */

/** Few of the headers of a message are read, so they are found one by one. */
export class RawHeaders extends PlainHeaders {
  #raw;
  /** @type {PlainHeaderValues | undefined} */
  #all;

  /** @param {string[]} rawHeaders Node's: names and values alternate */
  constructor(rawHeaders) {
    super({});
    this.#raw = rawHeaders;
  }

  /** @override */
  get all() {
    return (this.#all ??= headersFrom(this.#raw));
  }

  /**
   * @override
   * @param {string} name
   */
  get(name) {
    const raw = this.#raw;
    const wanted = name.toLowerCase();
    /** @type {string | null} */
    let found = null;
    for (let at = 0; at < raw.length; at += 2) {
      const isIt = raw[at].length === wanted.length && raw[at].toLowerCase() === wanted;
      if (isIt) found = found === null ? raw[at + 1] : `${found}, ${raw[at + 1]}`;
    }
    return found;
  }
}

/**
 * Returns headers by their names in lower case. Equal names are joined to one list, as in Headers;
 * only cookies stay apart.
 * @param {string[]} rawHeaders Node's: names and values alternate
 * @returns {PlainHeaderValues}
 */
function headersFrom(rawHeaders) {
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
