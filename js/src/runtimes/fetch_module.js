/**
 * Fetches a module as a Response, on runtimes with web standards only.
 * @param {URL | string} location
 * @returns {Promise<Response>}
 */
export function readModule(location) {
  return fetch(location);
}

/**
 * Fetches and compiles a module, synchronously. Pages may do that only with text, so the bytes
 * come as characters of which only the low byte counts.
 * @param {URL} location
 * @returns {WebAssembly.Module}
 */
export function readModuleNow(location) {
  if (typeof XMLHttpRequest === 'undefined') throw new Error('it has to be loaded ahead here');
  const request = new XMLHttpRequest();
  request.open('GET', location, false);
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`HTTP ${request.status} from ${location}`);
  const text = request.responseText;
  return new WebAssembly.Module(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
