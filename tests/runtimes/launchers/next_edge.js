/**
 * Next's edge runtime, modelled on its webpack configuration and its sandbox: a module imported
 * with `?module` is compiled outside and is a global variable inside, code that compiles fails the
 * build, and the code runs in a context of its own without some of Node's APIs.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import webpack from 'webpack';

/** Calls for which code is refused. */
const DYNAMIC_CODE = ['eval', 'Function', 'WebAssembly.compile'];
/** Globals that exist, but throw when they are called. */
const STAND_INS = ['setImmediate', 'clearImmediate', 'MessageChannel', 'BroadcastChannel'];
const GLOBALS = {
  ...{ AbortController, AbortSignal, TextDecoder, TextEncoder, URL, atob, btoa, console, crypto },
  ...{ fetch, performance, queueMicrotask, setTimeout, clearTimeout, structuredClone },
};

/**
 * @param {string} entry sets `globalThis.report`, perhaps to a promise
 * @param {{ cwd: string }} place
 * @returns {Promise<string>} the report as JSON
 */
export async function reportOfNextEdge(entry, { cwd }) {
  const path = join(cwd, 'next-edge');
  const modules = await bundle(entry, { cwd, path });
  assert.equal(modules.length, 2, 'each module goes along once');
  /** @type {Record<string, any>} */
  const sandbox = { ...GLOBALS, process: { env: {} } };
  for (const name of modules) {
    const bytes = await readFile(join(path, name));
    sandbox[name.replace('.wasm', '')] = await WebAssembly.compile(bytes);
  }
  for (const name of STAND_INS) {
    const throwing = () => {
      throw new Error(`A Node.js API is used (${name}) which is not supported`);
    };
    Object.defineProperty(sandbox, name, { get: () => throwing });
  }
  const context = createContext(sandbox, { codeGeneration: { strings: false, wasm: false } });
  runInContext(await readFile(join(path, 'main.js'), 'utf8'), context);
  return JSON.stringify(await sandbox.report);
}

/**
 * @param {string} entry
 * @param {{ cwd: string, path: string }} folders
 * @returns {Promise<string[]>} the files that are WebAssembly modules
 */
async function bundle(entry, { cwd, path }) {
  const loader = new URL('next_edge_loader.js', import.meta.url).pathname;
  const compiler = webpack({
    mode: 'production',
    target: ['web', 'es6'],
    context: cwd,
    entry,
    output: { path, filename: 'main.js' },
    optimization: { minimize: false },
    resolve: { conditionNames: ['edge-light', 'worker', 'browser', 'import', 'default'] },
    module: {
      rules: [{ test: /\.wasm$/, resourceQuery: /module/, type: 'javascript/auto', loader }],
    },
    plugins: [{ apply: refuseDynamicCode }],
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  const { errors = [], assets = [] } =
    stats?.toJson({ all: false, errors: true, assets: true }) ?? {};
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return assets.map(({ name }) => name).filter((name) => name.endsWith('.wasm'));
}

/** @param {webpack.Compiler} compiler */
function refuseDynamicCode(compiler) {
  compiler.hooks.compilation.tap('edge', (compilation, { normalModuleFactory }) => {
    const watch = (/** @type {any} */ parser) => {
      for (const name of DYNAMIC_CODE) {
        const refuse = () => {
          const words = `Dynamic Code Evaluation (${name}) not allowed in Edge Runtime`;
          compilation.errors.push(new webpack.WebpackError(words));
        };
        parser.hooks.call.for(name).tap('edge', refuse);
        parser.hooks.new.for(name).tap('edge', refuse);
      }
    };
    for (const type of ['javascript/auto', 'javascript/esm']) {
      normalModuleFactory.hooks.parser.for(type).tap('edge', watch);
    }
  });
}
