import { closeSync, openSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { constants, createGunzip, gzipSync } from 'node:zlib';
import { streamBytes } from './inputs.js';
import { BadInputError, unwritable } from '../terminal/problems.js';

/** @import { Host } from '../host.js' */

const GZIP = [0x1f, 0x8b];

/** The number of characters that are compressed together: gunzip reads the blocks as one stream. */
const BLOCK = 1 << 20;

/**
 * Opens a file for a log, written line by line, so that it survives a crash; a file named `.gz` is
 * compressed and written by blocks.
 * @param {string} path
 * @returns {{ log: (line: string) => void, close: () => void }} both throw a BadInputError if the
 *   file can no longer be written, as on a full disk
 * @throws {BadInputError}
 */
export function openRecording(path) {
  const file = writable(path, () => openSync(path, 'w'));
  const write = (/** @type {string | Uint8Array} */ text) =>
    writable(path, () => writeFileSync(file, text));
  if (!path.endsWith('.gz')) return { log: write, close: () => closeSync(file) };
  let block = '';
  const pack = () => {
    const text = block;
    block = '';
    if (text !== '') write(gzipSync(text));
  };
  return {
    log(line) {
      block += line;
      if (block.length >= BLOCK) pack();
    },
    close() {
      try {
        pack();
      } finally {
        closeSync(file);
      }
    },
  };
}

/**
 * Yields the bytes of a log in pieces, decompressed if necessary. Of a truncated archive, as much
 * as possible is decompressed.
 * @param {string} name a file, or - for standard input
 * @param {Host} host
 * @returns {AsyncGenerator<Uint8Array, void>}
 * @throws {BadInputError}
 */
export async function* readRecording(name, host) {
  const bytes = streamBytes(name, host);
  try {
    const start = await startOf(bytes);
    const isPacked = GZIP.every((byte, index) => start[index] === byte);
    const whole = joined(start, bytes);
    yield* isPacked ? unpacked(whole, name) : whole;
  } finally {
    await bytes.return();
  }
}

/**
 * The first bytes, enough to detect the format.
 * @param {AsyncGenerator<Uint8Array, void>} bytes
 */
async function startOf(bytes) {
  let start = Buffer.alloc(0);
  while (start.length < GZIP.length) {
    const { value } = await bytes.next();
    if (!value) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

/**
 * @param {Uint8Array} start
 * @param {AsyncGenerator<Uint8Array, void>} rest
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* joined(start, rest) {
  yield start;
  yield* rest;
}

/**
 * @param {AsyncGenerator<Uint8Array, void>} packed
 * @param {string} name
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* unpacked(packed, name) {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  try {
    // The pipeline's errors are thrown by the iteration.
    yield* pipeline(packed, gunzip, () => {});
  } catch (error) {
    if (error instanceof BadInputError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new BadInputError([`${name}: it cannot be unpacked: ${message}`]);
  }
}

/**
 * @template T
 * @param {string} path
 * @param {() => T} write
 * @returns {T}
 * @throws {BadInputError} if it throws
 */
function writable(path, write) {
  try {
    return write();
  } catch (error) {
    throw unwritable(path, error);
  }
}
