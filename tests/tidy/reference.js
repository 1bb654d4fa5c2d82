/** The public API by the sources of the package's entries, and its headings in the reference. */
import { posix } from 'node:path';

/** The source of each entry; `stowage/wasm` is no JavaScript. */
export const ENTRIES = Object.freeze({
  stowage: 'js/src/index.js',
  ...Object.fromEntries(
    [
      'manifests',
      'kubernetes',
      'informer',
      'live',
      'diff',
      'admission',
      'edge',
      'node',
      'whatif',
    ].map((name) => [`stowage/${name}`, `js/src/${name}.js`]),
  ),
  'stowage/embedded-apiserver': 'js/apiserver/index.js',
});

/** Methods that all errors have, and those that only the language calls. */
const WITHOUT_HEADING = ['constructor', 'toStatus', 'toJSON'];

/**
 * @param {string} path of an entry
 * @param {string} text
 * @returns {{ values: { name: string, file: string }[], types: string[] }} its exports with the
 *   files that define them, and the types that it passes on
 */
export function exportsOf(path, text) {
  const own = [...text.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)];
  const passedOn = [...text.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names, from]) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
        .map((name) => ({ name, file: posix.join(posix.dirname(path), from) })),
  );
  const types = [
    ...text.matchAll(/@typedef \{import\([^)]*\)\.\w+(?:<\w+>)?\}\s+(?:\*\s+)?(\w+)/g),
  ];
  const values = [...passedOn, ...own.map(([, name]) => ({ name, file: path }))];
  return { values, types: types.map(([, name]) => name) };
}

/**
 * @param {string} name
 * @param {string} text of the file that defines it
 * @returns {string[]} the public methods of a class, as `Name.method`; of anything else none
 */
export function methodsOf(name, text) {
  const [, body = ''] =
    new RegExp(`^export class ${name} [^]*?\\{\\n([^]*?)^\\}`, 'm').exec(text) ?? [];
  const methods = [...body.matchAll(/^ {2}(?:async )?\*?([a-z]\w*)\(.*\{$/gm)];
  return methods
    .map(([, method]) => method)
    .filter((method) => !WITHOUT_HEADING.includes(method))
    .map((method) => `${name}.${method}`);
}

/**
 * @param {string} reference the text of js/REFERENCE.md
 * @param {string} entry such as `stowage/live`
 * @returns {string | undefined} its section, from its heading to the next entry's
 */
export function sectionOf(reference, entry) {
  const [, ...sections] = reference.split(/^## /m);
  return sections.find((section) => section.startsWith(`\`${entry}\`\n`));
}

/**
 * @param {string} section
 * @returns {string[]} the names that have a heading
 */
function headingsIn(section) {
  return [...section.matchAll(/^#{3,4} `([\w.]+)`$/gm)].map(([, name]) => name);
}

/**
 * @param {string} section of the entry
 * @param {{ values: string[], types: string[] }} names values are exports and methods
 * @returns {string[]} what is missing: headings of values and of types of options, a mention of
 *   each other type; and what is too much: headings of names that the entry does not export
 */
export function referenceFaults(section, { values, types }) {
  const headings = headingsIn(section);
  const isOptions = (/** @type {string} */ name) => name.endsWith('Options');
  const needed = [...values, ...types.filter(isOptions)];
  return [
    ...needed.filter((name) => !headings.includes(name)).map((name) => `no heading: ${name}`),
    ...types
      .filter((name) => !isOptions(name) && !section.includes(`\`${name}\``))
      .map((name) => `not named: ${name}`),
    ...headings.filter((name) => !needed.includes(name)).map((name) => `no such export: ${name}`),
  ];
}
