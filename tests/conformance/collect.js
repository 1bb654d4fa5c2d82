/** Finds golden files and reads the cases in them, plain or gzip'd, single or packed. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { readText } from '../support/read_text.js';
import { attemptsOf } from './decisions.js';
import { checkDecisionFile, checkReplayLine, FAMILIES, FormatError } from './format.js';
import { replayOf } from './replays.js';

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} family
 * @property {string} source  file, and line in a pack
 * @property {number} attempts
 * @property {any} [decisions]  a decision file
 * @property {any[]} [lines]    a replay
 * @property {Error} [fault]    it cannot be read; such a case fails
 */

const REPLAY_FAMILY = 'openb';
const GOLDEN_FILE = /\.(nd)?json(\.gz)?$/;

/** The request itself cannot be met: an unknown family, or nothing to run. */
export class RequestError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'RequestError';
    this.code = 'Request';
  }
}

/**
 * Cases of all golden files among `paths`, in order of path.
 * @param {string[]} paths  files and directories
 * @param {{families?: string[]}} [options]  only these; each must be known and present
 * @returns {Case[]}
 */
export function collectCases(paths, { families = [] } = {}) {
  for (const family of families) {
    if (!FAMILIES.has(family)) throw new RequestError(`unknown family ${family}`);
  }
  const all = paths.flatMap(filesOf).flatMap(readCases);
  // A file whose family cannot be told is kept: it may be one of those asked for.
  const cases = all.filter(
    ({ family }) => families.length === 0 || families.includes(family) || !FAMILIES.has(family),
  );
  for (const family of families) {
    if (!cases.some((one) => one.family === family)) {
      throw new RequestError(`no scenario of family ${family} in ${paths.join(' ')}`);
    }
  }
  if (cases.length === 0) throw new RequestError(`no golden files in ${paths.join(' ')}`);
  return cases;
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new RequestError(`no such file or directory: ${path}`);
  if (!stat.isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = entries.filter((entry) => GOLDEN_FILE.test(entry)).sort();
  return files.map((entry) => join(path, entry));
}

/** @param {string} file @returns {Case[]} */
function readCases(file) {
  try {
    const name = basename(file).replace(GOLDEN_FILE, '');
    const text = readText(file);
    if (!/\.ndjson(\.gz)?$/.test(file)) return [decisionCase(file, JSON.parse(text))];
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    if (lines.length === 0) throw new FormatError('the file is empty');
    if (replayOf(name)) return [replayCase(file, name, lines)];
    return lines.map((line, at) => decisionCase(`${file}:${at + 1}`, line));
  } catch (error) {
    return [faultyCase(file, error)];
  }
}

/** @param {string} source @param {any} decisions @returns {Case} */
function decisionCase(source, decisions) {
  try {
    checkDecisionFile(decisions);
  } catch (error) {
    return faultyCase(source, error, decisions);
  }
  const { name, family } = decisions;
  return { name, family, source, attempts: attemptsOf(decisions), decisions };
}

/** @param {string} source @param {string} name @param {any[]} lines @returns {Case} */
function replayCase(source, name, lines) {
  lines.forEach(checkReplayLine);
  return { name, family: REPLAY_FAMILY, source, attempts: lines.length, lines };
}

/** @param {string} source @param {unknown} error @param {any} [file] @returns {Case} */
function faultyCase(source, error, file) {
  const fault = error instanceof Error ? error : new Error(String(error));
  const { name = basename(source), family = 'unreadable' } = file ?? {};
  return { name, family, source, attempts: 0, fault };
}
