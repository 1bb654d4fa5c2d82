/**
 * Programs from another Debian suite need that suite's loader and libraries. The paths in their ELF
 * headers are rewritten, because clang would not find its files if it were started through the
 * loader.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from './commands.js';

const PT_INTERP = 3;
const PROGRAM_HEADER_BYTES = 56;

/** @typedef {'program' | 'library' | 'other'} Kind */

/**
 * The kind of a file: a 64-bit ELF file with an interpreter, one without, or neither.
 *
 * @param {string} file
 * @returns {Kind}
 */
export function elfKind(file) {
  const head = readStart(file, 64);
  if (head.length < 64 || head.toString('latin1', 0, 5) !== '\x7fELF\x02') return 'other';
  const offset = Number(head.readBigUInt64LE(32));
  const count = head.readUInt16LE(56);
  const table = readStart(file, offset + count * PROGRAM_HEADER_BYTES).subarray(offset);
  for (let at = 0; at + PROGRAM_HEADER_BYTES <= table.length; at += PROGRAM_HEADER_BYTES) {
    if (table.readUInt32LE(at) === PT_INTERP) return 'program';
  }
  return 'library';
}

/** @param {string} file @param {number} bytes */
function readStart(file, bytes) {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(handle, buffer, 0, bytes, 0));
  } finally {
    closeSync(handle);
  }
}

/**
 * Points the programs in `folders` to the loader and the libraries in `libraries`.
 *
 * @param {{patchelf: string, loader: string, libraries: string, folders: string[]}} options
 * @returns {number} the number of rewritten files
 */
export function relocate({ patchelf, loader, libraries, folders }) {
  const rewrite = (/** @type {string[]} */ args) => {
    const result = spawnSync(loader, ['--library-path', libraries, patchelf, ...args], {
      encoding: 'utf8',
    });
    if (result.status !== 0) {
      throw new CommandError(
        `patchelf ${args.join(' ')}`,
        (result.stderr ?? result.error).toString(),
      );
    }
    return result.stdout.trim();
  };
  const rpath = ['--force-rpath', '--set-rpath', libraries];
  let count = 0;
  for (const file of folders.flatMap(regularFiles)) {
    if (file === patchelf || elfKind(file) !== 'program') continue;
    rewrite(['--set-interpreter', loader, ...rpath, file]);
    count += 1;
  }
  // A library's own path takes precedence over its program's, so it is rewritten as well.
  for (const file of regularFiles(libraries)) {
    if (elfKind(file) !== 'library' || rewrite(['--print-rpath', file]) === '') continue;
    rewrite([...rpath, file]);
    count += 1;
  }
  return count;
}

/** @param {string} folder */
function regularFiles(folder) {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile());
}
