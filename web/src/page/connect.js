/** The page's side of the worker. */
import { proxy, releaseProxy, wrap } from 'comlink';

import workerUrl from '../worker/worker.js?worker&url';
import { isFramed } from './framed.js';

/** Compiled while the worker loads. Every worker reuses it. */
const engine = compiled(new URL('../../../js/dist/stowage.wasm', import.meta.url));
// The start of a worker reports a failure.
engine.catch(() => {});

/** @import { Ask } from './connection.js' */
/** @import { PageFacts } from '../worker/worker.js' */

/** A playground in a worker of its own. @typedef {{ playground: any, end: () => void }} Remote */

/**
 * The worker's script is a text of this page, so that the page's own content security policy
 * applies to it, whichever server its files come from. Code in the worker is restricted as the page
 * is.
 * @param {Ask} ask
 * @returns {Promise<Remote>} rejects if the engine cannot be loaded
 */
export async function startWorker(ask) {
  const file = new URL(workerUrl, import.meta.url);
  const text = `import ${JSON.stringify(file.href)};`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  const failed = new Promise((_, reject) => {
    worker.onerror = () => reject(new Error('its worker cannot be loaded'));
  });
  const create = /** @type {any} */ (wrap(worker));
  /** @type {PageFacts} */
  const page = { isFramed: isFramed() };
  const playground = await Promise.race([create(await engine, page, proxy(ask)), failed]);
  worker.onerror = null;
  URL.revokeObjectURL(url);
  return {
    playground,
    end: () => {
      create[releaseProxy]();
      worker.terminate();
    },
  };
}

/**
 * @param {URL} file
 * @returns {Promise<WebAssembly.Module>}
 */
async function compiled(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status} from ${file}`);
  const isTyped = response.headers.get('content-type')?.startsWith('application/wasm');
  return isTyped
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
