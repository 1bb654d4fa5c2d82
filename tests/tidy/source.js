/** Source text without what only people read, so that rules don't stumble over prose. */

/**
 * C++ with comments and the content of literals replaced by spaces; lines stay where they are.
 *
 * @param {string} text
 */
export function bareCpp(text) {
  const literal =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"([^\s()\\]*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'/g;
  return text.replace(literal, (match) => {
    if (match.startsWith('/')) return blank(match);
    return match.startsWith('R') ? `""${blank(match.slice(2))}` : emptied(match);
  });
}

/**
 * JavaScript likewise. Code inside template literals stays.
 *
 * @param {string} text
 */
export function bareJs(text) {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[(,=:[!&|?{};\n]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n*[])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\/[dgimsuvy]*/g;
  return text.replace(token, (match) => (match.startsWith('/') ? blank(match) : emptied(match)));
}

/** @param {string} text */
function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}

/** @param {string} literal  quotes included */
function emptied(literal) {
  return literal[0] + ' '.repeat(literal.length - 2) + literal[0];
}

/** @param {string} text @param {number} offset @returns {number} from 1 */
export function lineAt(text, offset) {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
