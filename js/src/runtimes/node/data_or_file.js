/** What a kubeconfig gives either in place, as base64, or as the path of a file. */
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** @import { Fields } from './kubeconfig_fields.js' */

/** Both are empty where neither is set. @typedef {{ data: string, file: string }} DataOrFile */

/**
 * @param {Fields} fields
 * @param {string} name of the file's field; that of the data ends in `-data`
 * @returns {DataOrFile}
 */
export function dataOrFile(fields, name) {
  return { data: fields.data(`${name}-data`), file: pathOf(fields, name) };
}

/**
 * A path is relative to the file that it stands in.
 * @param {Fields} fields
 * @param {string} name
 * @returns {string} empty: none
 */
export function pathOf(fields, name) {
  const path = fields.text(name);
  return path && resolve(dirname(fields.file), path);
}

/**
 * @param {string} file
 * @returns {Promise<string | undefined>} why it cannot be read; undefined: it can, or there is none
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
