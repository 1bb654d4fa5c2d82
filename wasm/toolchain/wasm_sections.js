/** Reads and extends WebAssembly modules, section by section (WebAssembly specification 5.5). */

/** Sections that are read, by their ids. */
export const SECTION = { custom: 0, import: 2, element: 9, code: 10, data: 11 };
const FUNCTION_IMPORT = 0;

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

/** The module imports nothing else besides functions. @param {Uint8Array} section */
export function countImports(section) {
  const reader = new ModuleReader(section);
  const count = reader.number();
  for (let at = 0; at < count; at += 1) {
    for (let name = 0; name < 2; name += 1) reader.advance(reader.number());
    if (reader.number() !== FUNCTION_IMPORT) throw new Error('an import that is no function');
    reader.number();
  }
  return count;
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
 * The module with one more section at its end, which engines pass over.
 *
 * @param {Uint8Array} module
 * @param {string} name at most 127 bytes together with the content
 * @param {string} content
 */
export function withCustomSection(module, name, content) {
  const text = Buffer.from(name + content);
  return Buffer.concat([
    module,
    Buffer.from([SECTION.custom, text.length + 1, Buffer.byteLength(name)]),
    text,
  ]);
}
