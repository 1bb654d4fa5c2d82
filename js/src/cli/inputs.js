import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BadInputError } from './problems.js';

/** @import { Host } from './main.js' */

/**
 * One file as it was read. `bytes` are UTF-8 and say the same as `text`.
 * @typedef {{ name: string, bytes: Uint8Array, text: string }} Source
 */

/** What standard input is called. */
export const STANDARD_INPUT = 'standard input';

/** Names of files with manifests. */
export const MANIFEST = /\.(ya?ml|json|ndjson|jsonl)$/i;
const FILES = '.yaml, .yml, .json, .ndjson or .jsonl file';

/**
 * Reads files, directories and standard input, in the order given; what is inside of a directory by
 * name.
 * @param {string[]} names
 * @param {{ recursive: boolean }} options
 * @param {Host} host
 * @returns {Promise<Source[]>}
 * @throws {BadInputError} with all that cannot be read
 */
export async function readSources(names, { recursive }, host) {
  /** @type {Source[]} */
  const sources = [];
  /** @type {string[]} */
  const problems = [];
  for (const name of names) {
    try {
      for (const file of await filesOf(name, recursive))
        sources.push(decode(file, await readOne(file, host)));
    } catch (error) {
      problems.push(problemOf(name, error));
    }
  }
  if (problems.length > 0) throw new BadInputError(problems);
  return sources;
}

/**
 * One file that is no directory, such as a configuration.
 * @param {string} name
 * @param {Host} host
 * @returns {Promise<Source>}
 * @throws {BadInputError}
 */
export async function readSource(name, host) {
  try {
    return decode(name, await readOne(name, host));
  } catch (error) {
    throw new BadInputError([problemOf(name, error)]);
  }
}

/**
 * The bytes of one file, or of standard input, whatever they are and however many.
 * @param {string} name
 * @param {Host} host
 * @returns {AsyncGenerator<Uint8Array, void>}
 * @throws {BadInputError}
 */
export async function* streamBytes(name, { stdin }) {
  try {
    for await (const chunk of name === '-' ? stdin : createReadStream(name))
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } catch (error) {
    throw new BadInputError([problemOf(name, error)]);
  }
}

/**
 * @param {string} name
 * @param {boolean} recursive
 * @returns {Promise<string[]>}
 */
async function filesOf(name, recursive) {
  if (name === '-' || !(await stat(name)).isDirectory()) return [name];
  const entries = await readdir(name, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const nested = entries.map(async (entry) => {
    const path = join(name, entry.name);
    if (entry.isDirectory()) return recursive ? filesOf(path, recursive).catch(emptyIsFine) : [];
    return MANIFEST.test(entry.name) ? [path] : [];
  });
  const files = (await Promise.all(nested)).flat();
  if (files.length === 0)
    throw new EmptyDirectory(
      recursive
        ? `there is no ${FILES} in it`
        : `there is no ${FILES} in it; -R reads its directories too`,
    );
  return files;
}

class EmptyDirectory extends Error {}

/** @param {unknown} error @returns {string[]} */
function emptyIsFine(error) {
  if (error instanceof EmptyDirectory) return [];
  throw error;
}

/**
 * @param {string} name
 * @param {Host} host
 * @returns {Promise<Uint8Array>}
 */
async function readOne(name, { stdin }) {
  if (name !== '-') return readFile(name);
  /** @type {Buffer[]} */
  const chunks = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/**
 * Windows shells write what they are piped in UTF-16 with a mark: it is read as well.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Source}
 */
function decode(name, bytes) {
  const shown = name === '-' ? STANDARD_INPUT : name;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    const text = new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
    return { name: shown, bytes: new TextEncoder().encode(text), text };
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return {
    name: shown,
    bytes: bytes.subarray(start),
    text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
  };
}

/**
 * @param {string} name
 * @param {unknown} error
 */
function problemOf(name, error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const shown = name === '-' ? STANDARD_INPUT : name;
  if (code === 'ENOENT') return `${shown}: there is no such file`;
  if (code === 'EISDIR') return `${shown}: this is a directory, a file is needed`;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return `${shown}: the text is not valid UTF-8`;
  return `${shown}: ${message}`;
}
