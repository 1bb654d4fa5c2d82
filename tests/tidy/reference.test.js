// Goal: js/REFERENCE.md has a heading for every export of the package, and for nothing else.
// Method: the exports and methods are read from the sources of the entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allFiles, assertNone, read } from './files.js';
import { ENTRIES, exportsOf, methodsOf, referenceFaults, sectionOf } from './reference.js';

const reference = read('js/REFERENCE.md');

/** @param {string} path of an entry */
function publicNames(path) {
  const { values, types } = exportsOf(path, read(path));
  const methods = values.flatMap(({ name, file }) => methodsOf(name, read(file)));
  return { values: [...values.map(({ name }) => name), ...methods], types };
}

for (const [entry, path] of Object.entries(ENTRIES)) {
  test(`the reference has a heading for each export of ${entry}`, () => {
    const names = publicNames(path);
    assert.ok(names.values.length > 0, 'the entry exports nothing');
    const section = sectionOf(reference, entry);
    assert.ok(section, `no section: ${entry}`);
    assertNone(referenceFaults(section, names));
  });
}

test('the reference covers every entry of package.json', () => {
  const { exports } = JSON.parse(read('package.json'));
  const isDocumented = (/** @type {string} */ entry) => sectionOf(reference, entry) !== undefined;
  const entries = Object.keys(exports)
    .filter((name) => !name.endsWith('.json') && !/^\.\/stowage\..*wasm$/.test(name))
    .map((name) => name.replace(/^\./, 'stowage'));
  assert.deepEqual(
    entries.filter((name) => !isDocumented(name)),
    [],
  );
  assert.deepEqual(
    entries.filter((name) => name !== 'stowage/wasm' && !(name in ENTRIES)),
    [],
  );
});

test('the guide names every entry', () => {
  const [, table] = /^(\| import \|[^]*?)\n\n/m.exec(read('js/README.md')) ?? [];
  const missing = [...Object.keys(ENTRIES), 'stowage/wasm'].filter(
    (entry) => !String(table).includes(`\`${entry}\``),
  );
  assert.deepEqual(missing, []);
});

test('the reference names every code of an error', () => {
  const isPublic = (/** @type {string} */ path) => /^js\/src\/(?!cli\/).*\.js$/.test(path);
  const codes = allFiles()
    .filter(isPublic)
    .flatMap((path) => [
      ...read(path).matchAll(/new (?:Stowage|Replay|Kubeconfig|Connection)Error\(\s*'(\w+)'/g),
      ...read(path).matchAll(/new (?:Input|Replay)Error\(\{\s*code: '(\w+)'/g),
    ])
    .map(([, code]) => code);
  assert.ok(codes.length > 20);
  const missing = new Set(codes.filter((code) => !reference.includes(`\`${code}\``)));
  assert.deepEqual([...missing], []);
});

/** @param {string} text of a document */
function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

/**
 * @param {string} path of a document
 * @param {string[]} files all files
 * @param {(path: string) => string} textOf
 * @returns {string[]} its links to files and headings that do not exist
 */
function brokenLinks(path, files, textOf) {
  const prose = textOf(path).replace(/^```[^]*?^```|`[^`\n]*`/gm, '');
  const links = [...prose.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/g)];
  return links.flatMap(([, to, anchor]) => {
    if (/^https?:/.test(to)) return [];
    const target = to === '' ? path : new URL(to, `file:///${path}`).pathname.slice(1);
    if (!files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`)))
      return [`${path}: ${to}`];
    const isFound = !anchor || anchorsOf(textOf(target)).includes(anchor);
    return isFound ? [] : [`${path}: ${to}#${anchor}`];
  });
}

test('every link in a document has its file and its heading', () => {
  const files = allFiles();
  const documents = files.filter((path) => path.endsWith('.md'));
  assert.ok(documents.length > 50);
  assertNone(documents.flatMap((path) => brokenLinks(path, files, read)));
});

test('the rule for links finds what it is for', () => {
  const texts = /** @type {Record<string, string>} */ ({
    'a/A.md': '[1](B.md#two-words) [2](#gone) [3](B.md#gone) [4](c/) [5](d.js) `[6](e)`\n# There',
    'a/B.md': '## `Two` words',
  });
  assert.deepEqual(
    brokenLinks('a/A.md', [...Object.keys(texts), 'a/c/x.js'], (path) => texts[path]),
    ['a/A.md: #gone', 'a/A.md: B.md#gone', 'a/A.md: d.js'],
  );
});

test('the rule for the reference finds what it is for', () => {
  const entry = [
    "export { Cart, createCart } from './cart/cart.js';",
    "export {\n  A,\n  B,\n} from './b.js';",
    "/** @typedef {import('./cart/cart.js').CartOptions} CartOptions */",
    "/**\n * @typedef {import('./a.js').Long}\n *   Long\n */",
    "/**\n * @template Query\n * @typedef {import('./a.js').Of<Query>} Of\n */",
  ].join('\n');
  const { values, types } = exportsOf('js/src/shop.js', entry);
  assert.deepEqual(
    values.map(({ name, file }) => `${name} ${file}`),
    ['Cart', 'createCart']
      .map((name) => `${name} js/src/cart/cart.js`)
      .concat(['A', 'B'].map((name) => `${name} js/src/b.js`)),
  );
  assert.deepEqual(types, ['CartOptions', 'Long', 'Of']);
  const source = [
    'export class Cart extends Base {',
    '  constructor(options) {',
    '  }',
    '  async add(item) {',
    '    if (item) {',
    '    }',
    '  }',
    '  async *items(options = {}) {',
    '  }',
    '  #total() {',
    '  }',
    '  toStatus() {',
    '  }',
    '}',
    'export class Other {',
    '  other() {',
    '  }',
    '}',
  ].join('\n');
  assert.deepEqual(methodsOf('Cart', source), ['Cart.add', 'Cart.items']);
  assert.deepEqual(methodsOf('createCart', source), []);
  const text =
    '# R\n\n## `shop`\n\n### `Cart`\n\n`Of`\n\n#### `Cart.gone`\n\n## `shop/b`\n\n### `A`\n';
  const section = sectionOf(text, 'shop');
  assert.ok(section);
  assert.deepEqual(
    referenceFaults(section, { values: ['Cart', 'Cart.add'], types: ['CartOptions', 'Of', 'To'] }),
    [
      'no heading: Cart.add',
      'no heading: CartOptions',
      'not named: To',
      'no such export: Cart.gone',
    ],
  );
  assert.equal(sectionOf(text, 'shop/c'), undefined);
  assert.ok(allFiles().includes('js/REFERENCE.md'));
});
