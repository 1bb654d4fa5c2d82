/** The releases of Kubernetes as people write them. */

/** The newest release, which decides if none is named. */
export const NEWEST = '1.36';

/** The releases that the engine supports, the oldest first; it refuses all others. */
export const RELEASES = Object.freeze(['1.33', '1.34', '1.35', NEWEST, '1.37-preview']);

/** `1.34`, `v1.34`, and with a patch or what a vendor adds to one: `v1.34.9-gke.100`. */
const RELEASE = /^v?(\d+\.\d+(?:-preview)?)(?:\.\d+(?:[-+].*)?)?$/;

/**
 * Returns the name of a release, such as `v1.34`. A patch does not matter: the engine decides as
 * the patch that the release stands for.
 * @param {string} [text] default: the newest
 * @returns {string} unchanged if it names no release
 */
export function releaseOf(text = NEWEST) {
  const match = RELEASE.exec(text);
  return match ? `v${match[1]}` : text;
}
