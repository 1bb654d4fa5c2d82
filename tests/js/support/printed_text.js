/**
 * What a program is to print: text as it stands, but that columns are as wide as they are, lines
 * end without spaces, and there are holes for what differs from run to run.
 */

/** By name: `{age}` in the text. @type {Record<string, string>} */
const HOLES = {
  age: '\\d+s|\\d+m(?:\\d+s)?',
  any: '.*?',
  date: '\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d [+-]\\d{4}',
  from: '(?: from \\w+ namespace)?',
  hash: '[bcdfghjklmnpqrstvwxz2456789]{4,10}',
  id: '[bcdfghjklmnpqrstvwxz2456789]{5}',
  ip: '\\d+\\.\\d+\\.\\d+\\.\\d+',
  n: '\\d+',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ',
  uid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
};

/** A line of the text that stands for any lines, or none. */
const LINES = '...';

/** @param {string} text */
export function withoutWidths(text) {
  return text
    .replace(/\t/g, '  ')
    .replace(/(?<=\S) {2,}/g, '  ')
    .replace(/ +$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * @param {string} printed
 * @param {string} expected
 */
export function isPrinted(printed, expected) {
  const pattern = linesOf(expected).map((line) =>
    line.trim() === LINES ? '(?:.*\n)*?' : lineSource(line),
  );
  const text = linesOf(printed).map((line) => `${line}\n`);
  return new RegExp(`^${pattern.join('')}$`).test(text.join(''));
}

/** @param {string} text */
function linesOf(text) {
  const plain = withoutWidths(text);
  return plain === '' ? [] : plain.split('\n');
}

/** @param {string} line */
function lineSource(line) {
  const parts = line.split(/(\{\w+\})/).map((part) => {
    const hole = HOLES[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''];
    return hole === undefined ? part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : `(?:${hole})`;
  });
  return `${parts.join('')}\n`;
}
