/**
 * webpack's loader for WebAssembly modules in Next's edge runtime, where they are global variables.
 */

export const raw = true;

/**
 * @this {import('webpack').LoaderContext<{}>}
 * @param {Buffer} bytes
 */
export default function edgeModule(bytes) {
  const name = this.resourcePath.replace(/^.*\/|\.wasm$/g, '').replace('.', '_');
  this.emitFile(`${name}.wasm`, bytes);
  return `module.exports = ${name};`;
}
