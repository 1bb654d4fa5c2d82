/**
 * Runs a module whose default export has a `fetch` in workerd. It has no packages and compiles
 * nothing at run time, so the module is bundled first, as by wrangler, and WebAssembly is passed as
 * modules.
 */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import { loadEsbuild } from '../../../wasm/toolchain/bundle.js';
import { startServer } from './child.js';
import { program } from './programs.js';

const KV_NAMESPACE = new URL('kv_namespace.js', import.meta.url);
const COMPATIBILITY_DATE = '2026-11-01';

/** Together the 128 MB of an isolate at the edge: V8's heap, and pages of WebAssembly. */
const MEMORY_FLAGS = ['--max-heap-size=64', '--wasm-max-mem-pages=1024'];

/**
 * @param {string} entry a module that default-exports `{ fetch }`
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {string[]} [options.conditions] of package exports; default: those of wrangler
 * @param {object[]} [options.plugins] esbuild's
 * @param {Record<string, string>} [options.env] bindings of text, the second argument of `fetch`
 * @param {string[]} [options.kvNamespaces] bindings of a Workers KV each, in memory
 * @returns {Promise<import('./child.js').Server>}
 */
export async function serveWithWorkerd(entry, options = {}) {
  const { cwd = process.cwd(), env = {}, kvNamespaces = [] } = options;
  const folder = await mkdtemp(join(tmpdir(), 'stowage-workerd-'));
  const remove = () => rm(folder, { recursive: true });
  try {
    const modules = await bundleWorker(resolve(cwd, entry), folder, options);
    await copyFile(KV_NAMESPACE, join(folder, 'kv_namespace.js'));
    await writeFile(join(folder, 'config.capnp'), configurationOf(modules, env, kvNamespaces));
    const words = ['serve', '--control-fd=3', join(folder, 'config.capnp')];
    const { url, stop } = await startServer(program('workerd'), words, (line) => {
      if (!line.startsWith('{"event":"listen"')) return undefined;
      return `http://127.0.0.1:${JSON.parse(line).port}`;
    });
    return { url, stop: () => stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * @param {string} entry
 * @param {string} outdir
 * @param {{ conditions?: string[], plugins?: object[] }} options
 * @returns {Promise<string[]>} the names of the modules, the entry first
 */
export async function bundleWorker(entry, outdir, options) {
  const { conditions = ['workerd', 'worker', 'browser'], plugins } = options;
  const { build } = await loadEsbuild();
  const { metafile } = await build({
    entryPoints: { worker: entry },
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions,
    plugins,
    loader: { '.wasm': 'copy' },
    metafile: true,
    logLevel: 'error',
  });
  const names = Object.keys(metafile.outputs).map((name) => basename(name));
  return names.sort((a, b) => Number(b === 'worker.js') - Number(a === 'worker.js'));
}

/**
 * @param {string[]} modules
 * @param {Record<string, string>} env
 * @param {string[]} kvNamespaces
 */
function configurationOf(modules, env, kvNamespaces) {
  const text = JSON.stringify;
  const kindOf = (/** @type {string} */ name) => (name.endsWith('.wasm') ? 'wasm' : 'esModule');
  const embedded = modules.map((name) => `(name = "${name}", ${kindOf(name)} = embed "${name}")`);
  const bindings = [
    ...Object.entries(env).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`),
    ...kvNamespaces.map((name) => `(name = ${text(name)}, kvNamespace = ${text(name)})`),
  ];
  const services = ['main', ...kvNamespaces].map(
    (name) => `(name = ${text(name)}, worker = ${name === 'main' ? '.worker' : '.kvNamespace'})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${text(MEMORY_FLAGS)},
  services = [${services.join(', ')}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${embedded.join(', ')}],
  bindings = [${bindings.join(', ')}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
const kvNamespace :Workerd.Worker = (
  modules = [(name = "kv_namespace.js", esModule = embed "kv_namespace.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`;
}
