/**
 * Lets the second module take the functions of the first one that it calls from the table.
 * wasm-split exports them under names of its own. An engine makes an object and a property for each
 * export whenever the first module starts, although most programs never load the second one.
 */
import {
  EXTERNAL,
  importSection,
  importsOf,
  leb128,
  ModuleReader,
  OPCODE,
  SECTION,
  sectionsOf,
  withSections,
} from './wasm_sections.js';

/** The names of the exports that wasm-split makes begin with it. */
export const SPLIT_EXPORT_PREFIX = '%';

/** The exports that loading_calls.js makes have slots as names; the table has these functions. */
const SLOT = /^\d+$/;

/** A table of functions has at least so many, and at most as many. */
const TABLE_FORM = [1, 0x70, 1];

/**
 * The first module without these exports, with their functions at the end of its table; and the
 * second module, which imports them by the numbers of their slots.
 *
 * @param {{ primary: Uint8Array, deferred: Uint8Array }} modules as wasm-split makes them
 */
export function shareByTable({ primary, deferred }) {
  const sections = sectionsOf(primary);
  const section = (/** @type {number} */ id) => {
    const content = sections.get(id);
    if (!content) throw new Error(`the module has no section ${id}`);
    return content;
  };
  const exported = exportsOf(section(SECTION.export));
  const isShared = (/** @type {Export} */ { name, kind }) =>
    kind === EXTERNAL.function && name.startsWith(SPLIT_EXPORT_PREFIX);
  const shared = exported.filter(isShared);
  const others = exported.filter((one) => !isShared(one) && !SLOT.test(one.name));
  const size = tableSize(section(SECTION.table));
  const slots = new Map(shared.map(({ name }, at) => [name, size + at]));
  const contents = new Map([
    [SECTION.table, tableOfSize(size + shared.length)],
    [SECTION.export, exportSection(others)],
    [SECTION.element, withSegment(section(SECTION.element), { at: size, functions: shared })],
  ]);
  const imports = sectionsOf(deferred).get(SECTION.import) ?? new Uint8Array([0]);
  return {
    primary: withSections(primary, contents),
    deferred: withSections(
      deferred,
      new Map([[SECTION.import, withImports(imports, { slots, size: size + shared.length })]]),
    ),
  };
}

/** @typedef {{ name: string, kind: number, index: number, bytes: Uint8Array }} Export */

/** @param {Uint8Array} section @returns {Export[]} */
function exportsOf(section) {
  const reader = new ModuleReader(section);
  return Array.from({ length: reader.number() }, () => {
    const begin = reader.at;
    const [name, kind, index] = [reader.name(), reader.number(), reader.number()];
    return { name, kind, index, bytes: section.subarray(begin, reader.at) };
  });
}

/** @param {Export[]} exported */
const exportSection = (exported) =>
  Buffer.concat([Buffer.from(leb128(exported.length)), ...exported.map(({ bytes }) => bytes)]);

/** @param {Uint8Array} section with one table, whose size is fixed */
function tableSize(section) {
  const reader = new ModuleReader(section);
  const form = [reader.number(), reader.number(), reader.number()];
  const [least, most] = [reader.number(), reader.number()];
  if (form.join() !== TABLE_FORM.join() || least !== most) throw new Error('another form of table');
  return least;
}

/** @param {number} size */
const tableOfSize = (size) => Buffer.from([...TABLE_FORM, ...leb128(size), ...leb128(size)]);

/**
 * @param {Uint8Array} section of elements
 * @param {{ at: number, functions: Export[] }} segment
 */
function withSegment(section, { at, functions }) {
  const reader = new ModuleReader(section);
  const count = reader.number();
  const [table, listed] = [0, functions.flatMap(({ index }) => leb128(index))];
  const offset = [OPCODE.i32Const, ...signed(at), OPCODE.end];
  return Buffer.concat([
    Buffer.from(leb128(count + 1)),
    section.subarray(reader.at),
    Buffer.from([table, ...offset, ...leb128(functions.length), ...listed]),
  ]);
}

/** A number that is not negative, as signed LEB128. @param {number} value @returns {number[]} */
const signed = (value) =>
  value < 64 ? [value] : [(value % 128) + 128, ...signed(Math.floor(value / 128))];

/**
 * Imports by the numbers of slots, from a table of another size.
 *
 * @param {Uint8Array} section
 * @param {{ slots: Map<string, number>, size: number }} table
 */
const withImports = (section, { slots, size }) =>
  importSection(
    importsOf(section).map(({ module, name, kind, type }) => ({
      module,
      name: `${slots.get(name) ?? name}`,
      kind,
      type: kind === EXTERNAL.table ? tableOfSize(size).subarray(1) : type,
    })),
  );
