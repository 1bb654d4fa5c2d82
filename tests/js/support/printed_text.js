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
 * @param {string} text indented as a whole, or not
 * @returns {RegExp} for text without widths
 */
function patternOf(text) {
  const lines = withoutWidths(unindented(text)).split('\n');
  const parts = lines.map((line, index) => {
    const end = index === lines.length - 1 ? '' : '\\n';
    return line.trim() === LINES ? `(?:.*\\n)*?${end ? '' : '.*'}` : lineSource(line) + end;
  });
  return new RegExp(`^${parts.join('')}$`);
}

/**
 * @param {string} printed
 * @param {string} expected
 */
export function isPrinted(printed, expected) {
  return patternOf(expected).test(withoutWidths(printed));
}

/** @param {string} line */
function lineSource(line) {
  return line
    .split(/(\{\w+\})/)
    .map((part) => {
      const hole = HOLES[/^\{(\w+)\}$/.exec(part)?.[1] ?? ''];
      return hole === undefined ? part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : `(?:${hole})`;
    })
    .join('');
}

/**
 * Text as it stands in code, without the indentation that all of its lines have.
 * @param {string} text
 */
export function unindented(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const widths = lines.map((line) => line.length - line.trimStart().length);
  const width = Math.min(...(widths.length > 0 ? widths : [0]));
  return text.replaceAll(new RegExp(`^ {${width}}`, 'gm'), '');
}
