/** What keeps equal inputs giving equal outputs: below wasm/ there is no world outside. */
import { matchLines } from './files.js';
import { bareCpp, bareJs, lineAt } from './source.js';

const HEADERS =
  /#\s*include\s*<(chrono|ctime|time\.h|sys\/time\.h|random|iostream|istream|ostream|sstream|fstream|filesystem|cstdio|stdio\.h|thread|mutex|shared_mutex|future|atomic|condition_variable|semaphore|latch|barrier|locale|clocale|regex|typeinfo|exception|stdexcept|unistd\.h|format|expected)>/;

/** @type {{pattern: RegExp, what: string}[]} */
const BANNED_IN_CORE = [
  { pattern: HEADERS, what: 'a header of clocks, chance, I/O, threads, locales or exceptions' },
  { pattern: /\b(system|steady|high_resolution)_clock\b/, what: 'a clock' },
  {
    pattern:
      /\b(time|clock|gettimeofday|clock_gettime|localtime|gmtime|mktime|strftime)\s*\((?=\s*(nullptr|NULL|0|\)|&|CLOCK))/,
    what: 'a clock',
  },
  { pattern: /\b(s?rand|random|drand48)\s*\(|\brandom_device\b|\bmt19937/, what: 'chance' },
  { pattern: /\bstd::(cout|cerr|clog|cin|[io]?f?stream|[io]?stringstream)\b/, what: 'I/O' },
  {
    pattern:
      /\b(fopen|fread|fwrite|fputs|puts|putchar|printf|fprintf|vprintf|scanf|getenv|system|popen)\s*\(/,
    what: 'I/O',
  },
  {
    pattern:
      /\bstd::(jthread|thread|mutex|atomic|async|future|promise|condition_variable)\b|\bthread_local\b|\bpthread_/,
    what: 'threads',
  },
  { pattern: /\bstd::locale\b|\bsetlocale\s*\(|\blocaleconv\s*\(/, what: 'a locale' },
  { pattern: /\bthrow\b|\btry\s*\{|\bcatch\s*\(/, what: 'exceptions' },
  {
    pattern: /\bdynamic_cast\b|\btypeid\b|\bdynamic_pointer_cast\b/,
    what: 'run-time type information',
  },
  {
    pattern: /\bstd::(format|expected|views|ranges::views)\b/,
    what: 'not in every standard library we build with',
  },
];

/**
 * @param {string} _path
 * @param {string} text
 */
export function coreFaults(_path, text) {
  return [...matchLines(bareCpp(text), BANNED_IN_CORE), ...unorderedLoops(text)];
}

/**
 * Loops over unordered containers that the same file declares; their order is nobody's.
 *
 * @param {string} text
 * @returns {import('./files.js').Finding[]}
 */
export function unorderedLoops(text) {
  const bare = bareCpp(text);
  const names = [...declaredNames(bare)];
  if (names.length === 0) return [];
  const alternatives = names.join('|');
  const loop = new RegExp(
    `for\\s*\\([^;{}]*:\\s*(?:\\w+(?:\\.|->))*(${alternatives})\\s*\\)|\\b(${alternatives})\\s*\\.\\s*c?begin\\s*\\(`,
    'g',
  );
  return [...bare.matchAll(loop)].map((match) => ({
    line: lineAt(bare, match.index ?? 0),
    what: `${match[1] ?? match[2]} is unordered: look up, don't iterate`,
  }));
}

/** Names of variables and members whose type is an unordered container. @param {string} bare */
function* declaredNames(bare) {
  const aliases = [...bare.matchAll(/\busing\s+(\w+)\s*=\s*std::unordered_/g)].map(
    (match) => match[1],
  );
  const type = new RegExp(
    `\\b(?:std::unordered_\\w+\\s*<${aliases.map((name) => `|${name}\\b`).join('')})`,
    'g',
  );
  for (const match of bare.matchAll(type)) {
    let at = (match.index ?? 0) + match[0].length;
    for (let depth = match[0].endsWith('<') ? 1 : 0; depth > 0 && at < bare.length; at += 1) {
      if (bare[at] === '<') depth += 1;
      if (bare[at] === '>') depth -= 1;
    }
    const name = /^\s*[&*]?\s*(\w+)\s*[;={,)]/.exec(bare.slice(at, at + 100));
    if (name) yield name[1];
  }
}

/** @type {{pattern: RegExp, what: string}[]} */
const BANNED_IN_JS = [
  { pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, what: 'a clock' },
  { pattern: /\bMath\.random\b|\bcrypto\.(getRandomValues|randomUUID)\b/, what: 'chance' },
  { pattern: /\bset(Timeout|Interval|Immediate)\b/, what: 'a timer' },
  {
    pattern: /(?<![.\w#])(process|Buffer|__dirname|Deno|Bun)\b(?!\s*:)/,
    what: "a runtime's global",
  },
  { pattern: /\brequire\s*\(/, what: 'require' },
];
const NODE_IMPORT = [
  { pattern: /\bfrom\s+['"]node:|\bimport\s*\(?\s*['"]node:/, what: "a runtime's module" },
];

/**
 * @param {string} _path
 * @param {string} text
 */
export function libraryFaults(_path, text) {
  const withoutComments = text.replace(/\/\*[\s\S]*?\*\//g, (match) =>
    match.replace(/[^\n]/g, ' '),
  );
  return [...matchLines(bareJs(text), BANNED_IN_JS), ...matchLines(withoutComments, NODE_IMPORT)];
}
