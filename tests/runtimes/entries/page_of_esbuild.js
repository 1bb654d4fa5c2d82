/**
 * The contract in a page built by esbuild, which does not resolve file URLs, but imports of files.
 */
import * as stowage from 'stowage';
import file from 'stowage/stowage.wasm';
import { contract } from './contract.js';
import { log } from './log.js';
import { withModule } from './with_module.js';

const wasm = WebAssembly.compileStreaming(fetch(new URL(String(file), import.meta.url)));

/** @type {any} */ (globalThis).report = contract(withModule(stowage, wasm), log);
