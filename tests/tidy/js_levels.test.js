import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allFiles, assertNone, findings, read } from './files.js';
import { circles, CLI_LEVELS, importFaults, importsOf } from './js_levels.js';

const isModule = (/** @type {string} */ path) => /^js\/(src|apiserver)\/.*\.js$/.test(path);
const isUser = (/** @type {string} */ path) => /^(web|examples)\/.*\.jsx?$/.test(path);

test('imports go down the levels only', () => {
  assertNone(findings(isModule, (path, text) => importFaults(path, text)));
});

test('the page and the examples import entries only', () => {
  assertNone(findings(isUser, (path, text) => importFaults(path, text)));
});

test('no module imports itself through others', () => {
  const modules = allFiles().filter(isModule);
  const imports = new Map(
    modules.map((path) => [
      path,
      importsOf(path, read(path)).flatMap(({ isType, target }) => (isType ? [] : [target])),
    ]),
  );
  assert.deepEqual(circles(imports), []);
});

test('nothing but the entries stands loose in js/src', () => {
  const loose = allFiles().filter((path) => /^js\/src\/[^/]+$/.test(path));
  assert.deepEqual(
    loose,
    [
      ...['admission', 'diff', 'edge', 'index', 'informer', 'kubernetes', 'live', 'manifests'],
      ...['node', 'whatif'],
    ].map((name) => `js/src/${name}.js`),
  );
});

const CLI = 'js/src/cli';

test('only the program itself stands loose in js/src/cli', () => {
  const loose = allFiles().filter((path) => /^js\/src\/cli\/[^/]+\.js$/.test(path));
  const names = ['commands', 'host', 'main', 'open_browser', 'stop_signals', 'stowage', 'version'];
  assert.deepEqual(
    loose,
    names.map((name) => `${CLI}/${name}.js`),
  );
});

test('a command is in the folder of its name, with its arguments', () => {
  const files = allFiles().filter((path) => path.startsWith(`${CLI}/`));
  const folders = new Set(files.flatMap((path) => /^js\/src\/cli\/(\w+)\//.exec(path)?.[1] ?? []));
  for (const name of CLI_LEVELS) assert.ok(folders.delete(name), name);
  assert.ok(folders.size > 10, [...folders].join());
  for (const name of folders) {
    for (const file of [name, 'arguments'])
      assert.ok(files.includes(`${CLI}/${name}/${file}.js`), `${CLI}/${name}/${file}.js`);
    assert.match(read(`${CLI}/commands.js`), new RegExp(`from './${name}/${name}\\.js'`), name);
  }
});

test('the README of js/src/cli names what the commands share, the lowest first', () => {
  const [, table] = /^\| folder \| holds \|\n([^]*?)\n\n/m.exec(read(`${CLI}/README.md`)) ?? [];
  const named = [...String(table).matchAll(/^\| `(\w+)\/`/gm)].map(([, name]) => name);
  assert.deepEqual(named, CLI_LEVELS);
});

test('the tests of the command line are in the folders of what they test', () => {
  const inFolder = (/** @type {string} */ root) => {
    const pattern = new RegExp(`^${root}/(\\w+)/[^/]+\\.js$`);
    return new Set(allFiles().flatMap((path) => pattern.exec(path)?.[1] ?? []));
  };
  const folders = inFolder(CLI);
  const strange = [...inFolder('tests/js/cli')].filter((name) => !folders.has(name));
  assert.deepEqual(strange, []);
});

test('the rule for imports finds what it is for', () => {
  const bad = [
    ['js/src/kubernetes/quantity.js', "import { a } from '../engine/errors.js';"],
    ['js/src/engine/pump.js', "export { a } from '../manifests/parse.js';"],
    ['js/src/live/health.js', "import { a } from '../admission/verdict.js';"],
    ['js/src/edge/cluster.js', "import { a } from '../informer.js';"],
    ['js/src/manifests/expand.js', "const { a } = await import('../cli/main.js');"],
    ['js/src/cli/up/up.js', "import { a } from '../../../apiserver/store.js';"],
    ['js/apiserver/store.js', "/** @import { A } from '../src/engine/types.js' */"],
    ['js/apiserver/store.js', "/** @import { A,\n *   B } from '../src/engine/types.js' */"],
    ['js/apiserver/request_body.js', "await import('../src/manifests/parse.js')"],
    ['web/src/world/world.js', "import { a } from '../../../js/apiserver/store.js';"],
    ['examples/ci/check.js', "import { a } from '../../js/src/engine/engine.js';"],
    ['js/src/check/report.js', "/** @type {import('../cli/host.js').Host} */"],
    ['js/src/cli/outcome/report.js', "/** @import { A } from '../simulate/arguments.js' */"],
    ['js/src/cli/input/inputs.js', "import { a } from '../outcome/outcome.js';"],
    ['js/src/cli/outcome/missing.js', "import { a } from '../simulation/present.js';"],
    ['js/src/cli/check/check.js', "import { a } from '../explain/explanation.js';"],
    ['js/src/cli/explain/explain.js', "import { a } from '../simulate/simulate.js';"],
    ['js/src/cli/terminal/terminal.js', "/** @type {import('../main.js').Host} */"],
    ['js/src/cli/up/up.js', "import { a } from '../commands.js';"],
  ];
  for (const [path, text] of bad) assert.equal(importFaults(path, text).length, 1, text);
  const good = [
    ['js/src/engine/pump.js', "import { a } from '../plugins/host.js';"],
    ['js/src/kubernetes/errors.js', "import { a } from '../io/read_all.js';"],
    ['js/src/cli/up/up.js', "import { a } from '../../../apiserver/index.js';"],
    ['js/src/cli/up/up.js', "import { a } from '../../node.js';"],
    ['js/src/cli/commands.js', "import { a } from './up/up.js';"],
    ['js/src/cli/up/up.js', "import { a } from './playground.js';"],
    ['js/src/cli/up/up.js', "import { a } from '../cluster/validation.js';"],
    ['js/src/cli/terminal/terminal.js', "/** @import { A } from '../host.js' */"],
    ['js/src/cli/simulate/simulate.js', "import { a } from '../explain/explanation.js';"],
    ['js/src/live.js', "import { a } from './live/health.js';"],
    ['web/src/world/world.js', "import { a } from '../../../js/apiserver/index.js';"],
    ['web/src/world/world.js', "import { a } from '../../../js/src/index.js';"],
    ['js/src/live/health.js', "import { a } from './metrics_text.js';\nimport fs from 'node:fs';"],
  ];
  for (const [path, text] of good) assert.deepEqual(importFaults(path, text), [], text);
});

test('the rule for circles finds them', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['b']],
  ]);
  assert.deepEqual(circles(imports), [['b', 'd']]);
});

test('CONTRIBUTING.md names each folder of js/src, and no other', () => {
  const [, table] =
    /^\| folder \| holds \|\n([^]*?)\n\n/m.exec(read('.github/CONTRIBUTING.md')) ?? [];
  const cells = String(table)
    .split('\n')
    .map((row) => row.split(' | ')[0]);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(?:js\/src\/)?(\w+)\/`/g)]);
  const folders = allFiles().flatMap((path) => /^js\/src\/(\w+)\//.exec(path)?.[1] ?? []);
  assert.deepEqual(named.map(([, name]) => name).sort(), [...new Set(folders)].sort());
});
