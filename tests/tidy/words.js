/** Words that have no place in a repository: unfinished business and one machine's paths. */
import { matchLines, repository } from './files.js';

const UNFINISHED = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|');
const PLANNING = ['voy', 'age'].join('');
const HOME_FOLDERS = ['home', 'root', 'Users', 'work', 'tmp', 'workspace'].join('|');

const escaped = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A checkout right below the root has a name that may well be said for other reasons. */
const isTelling = repository.split('/').length > 2;

/** @type {{pattern: RegExp, what: string}[]} */
const PATTERNS = [
  { pattern: new RegExp(`\\b(${UNFINISHED})\\b`), what: 'unfinished: finish it' },
  { pattern: new RegExp(PLANNING, 'i'), what: 'planning belongs elsewhere' },
  {
    pattern: new RegExp(`(?<![\\w./}])/(${HOME_FOLDERS})/\\w`),
    what: 'a path of some machine',
  },
  ...(isTelling
    ? [{ pattern: new RegExp(`${escaped(repository)}\\b`), what: 'this checkout’s path' }]
    : []),
  {
    pattern: /\b(deb|ftp|security)\.debian\.|\b(registry\.)?npmjs\./,
    what: 'a package registry’s host',
  },
];

/**
 * @param {string} _path
 * @param {string} text
 */
export function bannedWords(_path, text) {
  return matchLines(text, PATTERNS);
}
