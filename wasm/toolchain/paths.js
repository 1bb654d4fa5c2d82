/** The folders that the set-up writes to. */
import { fileURLToPath } from 'node:url';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

export const repository = at('../..');
export const toolchain = at('../../.toolchain');
export const headerPackages = at('../../.toolchain/packages');
export const chosenEmscripten = at('../../.toolchain/emscripten.json');
export const emscriptenRootFile = at('../../.toolchain/emscripten-root');
export const runtimes = at('runtimes');
