/** Facts about the machine. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { which } from './commands.js';

/**
 * @typedef {object} Machine
 * @property {boolean} isDebian Debian itself: derived systems have other archives
 * @property {string} codename 'bookworm'; empty if unknown
 * @property {string} architecture  in Debian's words
 * @property {string[] | null} asRoot the words to put before a command so that it runs as root, or
 *   null
 */

/** @param {string} text  /etc/os-release @returns {Record<string, string>} */
export function parseOsRelease(text) {
  const rows = [...text.matchAll(/^(\w+)=(?:"([^"\n]*)"|([^\n]*))$/gm)];
  return Object.fromEntries(rows.map(([, name, quoted, plain]) => [name, quoted ?? plain]));
}

/** @returns {Machine} */
export function thisMachine() {
  const file = '/etc/os-release';
  const release = existsSync(file) ? parseOsRelease(readFileSync(file, 'utf8')) : {};
  return {
    isDebian: release.ID === 'debian' && which('apt-get') !== null,
    codename: release.VERSION_CODENAME ?? '',
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    asRoot: rootPrefix(),
  };
}

/** @returns {string[] | null} */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const mayAll = which('sudo') !== null && spawnSync('sudo', ['-n', 'true']).status === 0;
  return mayAll ? ['sudo', '-n'] : null;
}
