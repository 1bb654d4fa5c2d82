/** The module file of this package; bundlers know this form and bring the file along. */
export const moduleLocation = new URL('../../dist/stowage.wasm', import.meta.url);

/**
 * The module as a Response. Browsers, their workers, and everything else that has only web
 * standards.
 * @param {URL | string} location
 * @returns {Promise<Response>}
 */
export function readModule(location) {
  return fetch(location);
}
