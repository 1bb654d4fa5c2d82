import { compileModule, readModule } from '#runtime';

/** @import { WasmSource } from './types.js' */

/**
 * @param {WasmSource | Promise<WasmSource> | undefined} source
 * @param {() => WasmSource | Promise<WasmSource>} packages the module of the package, used without
 *   a source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compiled(source, packages) {
  const given = (await source) ?? (await packages());
  const isLocation = typeof given === 'string' || given instanceof URL;
  const read = isLocation ? await readModule(given) : given;
  return isModule(read) ? read : compileModule(read);
}

/**
 * Checks the tag instead of the class: in a context of its own, such as Next's edge runtime, the
 * module may come from another `WebAssembly`.
 * @param {object} value
 * @returns {value is WebAssembly.Module}
 */
function isModule(value) {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
}
