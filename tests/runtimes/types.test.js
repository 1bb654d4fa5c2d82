// Goal: the declarations are complete, and are found by Node's resolution and by bundlers'.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { repository, runtimes } from '../../wasm/toolchain/paths.js';
import { makeProject, packedPackage } from './packed.js';

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
/** Exports that are no code have no types. */
const FILES = ['wasm', 'stowage.wasm', 'stowage.deferred.wasm', 'package.json'];

const DOM = ['dom', 'dom.iterable', 'dom.asynciterable'];
const ANYWHERE = ['consumer.ts', 'live_consumer.ts'];
const NODE = { module: 'nodenext', moduleResolution: 'nodenext', lib: [], types: ['node'] };
const PAGE = { module: 'esnext', moduleResolution: 'bundler', lib: DOM, types: [] };
const PROJECTS = [
  { name: 'for Node', consumers: [...ANYWHERE, 'node_consumer.ts'], ...NODE },
  { name: 'for pages', consumers: ANYWHERE, ...PAGE },
];

/** The oldest supported compiler, and the one of this repository. */
const COMPILERS = {
  5.4: join(runtimes, 'node_modules/typescript-5.4/bin/tsc'),
  current: join(repository, 'node_modules/typescript/bin/tsc'),
};

/** @param {string} tool below node_modules/.bin, or a file @param {string[]} args */
async function run(tool, args) {
  const command = resolve(repository, 'node_modules/.bin', tool);
  try {
    return (await promisify(execFile)(command, args, { encoding: 'utf8' })).stdout;
  } catch (error) {
    const { stdout, stderr, message } = /** @type {any} */ (error);
    throw new Error(`${stdout}${stderr}` || message);
  }
}

for (const { name, consumers, lib, types, ...resolution } of PROJECTS) {
  test(`a strict project ${name}, with nothing else installed`, async () => {
    const forAll = (/** @type {string} */ path) => path !== 'node' || types.length > 0;
    const paths = Object.keys(manifest.exports).map((path) => path.slice(2));
    const every = paths
      .filter((path) => !FILES.includes(path) && forAll(path))
      .map((path, at) => `export * as entry${at} from '${join('stowage', path)}';\n`);
    const compilerOptions = {
      ...resolution,
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', ...lib],
      types,
      typeRoots: [join(repository, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    const { folder, remove } = makeProject({
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'every.ts': every.join(''),
      ...Object.fromEntries(
        consumers.map((file) => [file, new URL(`entries/${file}`, import.meta.url)]),
      ),
    });
    after(remove);
    for (const [version, compiler] of Object.entries(COMPILERS)) {
      assert.equal(await run(compiler, ['-p', folder]), '', version);
    }
  });
}

test('the oldest compiler is the one in the README', async () => {
  assert.match(await run(COMPILERS['5.4'], ['--version']), /^Version 5\.4\./);
});

test('"Are the types wrong?" finds nothing', async () => {
  const [archive] = readdirSync(packedPackage()).filter((name) => name.endsWith('.tgz'));
  const excluded = FILES.flatMap((path) => ['--exclude-entrypoints', path]);
  const path = join(packedPackage(), archive);
  const printed = await run('attw', [path, '--profile', 'esm-only', '-f', 'json', ...excluded]);
  const { entrypoints } = JSON.parse(printed).analysis;
  assert.ok(Object.keys(entrypoints).length >= 6, 'an error that it finds makes it fail');
});

test('publint finds nothing', async () => {
  const pkgDir = join(packedPackage(), 'node_modules/stowage');
  const { messages } = await publint({ pkgDir, pack: false, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest)),
    [],
  );
});
