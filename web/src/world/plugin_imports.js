/**
 * Restricts the imports of a plugin's text to the module `stowage`.
 *
 * The text is searched, not parsed, because two parsers may read a text differently. The words
 * `import` and `export`, which can load a module, may appear only in the harmless forms below, even
 * in comments. Keywords have no escapes, so there is no other spelling of them, and the page's
 * content security policy forbids making code from text.
 */

const NAMES = String.raw`\{[\w$\s,]*\}`;

const IMPORTED = String.raw`(?:${NAMES}|\*\s*as\s+[\w$]+)`;
const HARMLESS_IMPORT = String.raw`import\s*${IMPORTED}\s*from\s*(['"])stowage\1`;
/** In a comment this form names a type. */
const HARMLESS_CALL = String.raw`import\((['"])stowage\2(?=\))`;
/** Without a following `from`, or a comment that could hide one. */
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
 * @param {string} url of the module that replaces `stowage`
 * @returns {{ text: string } | { fault: string, line: number, column: number }} the text with that
 *   URL, or the reason why it must not run, and its place, from 1
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
