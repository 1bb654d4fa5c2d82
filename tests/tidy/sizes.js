/** Lengths: of lines, functions and files. */
import { bareCpp, bareJs, lineAt } from './source.js';

/** @typedef {import('./files.js').Finding} Finding */

export const COLUMNS_MAX = 100;
export const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 500;

/** The first pattern that matches a path says how long its file may be. */
const FILE_LIMITS = [
  { pattern: /^js\/src\/runtimes\/[^/]+\.js$/, lines: 40 },
  // The output of kubectl for a cluster, which is data.
  { pattern: /^examples\/small-cluster\/cluster\.json$/, lines: Infinity },
  { pattern: /^examples\//, lines: 80 },
  { pattern: /^core\/plugins\/.*\.cc$/, lines: 300 },
];

const IMPORT = /^(#include |import |export .* from |\} from )/;
const ADDRESS = /https?:\/\//;
const JSON_TEXT = /[{,]\s*"\w+":/;

const isGenerated = (/** @type {string} */ text) =>
  /\bgenerated\b/i.test(text.split('\n', 5).join('\n'));

/**
 * Columns are counted as characters. Imports, addresses and JSON in a test's table are not broken,
 * and a file whose first lines say that it is generated has the lines that its generator writes.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function longLines(path, text) {
  if (isGenerated(text)) return [];
  const unbroken = [IMPORT, ADDRESS, ...(path.startsWith('tests/') ? [JSON_TEXT] : [])];
  return text.split('\n').flatMap((content, row) => {
    const columns = [...content].length;
    if (columns <= COLUMNS_MAX || unbroken.some((pattern) => pattern.test(content))) return [];
    return [{ line: row + 1, what: `${columns} columns, at most ${COLUMNS_MAX}` }];
  });
}

/**
 * A file whose first lines say that it is generated may be as long as it is.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function longFiles(path, text) {
  const lines = text.split('\n').length - 1;
  const limit = FILE_LIMITS.find(({ pattern }) => pattern.test(path))?.lines ?? FILE_LINES_MAX;
  if (lines <= limit || isGenerated(text)) return [];
  return [{ line: lines, what: `${lines} lines, at most ${limit}` }];
}

/**
 * C++ functions by their braces. A block is a function's when only namespaces and types are around
 * it and what stands before it has parentheses and is no initialiser.
 *
 * @param {string} _path
 * @param {string} text
 * @returns {Finding[]}
 */
export function longCppFunctions(_path, text) {
  const bare = bareCpp(text).replace(/^\s*#(?:[^\n\\]|\\[\s\S])*/gm, (match) =>
    match.replace(/[^\n]/g, ' '),
  );
  /** @type {Finding[]} */
  const found = [];
  let head = 0;
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === ';') head = at + 1;
    if (bare[at] === '}') head = at + 1;
    if (bare[at] !== '{') continue;
    const before = bare.slice(head, at);
    if (isScope(before)) {
      head = at + 1;
      continue;
    }
    const end = closing(bare, at);
    // After a member's initialiser the function's head goes on.
    if (/^\s*[,{]/.test(bare.slice(end + 1))) {
      at = end;
      continue;
    }
    if (isFunction(before)) {
      const first = lineAt(bare, head + before.search(/\S/));
      const lines = lineAt(bare, end) - first + 1;
      if (lines > FUNCTION_LINES_MAX) found.push(tooLong(first, lines));
    }
    at = end;
    head = end + 1;
  }
  return found;
}

/** @param {string} before */
function isScope(before) {
  const plain = before.replace(/<[^<>;{}]*>/g, '');
  return (
    /\b(namespace|extern)\b[^()]*$/.test(plain) ||
    (/\b(class|struct|union)\b/.test(plain) && !/[()=]/.test(plain.replace(/alignas\([^)]*\)/, '')))
  );
}

/** @param {string} before */
function isFunction(before) {
  const equals = before.replace(/operator\s*[=!<>+*/-]+/g, 'operator').search(/(?<![=!<>])=(?!=)/);
  const parenthesis = before.indexOf('(');
  return parenthesis >= 0 && (equals < 0 || parenthesis < equals);
}

/** @param {string} bare @param {number} open */
function closing(bare, open) {
  let depth = 0;
  for (let at = open; at < bare.length; at += 1) {
    if (bare[at] === '{') depth += 1;
    if (bare[at] === '}' && --depth === 0) return at;
  }
  return bare.length - 1;
}

/**
 * JavaScript functions by their indentation, which the formatter keeps.
 *
 * @param {string} _path
 * @param {string} text
 * @returns {Finding[]}
 */
export function longJsFunctions(_path, text) {
  const lines = bareJs(text).split('\n');
  const control = /^\s*(?:\} )?(if|for|while|switch|else|try|catch|finally|do)\b/;
  const opens = /(\)|=>) \{$|\bfunction\b.*\{$/;
  return lines.flatMap((content, row) => {
    if (!opens.test(content) || control.test(content)) return [];
    const indent = /^\s*/.exec(content)?.[0] ?? '';
    const end = lines.findIndex((line, at) => at > row && line.startsWith(`${indent}}`));
    const count = end - row + 1;
    return end > 0 && count > FUNCTION_LINES_MAX ? [tooLong(row + 1, count)] : [];
  });
}

/** @param {number} line @param {number} lines @returns {Finding} */
function tooLong(line, lines) {
  return { line, what: `a function of ${lines} lines, at most ${FUNCTION_LINES_MAX}` };
}
