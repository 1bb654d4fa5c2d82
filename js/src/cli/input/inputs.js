import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { groupOf } from '../../kubernetes/api_group.js';
import { InputError } from '../../kubernetes/errors.js';
import { isOfProgram } from '../../kubernetes/unserved.js';
import { parseInput } from '../../manifests/parse_input.js';
import { OPEN_BRACE, skipSpaces } from '../../io/json_scan.js';
import { readAll, tooLarge } from '../../io/read_all.js';
import { withoutLogs } from './cluster_dump.js';
import { filesOf } from './directories.js';
import { refuseTextForPeople } from './printed_for_people.js';
import { BadInputError, lineOf, Problems, UnreadableError } from '../terminal/problems.js';
import { say, shortList } from '../terminal/terminal.js';
import { FILE_BYTES_MAX, TEXT_BYTES_MAX, unpacked } from './unpacked.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Host } from '../host.js'
 * @import { Problem } from '../terminal/problems.js'
 */

/**
 * One file as read. `bytes` are UTF-8. `text` is what `parse` reads: the same as a string, or the
 * bytes themselves of a large JSON object. `objects`: those of a file that were read before, and
 * that count as all of it.
 * @typedef {{ name: string, bytes: Uint8Array, text: string | Uint8Array, objects?:
 *   KubernetesObject[] }} Source
 */

/** The name of standard input in messages. */
export const STANDARD_INPUT = 'standard input';

/** Objects of more bytes are read as a List, a group of items at a time, if they are one. */
const LIST_BYTES = 1 << 20;

/** Messages for some errors of reading, by code. @type {Readonly<Record<string, string>>} */
const READING = Object.freeze({
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory, a file is needed',
});

/**
 * Reads files, directories and standard input, in the order given; files of a directory by name.
 * @param {string[]} names
 * @param {{ recursive: boolean, skipInvalid?: boolean, problems?: Problems }} options
 *   `skipInvalid`: files without objects are skipped, and counted on standard error
 * @param {Host} host
 * @returns {Promise<Source[]>}
 * @throws {BadInputError} with all unreadable inputs, unless `problems` collects them
 */
export async function readSources(names, { recursive, skipInvalid = false, problems }, host) {
  const found = problems ?? new Problems();
  /** @type {Source[]} */
  const sources = [];
  /** @type {string[]} */
  const passedOver = [];
  for (const file of await listed(names, recursive, found)) {
    try {
      const source = await readObjects(file, host);
      if (skipInvalid && !holdsObject(source)) passedOver.push(source.name);
      else sources.push(source);
    } catch (error) {
      if (skipInvalid && isOfContent(error)) passedOver.push(shown(file));
      else found.add(problemOf(file, error));
    }
  }
  if (passedOver.length > 0) say(host.stderr, passedOverLine(passedOver));
  if (!problems) found.throwAny();
  return sources;
}

/**
 * Reads one file that is not a directory, such as a configuration.
 * @param {string} name
 * @param {Host} host
 * @returns {Promise<Source & { text: string }>}
 * @throws {BadInputError}
 */
export async function readSource(name, host) {
  try {
    const bytes = utf8Of(await bytesOf(name, host));
    return { name: shown(name), bytes, text: textOf(bytes) };
  } catch (error) {
    throw new BadInputError([lineOf(problemOf(name, error))]);
  }
}

/**
 * Yields the bytes of one file, or of standard input, of any type and size.
 * @param {string} name
 * @param {Host} host
 * @returns {AsyncGenerator<Uint8Array, void>}
 * @throws {BadInputError}
 */
export async function* streamBytes(name, host) {
  try {
    for await (const chunk of name === '-' ? standardInput(host) : createReadStream(name))
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } catch (error) {
    throw new BadInputError([lineOf(problemOf(name, error))]);
  }
}

/**
 * Returns the named files, and those of directories.
 * @param {string[]} names
 * @param {boolean} recursive
 * @param {Problems} problems
 */
async function listed(names, recursive, problems) {
  const onError = (/** @type {string} */ name, /** @type {unknown} */ error) =>
    problems.add(problemOf(name, error));
  const isFile = (/** @type {string} */ name) => name !== '-' && !isUrl(name);
  const files = names.map((name) => (isFile(name) ? filesOf(name, recursive, onError) : [name]));
  return (await Promise.all(files)).flat();
}

/**
 * @param {string} name
 * @param {Host} host
 * @returns {Promise<Source>}
 */
