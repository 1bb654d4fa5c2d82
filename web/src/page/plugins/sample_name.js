/** The names of plugins to begin with. */

/**
 * What a person reads: `filter_even_numbers` is "Filter: even numbers".
 * @param {string} id
 */
export function sampleName(id) {
  const [point, ...words] = id.split('_');
  return `${point[0].toUpperCase()}${point.slice(1)}: ${words.join(' ')}`;
}
