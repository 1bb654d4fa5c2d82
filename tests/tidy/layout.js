/** What stands at the top of the repository, and what may not grow. */

const REQUIRED = [
  'CMakeLists.txt',
  'CMakePresets.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'core',
  'examples',
  'js',
  'package-lock.json',
  'package.json',
  'tests',
  'wasm',
];
const ALLOWED = [...REQUIRED, 'web'];

export const BINDINGS_MAX = 12;

/**
 * @param {string[]} files
 * @returns {{surplus: string[], missing: string[]}}
 */
export function topLevel(files) {
  const entries = [...new Set(files.map((path) => path.split('/')[0]))];
  return {
    surplus: entries.filter((name) => !name.startsWith('.') && !ALLOWED.includes(name)),
    missing: REQUIRED.filter((name) => !entries.includes(name)),
  };
}

const BINDING = /(?:\bfunction|\.property|\bclass_<[^>]*>|\bvalue_object<[^>]*>)\s*\(\s*"([^"]+)"/g;

/** The names that wasm/bindings.cc gives to JavaScript. @param {string} text @returns {string[]} */
export function boundNames(text) {
  return [...text.matchAll(BINDING)].map((match) => match[1]);
}

/**
 * Where a lockfile says to download from; which registry serves is the machine's business.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function lockedAddresses(text) {
  /** @type {Record<string, {resolved?: string}>} */
  const packages = JSON.parse(text).packages ?? {};
  return Object.entries(packages)
    .filter(([, entry]) => entry.resolved !== undefined)
    .map(([name, entry]) => `${name}: ${entry.resolved}`);
}
