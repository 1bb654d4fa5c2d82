import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allFiles, assertNone, exists, findings, isText, read } from './files.js';
import {
  brokenLinks,
  brokenReferences,
  countReferences,
  FOLDER,
  specificationOf,
} from './spec_references.js';

/** Recorded and generated data, and the rule itself, whose cases are wrong on purpose. */
const isExempt = (/** @type {string} */ path) =>
  /\.(ndjson|csv|json)$|^tests\/tidy\/spec_references/.test(path);
const isPart = (/** @type {string} */ path) => path.startsWith(FOLDER) && path.endsWith('.md');
/** The page that shows how references are written. */
const isMeant = (/** @type {string} */ path) =>
  isText(path) && !isExempt(path) && path !== `${FOLDER}README.md`;

const specification = specificationOf(
  allFiles()
    .filter(isPart)
    .map((path) => ({ path: path.slice(FOLDER.length), text: read(path) })),
);

test('every reference to the specification leads to a section', () => {
  assertNone(findings(isMeant, (path, text) => brokenReferences(specification, path, text)));
  const files = allFiles().filter((path) => isMeant(path) && !isPart(path));
  const count = files.reduce((sum, path) => sum + countReferences(read(path)), 0);
  assert.ok(count > 100, `${count} references were found`);
});

test('links of Markdown files lead somewhere', () => {
  const isMarkdown = (/** @type {string} */ path) => path.endsWith('.md');
  assertNone(findings(isMarkdown, (path, text) => brokenLinks(specification, exists, path, text)));
});

test('the indexes of the specification name all of its files', () => {
  const index = read(`${FOLDER}README.md`) + read(`${FOLDER}plugins/README.md`);
  const names = [...specification.keys()].map((path) => path.replace('plugins/', ''));
  const missing = names.filter((name) => name !== 'README.md' && !index.includes(`](${name})`));
  assert.deepEqual(missing, []);
});

test('no file of the specification is without what is easy to get wrong', () => {
  const isList = (/** @type {string} */ path) => /README\.md$|^09-/.test(path);
  const without = [...specification].filter(
    ([path, { headings }]) =>
      !isList(path) && !headings.some((heading) => heading.startsWith('Easy to get wrong')),
  );
  assert.deepEqual(
    without.map(([path]) => path),
    [],
  );
});

const small = specificationOf([
  {
    path: '01-things.md',
    text: '# 01 — Things\n## 1. One\n### 1.2 Within\n## 2. Two\n## 4. Four\n',
  },
  { path: '02-others.md', text: '# 02 — Others\n## 1. One\n## Easy to get wrong\n' },
  { path: 'plugins/00-helpers.md', text: '# Helpers\n## Host ports\n## Signatures (of pods)\n' },
  { path: 'plugins/node-name.md', text: '# NodeName\n## Filter (per node)\n' },
]);

/** @param {string} text @param {string} [path] */
const broken = (text, path = 'core/a.h') => brokenReferences(small, path, text);

test('the rule for references finds what leads nowhere', () => {
  const cases = [
    ['// spec 03 §1', 1, 'no file of core/spec: 03'],
    ['// (spec 03).', 1, 'no file of core/spec: 03'],
    ['// spec plugins/node-port.md, "Filter"', 1, 'no file of core/spec: plugins/node-port.md'],
    ['int a;\n// One (spec 01 §3).', 2, 'core/spec/01-things.md: no section §3'],
    ['// spec 01 §1.3', 1, 'core/spec/01-things.md: no section §1.3'],
    ['/**\n * See spec 01 §1–§3.\n */', 2, 'core/spec/01-things.md: no section §3'],
    ['// spec 01 §3-§4', 1, 'core/spec/01-things.md: no section §3'],
    ['// spec 01 §4–§2', 1, 'core/spec/01-things.md: §4–§2 is no range'],
    ['// spec 01 §1, §3, §4', 1, 'core/spec/01-things.md: no section §3'],
    ['// spec 01 §1; 02 §2', 1, 'core/spec/02-others.md: no section §2'],
    ['// of what (spec 01\n// §9) is', 2, 'core/spec/01-things.md: no section §9'],
    ['// spec plugins/00, "Ports"', 1, 'core/spec/plugins/00-helpers.md: no heading "Ports"'],
    ['// spec plugins/00, "Host"', 0, ''],
    ['// spec plugins/00 "Hos"', 1, 'core/spec/plugins/00-helpers.md: no heading "Hos"'],
    ['// as a whole (§1)', 1, 'a section of no file: write "spec NN §…"'],
    ['// (01 §1)', 1, 'a section of no file: write "spec NN §…"'],
    ['// spec 1 §1', 1, 'a section of no file: write "spec NN §…"'],
    ['See core/spec/03-none.md.', 1, 'no file core/spec/03-none.md'],
  ];
  for (const [text, line, what] of cases)
    assert.deepEqual(broken(String(text)), line === 0 ? [] : [{ line, what }], String(text));
});

test('the rule for references lets pass what leads somewhere', () => {
  const good = [
    '// spec 01',
    '// (spec 01 §1–§4, 02 §1)',
    '// spec 01 §1.2, §2; 02 §1, "Easy to get wrong".',
    '// (spec 01 §1, plugins/00 "Signatures", "Host\n// ports").',
    '// spec plugins/node-name, "Filter"; spec plugins/node-name.md.',
    ' * v1.36; spec\n * plugins/00-helpers.',
    '// spec 01 §1 and plugins/00, the borders',
    '// by spec 01, 12 pods',
    "const { spec } = pod; // spec.nodeName, a pod's spec 1.5",
    'Read core/spec/01-things.md.',
  ];
  for (const text of good) assert.deepEqual(broken(text), [], text);
});

test('within the specification a section alone is one of the same file', () => {
  const path = 'core/spec/01-things.md';
  assert.deepEqual(broken('as in §1.2, and (02 §1)', path), []);
  assert.deepEqual(broken('see §5', path).length, 1);
  assert.deepEqual(broken('see 02 §1, §2', path).length, 1);
  assert.deepEqual(broken('ok\nsee 03 §1', path), [{ line: 2, what: 'no file of core/spec: 03' }]);
});

test('the rule for links finds what leads nowhere', () => {
  const path = 'core/spec/plugins/node-name.md';
  const isThere = (/** @type {string} */ target) => target !== 'core/spec/03-none.md';
  const faults = (/** @type {string} */ text) => brokenLinks(small, isThere, path, text).length;
  for (const link of ['../03-none.md', '../01-things.md#3-three', '#score', '00-helpers.md#host'])
    assert.equal(faults(`[a](${link})`), 1, link);
  assert.equal(faults('`[a-z](b)`'), 0);
  for (const link of ['../01-things.md#12-within', '#filter-per-node', 'https://k8s.io/#a', '../'])
    assert.equal(faults(`[a](${link})`), 0, link);
});
