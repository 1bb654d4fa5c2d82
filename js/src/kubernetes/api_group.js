/**
 * @param {unknown} apiVersion
 * @returns {string} its group; '' for those of the core
 */
export function groupOf(apiVersion) {
  const text = String(apiVersion ?? '');
  return text.slice(0, Math.max(0, text.lastIndexOf('/')));
}

/**
 * Whether an API version is outside of the groups of Kubernetes' own workloads, which are single
 * words: those of others are domains.
 * @param {unknown} apiVersion
 */
export function isForeign(apiVersion) {
  return groupOf(apiVersion).includes('.');
}
