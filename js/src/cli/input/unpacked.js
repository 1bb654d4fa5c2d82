/** Reads files of bounded size, decompressed if gzip packed them. */
import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InputError } from '../../kubernetes/errors.js';
import { tooLarge } from '../../io/read_all.js';
import { UnreadableError } from '../terminal/problems.js';

const GZIP = [0x1f, 0x8b];

/** The position and text of a tar archive's magic number. */
const TAR = Object.freeze({ at: 257, magic: [...Buffer.from('ustar')] });

/** The maximum size of one file after decompression, in bytes: Node reads no larger ones. */
export const FILE_BYTES_MAX = 2 ** 31 - 1;

/** The maximum size of a text, in bytes: a string cannot hold more. */
export const TEXT_BYTES_MAX = constants.MAX_STRING_LENGTH;

/**
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
function isPacked(bytes) {
  return GZIP.every((byte, index) => bytes[index] === byte);
}

/**
 * Returns the bytes of a file, without gzip.
 * @param {Uint8Array} bytes
 * @param {{ limit?: number }} [options] the limit in bytes, after decompression
 * @returns {Promise<Uint8Array>}
 * @throws {InputError} if it is truncated, or an archive
 * @throws {UnreadableError} if it is truncated, or an archive
 */
export async function unpacked(bytes, { limit = FILE_BYTES_MAX } = {}) {
  if (bytes.length > limit) throw tooLarge(limit);
  const plain = isPacked(bytes) ? await gunzipped(bytes, limit) : bytes;
  if (TAR.magic.every((byte, index) => plain[TAR.at + index] === byte))
    throw new UnreadableError('this is a tar archive: unpack it, and name its directory with -R');
  return plain;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} limit
 * @returns {Promise<Uint8Array>}
 */
async function gunzipped(bytes, limit) {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: limit });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? new InputError({ code: 'TooLarge', detail: `limit is ${limit} bytes when unpacked` })
      : new UnreadableError(`it cannot be unpacked: ${message}`);
  }
}
