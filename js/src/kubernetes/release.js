/**
 * The releases of Kubernetes as people write them. The engine knows which of them it supports, and
 * refuses all others.
 */

/** `1.34`, `v1.34`, and with a patch or what a vendor adds to one: `v1.34.9-gke.100`. */
const RELEASE = /^v?(\d+\.\d+)(?:\.\d+(?:[-+].*)?)?$/;

/**
 * Returns the name of a release, such as `v1.34`. A patch does not matter: the engine decides as
 * the patch that the release stands for.
 * @param {string} text
 * @returns {string} unchanged if it names no release
 */
export function releaseOf(text) {
  const match = RELEASE.exec(text);
  return match ? `v${match[1]}` : text;
}
