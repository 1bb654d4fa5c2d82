/**
 * A module as a Response, where there are only web standards.
 * @param {URL | string} location
 * @returns {Promise<Response>}
 */
export function readModule(location) {
  return fetch(location);
}
