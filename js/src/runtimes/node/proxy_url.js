/** Checks the addresses of proxies. */

/** Upstream supports socks5 as well. */
const SCHEMES = ['http', 'https'];

/**
 * Whether a text is an address, with a name and a password that can be decoded.
 * @param {string} text
 */
export function isProxyUrl(text) {
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} text
 * @returns {string | undefined} why no proxy can be used at this address; undefined if it can
 */
export function proxyFault(text) {
  if (!isProxyUrl(text)) return 'could not parse it';
  if (SCHEMES.includes(new URL(text).protocol.slice(0, -1))) return undefined;
  return `unsupported scheme, must be one of ${SCHEMES.join(', ')}`;
}
