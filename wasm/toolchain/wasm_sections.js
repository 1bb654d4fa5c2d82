/** Reads and extends WebAssembly modules, section by section (WebAssembly specification 5.5). */

/** Sections that are read, by their ids. */
export const SECTION = { custom: 0, import: 2, element: 9, code: 10, data: 11 };
const IMPORT = { function: 0, table: 1, memory: 2, global: 3 };

/** The part of the section `name` that names functions. */
const FUNCTION_NAMES = 1;

/** The length of a module's magic number and version. */
const PREAMBLE = 8;

/** Opcodes in the offset of a table's elements. */
const OPCODE = { i32Const: 0x41, end: 0x0b };

/** Reads numbers and passes over bytes of a module. */
class ModuleReader {
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

/** The number of functions that a module imports. @param {Uint8Array} section */
export function countImports(section) {
  const reader = new ModuleReader(section);
  const count = reader.number();
  let functions = 0;
  for (let at = 0; at < count; at += 1) {
    for (let name = 0; name < 2; name += 1) reader.advance(reader.number());
    const kind = reader.number();
    if (kind === IMPORT.function) functions += 1;
    passImport(reader, kind);
  }
  return functions;
}

/** Passes over the type of an import. @param {ModuleReader} reader @param {number} kind */
function passImport(reader, kind) {
  if (kind === IMPORT.function) reader.number();
  else if (kind === IMPORT.global) reader.advance(2);
  else if (kind === IMPORT.table || kind === IMPORT.memory) {
    if (kind === IMPORT.table) reader.advance(1);
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

/** @param {number} value @returns {number[]} unsigned LEB128 */
function leb128(value) {
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
