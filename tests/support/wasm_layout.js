/** The places of the stack and of the static data in a WebAssembly module. */

const MAGIC_AND_VERSION_BYTES = 8;
const SECTION = Object.freeze({ global: 6, data: 11 });
const I32_CONST = 0x41;

/**
 * @typedef {object} WasmLayout
 * @property {number} stackTop where the stack begins; it grows towards address 0
 * @property {number} dataStart the lowest address of static data
 * @property {[number, number]} stackTopBytes the bytes of the module that encode stackTop: from, to
 */

/**
 * Reads the layout of a module that clang linked: its first global is the stack pointer.
 * @param {Uint8Array} module
 * @returns {WasmLayout}
 */
export function wasmLayout(module) {
  const sections = new Map(sectionsOf(module));
  const globals = new Reader(module, sections.get(SECTION.global));
  globals.unsigned(); // the number of globals
  globals.skip(2); // type and mutability of the first
  const { value: stackTop, from, to } = addressIn(globals);
  const data = new Reader(module, sections.get(SECTION.data));
  const segments = data.unsigned();
  let dataStart = Infinity;
  for (let segment = 0; segment < segments; segment += 1) {
    const isActive = data.unsigned() === 0;
    if (isActive) {
      dataStart = Math.min(dataStart, addressIn(data).value);
      data.skip(1); // end of the expression
    }
    data.skip(data.unsigned());
  }
  return { stackTop, dataStart, stackTopBytes: [from, to] };
}

/**
 * The same module with another initial stack pointer: the stack is smaller by that much.
 * @param {Uint8Array} module
 * @param {number} stackTop
 * @returns {Uint8Array}
 */
export function withStackTop(module, stackTop) {
  const [from, to] = wasmLayout(module).stackTopBytes;
  const changed = module.slice();
  let rest = stackTop;
  for (let at = from; at < to; at += 1) {
    changed[at] = (rest & 0x7f) | (at < to - 1 ? 0x80 : 0);
    rest >>= 7;
  }
  return changed;
}

/**
 * The deepest use of a module's stack so far: its memory begins as zeros and lies below all data.
 * @param {ArrayBuffer} memory
 * @param {number} stackTop
 * @returns {number} bytes
 */
export function stackBytes(memory, stackTop) {
  const words = new Uint32Array(memory, 0, stackTop / 4);
  return stackTop - 4 * words.findIndex((word) => word !== 0);
}

/** @param {Reader} reader before an initializer */
function addressIn(reader) {
  const opcode = reader.byte();
  if (opcode !== I32_CONST) throw new Error(`initializer ${opcode} is no i32.const`);
  const from = reader.at;
  const value = reader.unsigned();
  return { value, from, to: reader.at };
}

/** The place of each section's content, by number. @param {Uint8Array} module */
function* sectionsOf(module) {
  const reader = new Reader(module, MAGIC_AND_VERSION_BYTES);
  while (reader.at < module.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    yield /** @type {[number, number]} */ ([id, reader.at]);
    reader.skip(size);
  }
}

class Reader {
  #bytes;

  /** @param {Uint8Array} bytes @param {number | undefined} at */
  constructor(bytes, at) {
    if (at === undefined) throw new Error('the module lacks a section');
    this.#bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.#bytes[this.at++];
  }

  /** @param {number} count */
  skip(count) {
    this.at += count;
  }

  /** LEB128; addresses below 2 GiB are encoded alike with and without sign. */
  unsigned() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}
