/**
 * @type {{ readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>, readFileSync(path: URL):
 *   Uint8Array<ArrayBuffer> }}
 */
const { readFile, readFileSync } = /** @type {any} */ (globalThis).Deno;

const deferred = new URL('../../dist/stowage.deferred.wasm', import.meta.url);

/**
 * The module of this package.
 * @returns {Promise<BufferSource | Response>}
 */
export function packageModule() {
  return readModule(new URL('../../dist/stowage.wasm', import.meta.url));
}

/**
 * The second module of this package.
 * @returns {Promise<BufferSource | Response>}
 */
export const deferredModule = () => readModule(deferred);

/** The second module of this package, at once. */
export const deferredModuleNow = () => new WebAssembly.Module(readFileSync(deferred));

/**
 * Returns the module's bytes from a file, or a Response for a location on the network.
 * @param {URL | string} location a URL, or the path of a file
 * @returns {Promise<BufferSource | Response>}
 */
export function readModule(location) {
  const text = String(location);
  if (/^(https?|data|blob):/.test(text)) return fetch(text);
  return readFile(text.startsWith('file:') ? new URL(text) : text);
}

/** The memory grows by at least so many bytes once it is large: see memory_steps.js. */
export const MEMORY_STEP = 128 << 20;

export { compileModule } from './compile_module.js';
