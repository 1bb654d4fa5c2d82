/**
 * Fetches a module as a Response, on runtimes with web standards only.
 * @param {URL | string} location
 * @returns {Promise<Response>}
 */
export function readModule(location) {
  return fetch(location);
}
