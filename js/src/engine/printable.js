/**
 * Escapes foreign text before it is printed. Names, messages and keys may hold characters that
 * control a terminal (an escape sequence, a change of direction), or a line that CI takes for a
 * workflow command. Counterpart: cli-runtime v0.36, pkg/printers/terminal.go, which replaces ESC
 * and CR.
 */

/**
 * Control characters, line and paragraph separators, and characters that change the text's
 * direction.
 */
export const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The same set without the characters that JSON and YAML escape themselves or use as syntax. */
const UNSAFE_IN_QUOTES = new RegExp(UNSAFE.source.replace('\\u0000-\\u001f', ''), 'g');

/** The start of commands of Azure Pipelines, TeamCity and GitHub, anywhere in a line. */
export const TAGGED_COMMAND = /##(?=[a-z]{0,20}\[)/gi;

/** The start of GitHub's commands at the beginning of a line. */
const COMMAND = /^\s*(?=::)/;

/** @type {Readonly<Record<string, string>>} */
const SHORT = Object.freeze({ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '^[' });

/**
 * Returns the text as part of one line: control characters are escaped, ESC as kubectl does it, and
 * no line can be a CI command.
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
 * The same for a text of several lines, each printed as one line.
 * @param {string} text
 * @returns {string}
 */
export function printableLines(text) {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Escapes unsafe characters in JSON, or in YAML with double-quoted strings, without changing its
 * meaning.
 * @param {string} text
 * @returns {string}
 */
export function printableQuoted(text) {
  return text.replace(UNSAFE_IN_QUOTES, unicodeEscape).replace(TAGGED_COMMAND, '#\\u0023');
}

/**
 * Whether a text needs quotes with escapes.
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
