import { closeSync, openSync, writeSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readBytes } from './inputs.js';
import { BadInputError } from './problems.js';

/** @import { Host } from './main.js' */

const GZIP = [0x1f, 0x8b];

/**
 * A log that goes into a file, line by line, so that it is there whatever happens; one whose name
 * ends in `.gz` is packed, and written at the end.
 * @param {string} path
 * @returns {{ log: (line: string) => void, close: () => void }}
 * @throws {BadInputError}
 */
export function openRecording(path) {
  /** @type {string[]} */
  const lines = [];
  const file = open(path);
  const isPacked = path.endsWith('.gz');
  return {
    log: (line) => void (isPacked ? lines.push(line) : writeSync(file, line)),
    close() {
      if (isPacked) writeSync(file, gzipSync(lines.join('')));
      closeSync(file);
    },
  };
}

/**
 * The bytes of a log, unpacked where it is packed.
 * @param {string} name a file, or - for standard input
 * @param {Host} host
 * @returns {Promise<Uint8Array>}
 * @throws {BadInputError}
 */
export async function readRecording(name, host) {
  const bytes = await readBytes(name, host);
  if (!GZIP.every((byte, index) => bytes[index] === byte)) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new BadInputError([`${name}: it cannot be unpacked: ${message}`]);
  }
}

/** @param {string} path */
function open(path) {
  try {
    return openSync(path, 'w');
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new BadInputError([`${path}: it cannot be written: ${message}`]);
  }
}
