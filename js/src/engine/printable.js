/**
 * Text from elsewhere that is printed: names, messages and keys may hold what a terminal obeys (an
 * escape sequence, a change of direction), or a line that CI takes for a command of a workflow.
 * Counterpart: cli-runtime v0.36, pkg/printers/terminal.go, which replaces ESC and CR.
 */

/** Controls, the separators of lines and paragraphs, and what changes the direction of text. */
export const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The same without what JSON and YAML escape themselves, or mean. */
const UNSAFE_IN_QUOTES = new RegExp(UNSAFE.source.replace('\\u0000-\\u001f', ''), 'g');

/** How commands of Azure Pipelines, TeamCity and GitHub begin, anywhere in a line. */
export const TAGGED_COMMAND = /##(?=[a-z]{0,20}\[)/gi;

/** How GitHub's commands begin, at the beginning of a line. */
const COMMAND = /^\s*(?=::)/;

/** @type {Readonly<Record<string, string>>} */
const SHORT = Object.freeze({ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '^[' });

/**
 * A text as part of one line: controls are escaped, ESC as kubectl does it, and no line can be a
 * command.
 * @param {string} text
 * @returns {string}
 */
export function printable(text) {
  return text
    .replace(UNSAFE, (character) => SHORT[character] ?? unicodeEscape(character))
    .replace(TAGGED_COMMAND, '##\\')
    .replace(COMMAND, '$&\\');
}

/**
 * The same for a text of several lines, each of which is printed as one.
 * @param {string} text
 * @returns {string}
 */
export function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/**
 * JSON, or YAML whose strings stand in double quotes, without anything unsafe: it means the same.
 * @param {string} text
 * @returns {string}
 */
export function printableQuoted(text) {
  return text.replace(UNSAFE_IN_QUOTES, unicodeEscape).replace(TAGGED_COMMAND, '#\\u0023');
}

/**
 * Whether a text has to stand in quotes, with escapes.
 * @param {string} text
 * @returns {boolean}
 */
export function isUnsafe(text) {
  return printable(text) !== text;
}

/** @param {string} character */
function unicodeEscape(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
