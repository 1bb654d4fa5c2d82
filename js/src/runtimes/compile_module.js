/**
 * Compiles the module, streaming if the runtime can.
 * @param {Response | BufferSource} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileModule(source) {
  if (!isResponse(source)) return WebAssembly.compile(source);
  if (!source.ok) throw new Error(`HTTP ${source.status} from ${source.url}`);
  const streams = typeof WebAssembly.compileStreaming === 'function';
  if (streams && source.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(source);
  }
  return WebAssembly.compile(await source.arrayBuffer());
}

/**
 * Compares the object's tag: naming `Response` makes Node load all of fetch, which takes 30 ms.
 * @param {unknown} value
 * @returns {value is Response}
 */
function isResponse(value) {
  return Object.prototype.toString.call(value) === '[object Response]';
}
