/** Finds files of the package that no other file of it names. */
import { posix } from 'node:path';

/** Files that people and other programs look for, and files that declare imports of files. */
const KNOWN = [
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'js/README.md'],
  ...['edge-openapi', 'edge-v1', 'stowage-v1'].map((name) => `js/schema/${name}.json`),
  ...['js/src/engine/wasm_file.d.ts', 'js/dist/THIRD_PARTY_NOTICES.txt', 'js/dist/build.json'],
  ...['index.html', 'stowage-playground.js'].map((name) => `build/web/${name}`),
];

/** The page's files name each other relative to themselves, or relative to the page. */
const PAGE = 'build/web/';

/**
 * @param {Map<string, string>} texts of the package's files, by path
 * @returns {string[]} files that neither package.json names nor a named file, by an import, a link
 *   or a source map; a declaration counts as named with its source, and the source with it
 */
export function strayFiles(texts) {
  const manifest = JSON.parse(texts.get('package.json') ?? '');
  const named = new Set(KNOWN);
  for (const path of pathsIn([manifest.exports, manifest.imports, manifest.bin])) named.add(path);
  for (const path of named) {
    named.add(sourceOf(path));
    for (const reference of referencesOf(path, texts.get(path) ?? ''))
      named.add(posix.join(posix.dirname(path), reference));
  }
  return [...texts.keys()].filter((path) => !named.has(path) && !named.has(sourceOf(path))).sort();
}

/** @param {string} path of a declaration; any other file is its own source */
function sourceOf(path) {
  return path.replace(/^js\/(?:types\/)?((?:src|apiserver)\/.*)\.d\.ts$/, 'js/$1.js');
}

/** @param {unknown} value @returns {string[]} every string in it that is a path */
function pathsIn(value) {
  if (typeof value === 'string') return [posix.normalize(value)];
  return typeof value === 'object' && value ? Object.values(value).flatMap(pathsIn) : [];
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]} relative to its folder
 */
function referencesOf(path, text) {
  const all = (/** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, to]) => to);
  if (path.startsWith(PAGE)) {
    const named = all(/['"`]([\w./-]+\.\w+)['"`]/g);
    const below = posix.relative(posix.dirname(path), PAGE);
    return named.flatMap((name) => [name, posix.join(below, name)]);
  }
  switch (posix.extname(path)) {
    case '.map':
      return JSON.parse(text).sources;
    case '.md':
      return all(/\]\(([^)#:]+)[^)]*\)/g);
    case '.js':
    case '.ts':
      return [...all(/['"](\.{1,2}\/[^'"\n]+)['"]/g), ...all(/^\/\/# sourceMappingURL=(\S+)/gm)];
    default:
      return [];
  }
}
