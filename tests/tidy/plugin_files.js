/** A plugin's contract with the caches stands in files of its own, beside its rule. */

const METHODS = [
  'AppendFragment',
  'AppendClassFragment',
  'AppendRowsCountingNodes',
  'Derive',
  'PreScoreGroups',
  'FilterChunk',
  'ScoreChunk',
  'AddScores',
];
// A definition begins at the start of a line; calls are indented.
const DEFINITION = new RegExp(`^[^\\s/].*\\b\\w+::(${METHODS.join('|')})\\(`);

/** @param {string} path */
export function isPluginRule(path) {
  return /^core\/plugins\/[^/]+\.cc$/.test(path) && !path.endsWith('_caching.cc');
}

/**
 * Definitions that belong in `<name>_caching.cc`.
 *
 * @param {string} _path
 * @param {string} text  of a file for which isPluginRule holds
 * @returns {import('./files.js').Finding[]}
 */
export function cachingFaults(_path, text) {
  return text.split('\n').flatMap((content, row) => {
    const match = DEFINITION.exec(content);
    return match ? [{ line: row + 1, what: `${match[1]} belongs in <name>_caching.cc` }] : [];
  });
}
