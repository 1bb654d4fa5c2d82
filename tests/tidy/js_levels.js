/** Which folder of JavaScript may import which: levels go one way, and no file imports itself. */
import { dirname, join, normalize } from 'node:path';

/** @import { Finding } from './files.js' */

/** Folders of one level do not know each other. */
const LEVELS = [
  ['js/src/documents', 'js/src/io', 'js/src/kubernetes', 'js/src/runtimes'],
  ['js/apiserver', 'js/src/engine', 'js/src/plugins'],
  ['js/src/client', 'js/src/manifests'],
  [
    ...['admission', 'check', 'diff', 'edge', 'informer', 'live', 'snapshot', 'whatif'].map(
      (name) => `js/src/${name}`,
    ),
  ],
  ['js/src/cli'],
];

/** Beside each other on one level, and made of each other. */
const PAIRS = [
  ['js/src/documents', 'js/src/io', 'js/src/kubernetes', 'js/src/runtimes'],
  ['js/src/engine', 'js/src/plugins'],
];

/** The command line may import the package's entries, as its users do. */
const TOP = 'js/src/cli';

/** What commands share, the lowest first. Every other folder of the command line is a command. */
export const CLI_LEVELS = [
  'terminal',
  'input',
  'arguments',
  'cluster',
  'outcome',
  'simulation',
  'shards',
];

/** Commands that show what another command shows. */
const BUILT_ON = new Map([['simulate', 'explain']]);

/** What every command gets. */
const HOST = `${TOP}/host.js`;

/** An entry of the package. */
const ENTRY = /^js\/src\/[\w.]+$/;

/** What the API server shows to those above it. */
const FACE = 'js/apiserver/index.js';

/** @param {string} path @returns {{ folder: string, level: number } | null} */
function place(path) {
  for (const [level, folders] of LEVELS.entries()) {
    const folder = folders.find((name) => path.startsWith(`${name}/`));
    if (folder) return { folder, level };
  }
  return null;
}

/**
 * What a module imports, types included: paths from the repository's root.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, target: string, isType: boolean }[]}
 */
export function importsOf(path, text) {
  const fixedImport = /^(?:import|export)\b[^;'"]*?'(\.[^']+)'/;
  const calledImport = /\bimport\('(\.[^']+)'\)(\.\w)?/;
  const typeImport = /@import \{[^}]*\}[\s*]*from '(\.[^']+)'/;
  const sources = [fixedImport, calledImport, typeImport].map(({ source }) => source);
  const pattern = new RegExp(sources.join('|'), 'gm');
  return [...text.matchAll(pattern)].map((match) => {
    const [, fixed, called, member, type] = match;
    const target = normalize(join(dirname(path), fixed ?? called ?? type));
    const line = text.slice(0, match.index).split('\n').length;
    return { line, target, isType: type !== undefined || member !== undefined };
  });
}

/**
 * Imports that go up or sideways, or into the API server past its face.
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function importFaults(path, text) {
  return importsOf(path, text).flatMap(({ line, target }) => {
    const what = fault(path, target);
    return what ? [{ line, what }] : [];
  });
}

/** What pages and examples are made of: they import what a user of the packages can. */
const USERS = /^(web|examples)\//;

/** @param {string} path @param {string} target */
function fault(path, target) {
  if (USERS.test(path)) {
    const isInside = /^js\/(src|apiserver)\//.test(target) && target !== FACE;
    return isInside && !ENTRY.test(target) ? `only entries may be imported, not ${target}` : null;
  }
  const [from, to] = [place(path), place(target)];
  if (from?.folder === TOP && to?.folder === TOP) return cliFault(path, target);
  if (!from || from.folder === to?.folder) return null;
  if (!to) {
    return ENTRY.test(target) && from.folder !== TOP
      ? `${from.folder} may not import an entry: ${target}`
      : null;
  }
  if (to.folder === 'js/apiserver' && target !== FACE && from.level > to.level)
    return `only ${FACE} of js/apiserver may be imported, not ${target}`;
  if (PAIRS.some((pair) => pair.includes(from.folder) && pair.includes(to.folder))) return null;
  return to.level < from.level ? null : `${from.folder} may not import ${target}`;
}

/**
 * Inside the command line: the program imports the commands, and these what they share.
 * @param {string} path
 * @param {string} target
 */
function cliFault(path, target) {
  const [from, to] = [path, target].map((file) => file.slice(TOP.length + 1).split('/'));
  const [folder, wanted] = [from[0], to[0]];
  if (from.length === 1 || target === HOST || folder === wanted) return null;
  if (to.length === 1) return `only ${HOST} of the program may be imported, not ${target}`;
  const [level, below] = [folder, wanted].map(cliLevel);
  if (below < level || BUILT_ON.get(folder) === wanted) return null;
  return `${TOP}/${folder} may not import ${target}`;
}

/** Commands are above all that they share. @param {string} folder */
function cliLevel(folder) {
  const level = CLI_LEVELS.indexOf(folder);
  return level < 0 ? CLI_LEVELS.length : level;
}

/**
 * Modules that import each other in a circle, each circle once.
 * @param {ReadonlyMap<string, readonly string[]>} imports what each module imports when it is run
 * @returns {string[][]}
 */
export function circles(imports) {
  /** @type {string[][]} */
  const found = [];
  const done = new Set();
  /** @type {string[]} */
  const way = [];
  const visit = (/** @type {string} */ path) => {
    const at = way.indexOf(path);
    if (at >= 0) return void found.push(way.slice(at));
    if (done.has(path)) return;
    way.push(path);
    for (const target of imports.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  };
  for (const path of imports.keys()) visit(path);
  return found;
}
