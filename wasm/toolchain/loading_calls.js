/**
 * Writes the functions that stand in the table for those of the second module until it is there:
 * each loads it, and calls the function that has then taken its slot. wasm-split leaves them to be
 * imported, but an engine compiles code for each type of function that it imports from JavaScript,
 * and makes a function for each import, whenever the first module starts.
 */
import { EXTERNAL, importsOf, ModuleReader, SECTION, sectionsOf } from './wasm_sections.js';

/** The names of modules that wasm-split is given; it imports the functions from the last one. */
export const SPLIT_MODULE = { primary: 'primary', deferred: 'deferred' };
export const LOADING_CALLS = `${SPLIT_MODULE.deferred}.deferred`;

/** The first byte of a function's type. */
const FUNCTION = 0x60;

/** The names of types in the text format, by their bytes. */
const TYPES = new Map([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
  [0x7b, 'v128'],
]);

/**
 * The module that has them, in the text format. It imports `load` from the module `deferred`.
 *
 * @param {Uint8Array} primary the first module, as wasm-split makes it
 */
export function loadingCalls(primary) {
  const sections = sectionsOf(primary);
  const types = typesOf(sections.get(SECTION.type) ?? new Uint8Array([0]));
  const imports = importsOf(sections.get(SECTION.import) ?? new Uint8Array([0]));
  const functions = imports
    .filter(({ module }) => module === LOADING_CALLS)
    .map(({ name, kind, type }) => {
      if (kind !== EXTERNAL.function) throw new Error(`the import ${name} is no function`);
      return loadingCall(name, types[new ModuleReader(type).number()]);
    });
  return `(module
(import "${SPLIT_MODULE.deferred}" "load" (func $load))
(import "${SPLIT_MODULE.primary}" "__indirect_function_table" (table 1 funcref))
${functions.join('')})
`;
}

/** @typedef {{ params: string[], results: string[] }} FunctionType */

/** @param {string} slot @param {FunctionType} type */
function loadingCall(slot, { params, results }) {
  const type = [`(param ${params.join(' ')})`, `(result ${results.join(' ')})`].join(' ');
  const values = params.map((_, at) => `(local.get ${at})`).join(' ');
  return `(func (export "${slot}") ${type}
  (call $load)
  (call_indirect ${type} ${values} (i32.const ${slot})))
`;
}

/** @param {Uint8Array} section @returns {FunctionType[]} */
function typesOf(section) {
  const reader = new ModuleReader(section);
  const list = () =>
    Array.from({ length: reader.number() }, () => {
      const name = TYPES.get(reader.number());
      if (!name) throw new Error('another type of value');
      return name;
    });
  return Array.from({ length: reader.number() }, () => {
    if (reader.number() !== FUNCTION) throw new Error('another form of type');
    return { params: list(), results: list() };
  });
}
