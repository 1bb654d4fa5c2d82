/** Source text without what only people read, so that rules don't stumble over prose. */

const COMMENT = [/\/\/[^\n]*/, /\/\*[\s\S]*?\*\//];
const DOUBLE_QUOTED = /"(?:\\.|[^"\\\n])*"/;
const SINGLE_QUOTED = /'(?:\\.|[^'\\\n])*'/;

const CPP_RAW = /R"([^\s()\\]*)\([\s\S]*?\)\1"/;
/** An apostrophe after a digit groups digits. */
const CPP_CHARACTER = /(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'/;

/** A slash begins a regular expression where no value stands before it. */
const JS_REGEXP =
  /(?<=[(,=:[!&|?{};\n]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/;

const CPP = anyOf([...COMMENT, CPP_RAW, DOUBLE_QUOTED, CPP_CHARACTER]);
const JS = anyOf([...COMMENT, DOUBLE_QUOTED, SINGLE_QUOTED, JS_REGEXP]);

/** @param {RegExp[]} patterns */
function anyOf(patterns) {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'g');
}

/**
 * C++ with comments and the content of literals replaced by spaces; lines stay where they are.
 *
 * @param {string} text
 */
export function bareCpp(text) {
  return text.replace(CPP, (match) => {
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
  return text.replace(JS, (match) => (match.startsWith('/') ? blank(match) : emptied(match)));
}

/**
 * The comments of C++ or JavaScript; all else becomes spaces, lines stay where they are.
 *
 * @param {string} path
 * @param {string} text
 */
export function commentsOf(path, text) {
  const pattern = /\.(cc|h)$/.test(path) ? CPP : JS;
  let end = 0;
  let comments = '';
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (!/^\/[/*]/.test(match)) continue;
    comments += blank(text.slice(end, index)) + match;
    end = index + match.length;
  }
  return comments + blank(text.slice(end));
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
