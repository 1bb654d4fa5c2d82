/**
 * Words that plain English has no use for: they hide who acts. Looked for in comments, in Markdown,
 * in the texts of lessons and in the names of tests, outside of code and quoted output.
 */
import { commentsOf, lineAt } from './source.js';

/** @typedef {import('./files.js').Finding} Finding */

/** Words may be parted by the end of a line, with the next line's comment mark. */
const GAP = String.raw`(?:\s|\*|\/\/|#)+`;
const WORDS = new RegExp(
  String.raw`\b(?:who` +
    String.raw`ever|some` +
    String.raw`body|no` +
    'body' +
    String.raw`|(?:is|are)${GAP}(?:told|said))\b`,
  'gi',
);

/** A test's name, as its first argument. */
const JS_TEST = /\b(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const CPP_TEST = /\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)/g;

/** @param {string} path */
export function hasProse(path) {
  return /\.(md|cc|h|js|jsx|ts|cmake|yaml|yml|sh)$|(^|\/)(CMakeLists\.txt|Dockerfile)$/.test(path);
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function obliqueWords(path, text) {
  const named = namesOfTests(path, text).map(({ name, line }) => ({ prose: name, line }));
  return [{ prose: proseOf(path, text), line: 1 }, ...named].flatMap(({ prose, line }) =>
    [...prose.matchAll(WORDS)].map(({ 0: word, index }) => ({
      line: line + lineAt(prose, index) - 1,
      what: `“${word.replace(/[\s*/#]+/g, ' ')}”: name who acts`,
    })),
  );
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string} what is prose in it, each line where it was
 */
function proseOf(path, text) {
  if (/\.md$/.test(path)) return withoutQuotes(text.replace(/^```[^]*?^```/gm, blank));
  if (/^web\/lessons\/.*\.yaml$/.test(path)) return text;
  if (/\.(cc|h|js|jsx|ts)$/.test(path)) return withoutQuotes(commentsOf(path, text));
  return text.replace(/^[^#\n]*/gm, blank);
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {{ name: string, line: number }[]} names of C++ tests with a space between their words
 */
function namesOfTests(path, text) {
  if (!/\.test\.js$|_test\.cc$/.test(path)) return [];
  const matches = [...text.matchAll(path.endsWith('.js') ? JS_TEST : CPP_TEST)];
  return matches.map(({ index, 1: first, 2: second }) => ({
    name: path.endsWith('.js') ? second : `${first} ${second}`.replace(/\B[A-Z]/g, ' $&'),
    line: lineAt(text, index),
  }));
}

/** Code and quoted output may have any words. @param {string} text */
function withoutQuotes(text) {
  return text.replace(/`[^`\n]*`|"[^"\n]*"|“[^”]*”/g, blank);
}

/** @param {string} text */
function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}
