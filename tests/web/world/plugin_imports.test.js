// Goal: no text of a plugin imports another module, however it is written, and usual texts run.
// Method: all ways to import and re-export, with what may stand between words or hide them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withStowageFrom } from '../../../web/src/world/plugin_imports.js';

const URL = 'blob:http://127.0.0.1/1';

/** @param {string} source @returns {any} */
const linked = (source) => withStowageFrom(source, URL);

const FETCHING = [
  "import('/api/v1/secrets', { with: { type: 'json' } });",
  "import secrets from '/api/v1/secrets' with { type: 'json' };",
  "import '/a.js';",
  'import"/a.js"',
  "import a from 'stowage'",
  "import a, { b } from 'stowage'",
  "import { 'a' as b } from 'stowage'",
  "import { a } from 'stowage/other'",
  "import { a } from '/stowage'",
  "import { a } from 'stowage\\u0021'",
  "import('stowage', { with: { type: 'json' } })",
  "import('stowage' + '/a.js')",
  "import(/**/'stowage')",
  "import/**/('/a.js')",
  "import//\n('/a.js')",
  "import\u2028('/a.js')",
  "import\ufeff('/a.js')",
  "import.defer('/a.js')",
  "import source x from '/a.wasm'",
  "import defer * as x from '/a.js'",
  'import.meta.url',
  "export * from '/a.js'",
  "export*from'/a.js'",
  "export * as a from '/a.js'",
  "export/**/{ a } from '/a.js'",
  "export//\n{ a } from '/a.js'",
  "export { a } from '/a.js'",
  "export {\n a,\n b as default } from '/a.js'",
  "export { a }from'/a.js'",
  "export { a }/**/from '/a.js'",
  "export { a } // there\nfrom '/a.js'",
  "export { 'a b' as b } from '/a.js'",
  "export { /**/ a } from '/a.js'",
  "export { a } from 'stowage'",
];

/** Contexts in which the words would be no keywords; they are refused there as well. */
const AROUND = [
  (/** @type {string} */ text) => text,
  (/** @type {string} */ text) => `export default { name: 'x' };\n${text}`,
  (/** @type {string} */ text) => `const a = 1 /2; /* '*/ ${text} // '`,
  (/** @type {string} */ text) => `const a = b\n/c; '/'; ${text} /d`,
  (/** @type {string} */ text) => `\`\${ (() => { ${text} })() }\``,
  (/** @type {string} */ text) => `import { wait } from 'stowage';${text}`,
  (/** @type {string} */ text) => `import { wait } from 'stowage'\n'';${text}`,
  (/** @type {string} */ text) => `import * as import from 'stowage'; ${text}`,
  (/** @type {string} */ text) => `// import {\n ${text} } from 'stowage'`,
  (/** @type {string} */ text) => `// import * as\n${text} from 'stowage'`,
  (/** @type {string} */ text) => `// export {\n${text} }`,
];

for (const text of FETCHING) {
  test(`refused: ${JSON.stringify(text)}`, () => {
    for (const around of AROUND)
      assert.match(linked(around(text)).fault ?? '', /^a plugin /, around(text));
  });
}

test('a refusal has its position', () => {
  const { line, column } = linked("import { wait } from 'stowage';\n\n  import('/a.js')");
  assert.deepEqual([line, column], [3, 3]);
  const { fault } = linked("import { wait } from 'stowage';\nexport * from 'stowage'");
  assert.match(fault, /exports nothing of another module/);
});

test('imports of stowage are allowed, and get its module', () => {
  for (const [source, want] of [
    ["import { wait } from 'stowage';", `import { wait } from '${URL}';`],
    ['import{wait as a,\n  skip}from"stowage"', `import{wait as a,\n  skip}from"${URL}"`],
    ["import * as all from 'stowage'", `import * as all from '${URL}'`],
    [
      "/** @type {import('stowage').Plugin} */ export default {}",
      `/** @type {import('${URL}').Plugin} */ export default {}`,
    ],
    ...[
      'const a = {};\nexport { a };\nexport default a;',
      'export { a as default, b }\nconst important = imports + reimported;',
      "export const a = { name: 'A' };\nexport function b() {}\nexport class C {}",
      "// exported from 'stowage', important to all\nconst from = Array.from('x');",
    ].map((same) => [same, same]),
  ])
    assert.equal(linked(source).text, want);
});

test('long texts are fast', () => {
  for (const part of ['import { ', 'export {', 'import * as ', 'import {a} from ', 'export {a} '])
    linked(part.repeat(20_000) + ' '.repeat(100_000));
});
