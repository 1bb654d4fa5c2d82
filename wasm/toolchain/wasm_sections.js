/** Reads and extends WebAssembly modules, section by section (WebAssembly specification 5.5). */

/** Sections that are read, by their ids. */
export const SECTION = {
  ...{ custom: 0, type: 1, import: 2, table: 4, export: 7, element: 9, code: 10, data: 11 },
};
/** What a module imports or exports. */
export const EXTERNAL = { function: 0, table: 1, memory: 2, global: 3 };

/** The part of the section `name` that names functions. */
const FUNCTION_NAMES = 1;

/** The length of a module's magic number and version. */
const PREAMBLE = 8;

/** Opcodes in the offset of a table's elements. */
export const OPCODE = { i32Const: 0x41, end: 0x0b };

/** Reads numbers and names of a module, and passes over bytes. */
export class ModuleReader {
  /** @param {Uint8Array} bytes @param {number} [at] */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** An unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  name() {
    const size = this.number();
    this.advance(size);
    return new TextDecoder().decode(this.bytes.subarray(this.at - size, this.at));
  }

  /** @param {number} count */
  advance(count) {
    this.at += count;
  }
}

/** @param {Uint8Array} module @returns {Map<number, Uint8Array>} sections by their ids */
export function sectionsOf(module) {
  const reader = new ModuleReader(module, PREAMBLE);
  const sections = new Map();
  while (reader.at < module.length) {
    const [id, size] = [reader.number(), reader.number()];
    sections.set(id, module.subarray(reader.at, reader.at + size));
    reader.advance(size);
  }
  return sections;
}

/**
 * @typedef {object} Import
 * @property {string} module
 * @property {string} name
 * @property {number} kind of EXTERNAL
 * @property {Uint8Array} type of a function, its index
 */

/** @param {Uint8Array} section @returns {Import[]} */
export function importsOf(section) {
  const reader = new ModuleReader(section);
  return Array.from({ length: reader.number() }, () => {
    const [module, name, kind] = [reader.name(), reader.name(), reader.number()];
    const begin = reader.at;
    passType(reader, kind);
    return { module, name, kind, type: section.subarray(begin, reader.at) };
  });
}

/** @param {Import[]} imports */
export function importSection(imports) {
  const parts = imports.flatMap(({ module, name, kind, type }) => [
    ...[module, name].map((text) => counted(Buffer.from(text))),
    Buffer.from([kind]),
    type,
  ]);
  return Buffer.concat([Buffer.from(leb128(imports.length)), ...parts]);
}

/** The number of functions that a module imports. @param {Uint8Array} section */
export const countImports = (section) =>
  importsOf(section).filter(({ kind }) => kind === EXTERNAL.function).length;

/** Passes over the type of an import. @param {ModuleReader} reader @param {number} kind */
function passType(reader, kind) {
  if (kind === EXTERNAL.function) reader.number();
  else if (kind === EXTERNAL.global) reader.advance(2);
  else if (kind === EXTERNAL.table || kind === EXTERNAL.memory) {
    if (kind === EXTERNAL.table) reader.advance(1);
    const hasMaximum = reader.number() % 2 === 1;
    for (let limit = 0; limit < (hasMaximum ? 2 : 1); limit += 1) reader.number();
  } else throw new Error(`an import of the unknown kind ${kind}`);
}

/** @param {Uint8Array} section @returns {Uint8Array[]} the functions' code, in their order */
export function functionsOf(section) {
  const reader = new ModuleReader(section);
  return Array.from({ length: reader.number() }, () => {
    const size = reader.number();
    const code = section.subarray(reader.at, reader.at + size);
    reader.advance(size);
    return code;
  });
}

/**
 * The functions in the module's table, which indirect calls reach. A function that replaces equal
 * ones occurs several times.
 *
 * @param {Uint8Array} section of elements: one active segment of the first table
 * @returns {number[]} indexes of functions
 */
export function tableOf(section) {
  const reader = new ModuleReader(section);
  const header = [reader.number(), reader.number(), reader.number()];
  if (header.join() !== [1, 0, OPCODE.i32Const].join()) throw new Error('another form of elements');
  reader.number();
  if (reader.number() !== OPCODE.end) throw new Error('another form of offsets');
  return Array.from({ length: reader.number() }, () => reader.number());
}

/**
 * The module with other content in some sections, which it must have.
 *
 * @param {Uint8Array} module
 * @param {Map<number, Uint8Array>} contents by the sections' ids
 */
export function withSections(module, contents) {
  const reader = new ModuleReader(module, PREAMBLE);
  const parts = [module.subarray(0, PREAMBLE)];
  while (reader.at < module.length) {
    const [id, size] = [reader.number(), reader.number()];
    const before = module.subarray(reader.at, reader.at + size);
    parts.push(Buffer.from([id]), counted(contents.get(id) ?? before));
    reader.advance(size);
  }
  return Buffer.concat(parts);
}

/** @param {number} value @returns {number[]} unsigned LEB128 */
export function leb128(value) {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb128(Math.floor(value / 128))];
}

/** Bytes with their number before them. @param {Uint8Array} bytes */
const counted = (bytes) => Buffer.concat([Buffer.from(leb128(bytes.length)), bytes]);

/**
 * The module with one more section at its end, which engines pass over.
 *
 * @param {Uint8Array} module
 * @param {string} name
 * @param {string | Uint8Array} content
 */
export function withCustomSection(module, name, content) {
  const text = Buffer.concat([counted(Buffer.from(name)), Buffer.from(content)]);
  return Buffer.concat([module, Buffer.from([SECTION.custom]), counted(text)]);
}

/**
 * The content of the section `name`, with the functions' names.
 *
 * @param {Map<number, string>} names by index, in ascending order
 */
export function nameSection(names) {
  const entries = [...names].flatMap(([at, name]) => [
    Buffer.from(leb128(at)),
    counted(Buffer.from(name)),
  ]);
  const list = Buffer.concat([Buffer.from(leb128(names.size)), ...entries]);
  return Buffer.concat([Buffer.from([FUNCTION_NAMES]), counted(list)]);
}
