/** The contract in a page that esbuild made: it knows no locations of files, but their imports. */
import * as stowage from 'stowage';
import file from 'stowage/stowage.wasm';
import { contract } from './contract.js';
import { log } from './log.js';

const wasm = WebAssembly.compileStreaming(fetch(new URL(String(file), import.meta.url)));
const { createScheduler, loadEngine, replay } = stowage;
/** @type {typeof stowage} */
const withModule = {
  ...stowage,
  createScheduler: (options = {}) => createScheduler({ wasm, ...options }),
  loadEngine: (options = {}) => loadEngine({ wasm, ...options }),
  replay: (source, options = {}) => replay(source, { wasm, ...options }),
};

/** @type {any} */ (globalThis).report = contract(withModule, log);
