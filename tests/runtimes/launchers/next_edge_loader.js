/**
 * webpack's loader for WebAssembly modules in Next's edge runtime, where they are global variables.
 */

export const raw = true;

/**
 * @this {import('webpack').LoaderContext<{}>}
 * @param {Buffer} bytes
 */
export default function edgeModule(bytes) {
  this.emitFile('wasm_module.wasm', bytes);
  return 'module.exports = wasm_module;';
}
