/** License notices of the bundled packages, from the bundlers' metadata. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './paths.js';
import { SetupError } from './report.js';

/** The file's name, in js/dist and in the page. */
export const NOTICES = 'THIRD_PARTY_NOTICES.txt';

const LICENCE_FILE = /^(licen[cs]e|copying)/i;
/** The prefix of the module names that bundlers generate, before the tool's name. */
const GENERATED = /^\0(vite|rolldown)\//;
/** Vite's file continues with the licenses of the packages that Vite itself bundles. */
const OF_THE_TOOL_ITSELF = /\n#+ Licenses of bundled dependencies[^]*/;

/** @typedef {{name: string, version: string, licence: string, text: string}} Notice */

/**
 * The folder of the package that a bundled module is from, or null for a module of this repository.
 *
 * @param {string} id  of the module: its absolute path, or the bundler's own name
 */
export function packageFolder(id) {
  const [, tool] = GENERATED.exec(id) ?? [];
  if (tool) return join(repository, 'node_modules', tool);
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? null;
}

/**
 * One notice for each package of the modules.
 *
 * @param {Iterable<string>} modules in the bundlers' form
 * @returns {Notice[]}
 * @throws {SetupError} if a package has no licence file
 */
export function packageNotices(modules) {
  const folders = new Set([...modules].map(packageFolder));
  return [...folders].filter((folder) => folder !== null).map(noticeOfPackage);
}

/** @param {string} folder @returns {Notice} */
function noticeOfPackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license: licence } = manifest;
  const file = readdirSync(folder).find((entry) => LICENCE_FILE.test(entry));
  if (!file || !licence) {
    throw new SetupError(
      `${name} ${version} is bundled, but names no licence or has no text of it.`,
    );
  }
  const text = readFileSync(join(folder, file), 'utf8').replace(OF_THE_TOOL_ITSELF, '');
  return { name, version, licence, text };
}

/**
 * Software with the same license text, such as the packages of one author, shares one entry.
 *
 * @param {string} contains the container of the software, as the beginning of a sentence
 * @param {Notice[]} notices
 */
export function noticesText(contains, notices) {
  const line = '='.repeat(80);
  const sorted = [...notices].sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  /** @type {Map<string, string>} */
  const titles = new Map();
  for (const notice of sorted) {
    // Texts that differ only in how they are indented compress better without it.
    const text = notice.text.trim().replace(/^[ \t]+/gm, '');
    titles.set(text, `${titles.get(text) ?? ''}${titleOf(notice)}\n`);
  }
  const parts = [...titles].map(([text, title]) => `${line}\n${title}\n${text}\n`);
  const head = `${contains} the following software, under these licences.\n`;
  return `${[head, ...parts].join('\n')}\n`;
}

/** @param {Notice} notice */
function titleOf({ name, version, licence }) {
  return `${name} ${version} (${licence})`;
}
