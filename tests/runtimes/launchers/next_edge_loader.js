/** webpack's loader for modules of WebAssembly in Next's edge runtime: they are global names. */

export const raw = true;

/**
 * @this {import('webpack').LoaderContext<{}>}
 * @param {Buffer} bytes
 */
export default function edgeModule(bytes) {
  this.emitFile('wasm_module.wasm', bytes);
  return 'module.exports = wasm_module;';
}
