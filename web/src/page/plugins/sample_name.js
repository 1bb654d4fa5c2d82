/** The names of sample plugins. */

/**
 * The name for people: `filter_even_numbers` becomes "Filter: even numbers".
 * @param {string} id
 */
export function sampleName(id) {
  const [point, ...words] = id.split('_');
  return `${point[0].toUpperCase()}${point.slice(1)}: ${words.join(' ')}`;
}
