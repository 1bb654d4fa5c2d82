/**
 * The contract in a page built by esbuild, which does not resolve file URLs, but imports of files.
 */
import * as stowage from 'stowage';
import deferredFile from 'stowage/stowage.deferred.wasm';
import file from 'stowage/stowage.wasm';
import { contract } from './contract.js';
import { log } from './log.js';
import { withModule } from './with_module.js';

const compiled = (/** @type {unknown} */ path) =>
  WebAssembly.compileStreaming(fetch(new URL(String(path), import.meta.url)));
const modules = { wasm: compiled(file), deferredWasm: compiled(deferredFile) };

/** @type {any} */ (globalThis).report = contract(withModule(stowage, modules), log);
