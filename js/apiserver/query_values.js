/**
 * Reads the parameters of a query.
 * Counterpart: apimachinery/pkg/runtime/conversion.go, v1.36.
 */

/**
 * Returns the value of a boolean parameter: `0` and `false` in any case are false, every other
 * text, even an empty one, is true.
 * @param {URLSearchParams} query
 * @param {string} name
 * @returns {boolean | undefined} undefined if the query does not have the parameter
 */
export function booleanOf(query, name) {
  const text = query.get(name);
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}
