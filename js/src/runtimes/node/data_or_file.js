/** Reads fields that a kubeconfig gives either in place, as base64, or as the path of a file. */
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** @import { Fields } from './kubeconfig_fields.js' */

/** Both are empty if neither is set. @typedef {{ data: string, file: string }} DataOrFile */

/**
 * @param {Fields} fields
 * @param {string} name of the file's field; the field of the data has the suffix `-data`
 * @returns {DataOrFile}
 */
export function dataOrFile(fields, name) {
  return { data: fields.data(`${name}-data`), file: pathOf(fields, name) };
}

/**
 * Resolves a path relative to its kubeconfig.
 * @param {Fields} fields
 * @param {string} name
 * @returns {string} empty if there is none
 */
export function pathOf(fields, name) {
  const path = fields.text(name);
  return path && resolve(dirname(fields.file), path);
}

/**
 * @param {string} file
 * @returns {Promise<string | undefined>} the reason why it cannot be read; undefined if it can, or
 *   if there is none
 */
export async function unreadable(file) {
  if (!file) return undefined;
  try {
    await access(file, constants.R_OK);
    return undefined;
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    const known = { ENOENT: 'no such file or directory', EACCES: 'permission denied' };
    return `open ${file}: ${known[/** @type {keyof known} */ (code)] ?? code}`;
  }
}
