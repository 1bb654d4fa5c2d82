/** What keeps equal inputs giving equal outputs: below wasm/ there is no world outside. */
import { exists, matchLines, read } from './files.js';
import { bareCpp, bareJs, lineAt } from './source.js';

const OUTSIDE = {
  clock: {
    headers: 'chrono ctime time.h sys/time.h',
    types: 'system_clock steady_clock high_resolution_clock',
    calls: 'time clock gettimeofday clock_gettime localtime gmtime mktime strftime',
  },
  chance: {
    headers: 'random',
    types: 'random_device mt19937 mt19937_64',
    calls: 'rand srand drand48',
  },
  'input or output': {
    headers: 'iostream istream ostream sstream fstream filesystem cstdio stdio.h unistd.h',
    types: 'cout cerr clog cin ifstream ofstream fstream stringstream ostringstream istringstream',
    calls: 'fopen fread fwrite fputs puts putchar printf fprintf vprintf scanf getenv system popen',
  },
  threads: {
    headers: 'thread mutex shared_mutex future atomic condition_variable semaphore latch barrier',
    types: 'thread jthread mutex atomic future promise condition_variable',
    calls: 'async pthread_create',
  },
  'a locale': {
    headers: 'locale clocale regex',
    types: 'locale',
    calls: 'setlocale localeconv strtod strtof strtold stod stof snprintf sprintf',
  },
  exceptions: { headers: 'exception stdexcept', types: 'exception runtime_error', calls: 'catch' },
  'run-time types': { headers: 'typeinfo', types: 'type_info', calls: 'typeid' },
};

const anyOf = (/** @type {string} */ words) => words.replaceAll('.', '\\.').split(' ').join('|');

/** @type {{pattern: RegExp, what: string}[]} */
const BANNED_IN_CORE = [
  ...Object.entries(OUTSIDE).map(([what, { headers, types, calls }]) => ({
    what,
    pattern: new RegExp(
      `#\\s*include\\s*<(${anyOf(headers)})>|\\bstd::(chrono::)?(${anyOf(types)})\\b|` +
        `(?<![\\w.>:])((std)?::)?(${anyOf(calls)})\\s*\\(`,
    ),
  })),
  { pattern: /\bthread_local\b/, what: 'threads' },
  { pattern: /\bthrow\b|\btry\s*\{/, what: 'exceptions' },
  { pattern: /\bdynamic_(pointer_)?cast\b/, what: 'run-time types' },
  // Missing from one of the standard libraries that we build with.
  { pattern: /\bstd::(format|expected|views|ranges::views)\b/, what: 'not portable' },
];

/** The one place that resumes coroutines: elsewhere each resumption would stay on the stack. */
const TRAMPOLINE = 'core/loop/trampoline.cc';

const BANNED_OUTSIDE_TRAMPOLINE = [
  { pattern: /\.\s*resume\s*\(\s*\)/, what: 'a resumption past the Trampoline' },
  { pattern: /coroutine_handle<[^>]*>\s+await_suspend\b/, what: 'symmetric transfer' },
];

/**
 * @param {string} path
 * @param {string} text
 */
export function coreFaults(path, text) {
  const header = path.replace(/\.cc$/, '.h');
  const declarations = header !== path && exists(header) ? read(header) : '';
  const loops = unorderedLoops(text, `${declarations}\n${text}`);
  const banned =
    path === TRAMPOLINE ? BANNED_IN_CORE : [...BANNED_IN_CORE, ...BANNED_OUTSIDE_TRAMPOLINE];
  return [...matchLines(bareCpp(text), banned), ...loops];
}

/**
 * Loops over unordered containers, by the names that `declarations` gives them: their order is
 * not defined.
 *
 * @param {string} text
 * @param {string} [declarations]
 * @returns {import('./files.js').Finding[]}
 */
export function unorderedLoops(text, declarations = text) {
  const names = [...declaredNames(bareCpp(declarations))].join('|');
  if (names === '') return [];
  const range = `for\\s*\\([^;{}]*:\\s*(?:\\w+(?:\\.|->))*(${names})\\s*\\)`;
  const iterator = `\\b(${names})\\s*\\.\\s*c?begin\\s*\\(`;
  const bare = bareCpp(text);
  return [...bare.matchAll(new RegExp(`${range}|${iterator}`, 'g'))].map((match) => ({
    line: lineAt(bare, match.index ?? 0),
    what: `${match[1] ?? match[2]} is unordered: look up, don't iterate`,
  }));
}

/** Names of variables and members whose type is an unordered container. @param {string} bare */
function* declaredNames(bare) {
  const aliases = [
    ...bare.matchAll(/\busing\s+(\w+)\s*=\s*(?:std::unordered_|(?:Hash|Revertible)Map\b)/g),
  ].map((match) => match[1]);
  const named = aliases.map((name) => `|${name}\\b`).join('');
  const type = new RegExp(
    `\\b(?:(?:std::unordered_\\w+|(?:Hash|Revertible)Map)\\s*<${named})`,
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
