import { readFile } from 'node:fs/promises';
import { fileSystem } from './file_system.js';

/** The module of this package. @returns {Promise<BufferSource | Response>} */
export function packageModule() {
  // In CommonJS output bundlers leave `import.meta` empty.
  if (!import.meta.url) return readModule(`${__dirname}/stowage.wasm`);
  return readModule(new URL('../../dist/stowage.wasm', import.meta.url));
}

const deferredLocation = () =>
  import.meta.url
    ? new URL('../../dist/stowage.deferred.wasm', import.meta.url)
    : `${__dirname}/stowage.deferred.wasm`;

/** The second module of this package. @returns {Promise<BufferSource | Response>} */
export const deferredModule = () => readModule(deferredLocation());

/** The second module of this package, at once. */
export const deferredModuleNow = () => readModuleNow(deferredLocation());

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

/** @param {URL | string} file */
export const readModuleNow = (file) => new WebAssembly.Module(fileSystem().readFileSync(file));

export { compileModule } from './compile_module.js';