async function readObjects(name, host) {
  const bytes = utf8Of(await bytesOf(name, host));
  const isObject = bytes[skipSpaces(bytes, 0)] === OPEN_BRACE;
  if (isObject && bytes.length > LIST_BYTES && isUtf8(bytes))
    return { name: shown(name), bytes, text: bytes };
  const text = textOf(bytes);
  refuseTextForPeople(text);
  return { name: shown(name), bytes, text };
}

/**
 * @param {string} name
 * @param {Host} host
 * @returns {Promise<Uint8Array>}
 * @throws {InputError} `TooLarge`
 */
async function bytesOf(name, host) {
  if (isUrl(name)) return unpacked(await fetched(name));
  if (name !== '-') {
    if ((await stat(name)).size > FILE_BYTES_MAX) throw tooLarge(FILE_BYTES_MAX);
    return unpacked(await readFile(name));
  }
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of standardInput(host)) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > FILE_BYTES_MAX) throw tooLarge(FILE_BYTES_MAX);
  }
  return unpacked(Buffer.concat(chunks));
}

/** The standard inputs that were read: another reading would find nothing. */
const inputsRead = new WeakSet();

/**
 * @param {Host} host
 * @throws {UnreadableError} the second time
 */
function standardInput({ stdin }) {
  if (inputsRead.has(stdin))
    throw new UnreadableError('it cannot be used for multiple arguments: it is read once');
  inputsRead.add(stdin);
  return stdin;
}

/** @param {string} name */
function isUrl(name) {
  return /^https?:\/\//.test(name);
}

/**
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 * @throws {UnreadableError | InputError}
 */
async function fetched(url) {
  const response = await fetch(url).catch((cause) => {
    throw new UnreadableError(cause.cause?.message ?? cause.message);
  });
  if (!response.ok || !response.body)
    throw new UnreadableError(`the server answers ${response.status} ${response.statusText}`);
  return readAll(response.body, { limit: FILE_BYTES_MAX });
}

/**
 * Returns the bytes of the objects. Windows shells pipe UTF-16 with a byte order mark; that is
 * decoded as well.
 * @param {Uint8Array} bytes
 */
function utf8Of(bytes) {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return withoutLogs(isWide ? fromUtf16(bytes) : bytes.subarray(isMarked ? 3 : 0));
}

/**
 * @param {Uint8Array} utf8
 * @throws {InputError} `TooLarge`
 */
function textOf(utf8) {
  if (utf8.length > TEXT_BYTES_MAX) throw tooLarge(TEXT_BYTES_MAX);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(utf8);
  // Of files that were joined, each may have a byte order mark, which starts a document in YAML.
  return text.includes('\ufeff') ? text.replaceAll(/^\ufeff/gm, '') : text;
}

/** @param {Uint8Array} bytes */
function fromUtf16(bytes) {
  return new TextEncoder().encode(new TextDecoder('utf-16le', { fatal: true }).decode(bytes));
}

/** @param {Source} source */
function holdsObject({ text }) {
  const isNamed = (/** @type {unknown} */ type) => typeof type === 'string' && type !== '';
  return parseInput(text, { onError: () => {} }).some(
    ({ apiVersion, kind }) =>
      isNamed(apiVersion) && isNamed(kind) && !isOfProgram(groupOf(apiVersion)),
  );
}

/**
 * Whether the file was read but has the wrong content.
 * @param {unknown} error
 */
function isOfContent(error) {
  const isEncoding = codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return isEncoding || error instanceof UnreadableError;
}

/** @param {string[]} names */
function passedOverLine(names) {
  const files = names.length === 1 ? '1 file holds' : `${names.length} files hold`;
  return `warning: skipped: ${files} no object: ${shortList(names)}`;
}

/**
 * Returns a file's name in messages.
 * @param {string} name
 */
export function shown(name) {
  return name === '-' ? STANDARD_INPUT : name;
}

/** @param {unknown} error @returns {string} */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? '';
}

/**
 * @param {string} name
 * @param {unknown} error
 * @returns {Problem}
 */
function problemOf(name, error) {
  const source = shown(name);
  const code = codeOf(error);
  const { message } = /** @type {Error} */ (error);
  if (error instanceof InputError) return { source, code, message };
  if (error instanceof UnreadableError)
    return { source, code: 'Unreadable', message, line: error.line };
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return { source, code: 'InvalidUtf8', message: 'the text is not valid UTF-8' };
  return { source, code: 'Unreadable', message: READING[code] ?? message };
}
