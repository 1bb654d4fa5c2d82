/**
 * What the text of a plugin may import: what `stowage` exports, and nothing else.
 *
 * Nobody parses it: two parsers may read one text in two ways. Instead the words that can fetch a
 * module stand in harmless forms, or nowhere, not even in a comment. Neither word can be written
 * otherwise, as keywords have no escapes, and no code can be made of a text, as the page's policy
 * forbids that.
 */

const NAMES = String.raw`\{[\w$\s,]*\}`;

const IMPORTED = String.raw`(?:${NAMES}|\*\s*as\s+[\w$]+)`;
const HARMLESS_IMPORT = String.raw`import\s*${IMPORTED}\s*from\s*(['"])stowage\1`;
/** In comments it names a type. */
const HARMLESS_CALL = String.raw`import\((['"])stowage\2(?=\))`;
/** Where something follows that is no `from`. */
const HARMLESS_EXPORT = String.raw`export\s*${NAMES}(?!\s*(?:from|/))`;
const OTHERS = String.raw`(?<other>import(?![\w$])|export\s*[*{/])`;

const WORDS = new RegExp([HARMLESS_IMPORT, HARMLESS_CALL, HARMLESS_EXPORT, OTHERS].join('|'), 'g');

const IMPORT_FAULT =
  "a plugin imports nothing but { names } from 'stowage': the word import stands nowhere else, " +
  'not even in a comment';
const EXPORT_FAULT =
  'a plugin exports nothing of another module: export stands before what it exports, or before ' +
  'names in braces';

/**
 * @param {string} source the text of an ES module
 * @param {string} url of a module that stands for `stowage`
 * @returns {{ text: string } | { fault: string, line: number, column: number }} the text with that
 *   address, or why it is not to be run, and where, from 1
 */
export function withStowageFrom(source, url) {
  const other = [...source.matchAll(WORDS)].find(({ groups }) => groups?.other !== undefined);
  if (other) {
    const lines = source.slice(0, other.index).split('\n');
    return {
      fault: other[0].startsWith('import') ? IMPORT_FAULT : EXPORT_FAULT,
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
    };
  }
  const linked = (/** @type {string} */ words) =>
    words.replace(/(['"])stowage\1/, (_, quote) => `${quote}${url}${quote}`);
  return { text: source.replace(WORDS, linked) };
}
