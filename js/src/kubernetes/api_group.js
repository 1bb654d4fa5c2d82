/**
 * @param {unknown} apiVersion
 * @returns {string} its group; '' for those of the core
 */
export function groupOf(apiVersion) {
  const text = String(apiVersion ?? '');
  return text.slice(0, Math.max(0, text.lastIndexOf('/')));
}
