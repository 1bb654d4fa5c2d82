/** Finds golden files and reads the cases in them, plain or gzip'd, single or packed. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { readText } from '../support/read_text.js';
import { attemptsOf } from './decisions.js';
import {
  checkDecisionFile,
  checkReplayLine,
  FAMILIES,
  familyOfTraces,
  FormatError,
} from './format.js';
import { replayOf } from './replays.js';
import { checkTraceFile } from './trace_format.js';

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} family
 * @property {string} source  file, and line in a pack
 * @property {number} attempts  of a trace: its steps
 * @property {any} [decisions]  a decision file
 * @property {any[]} [lines]    a replay
 * @property {any} [trace]
 * @property {Error} [fault] the file cannot be read; the case fails
 */

const REPLAY_FAMILY = 'openb';
const GOLDEN_FILE = /\.(json|ndjson|jsonl)(\.gz)?$/;
const PACK = /\.(ndjson|jsonl)(\.gz)?$/;

/** Names the scenarios of a release; it has none itself. */
const MANIFEST = 'manifest.json';

/** The request cannot be met: the family is unknown, or there is nothing to run. */
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
 * @param {{families?: string[]}} [options] families: only these, or those below them; each must be
 *   known and present
 * @returns {Case[]}
 */
export function collectCases(paths, { families = [] } = {}) {
  for (const family of families) {
    if (![...FAMILIES].some((known) => isWithin(known, family))) {
      throw new RequestError(`unknown family ${family}`);
    }
  }
  const isWanted = (/** @type {Case} */ { family }) =>
    families.length === 0 ||
    families.some((wanted) => isWithin(family, wanted)) ||
    // A file of unknown family is kept: it may be of one of the wanted families.
    !FAMILIES.has(family);
  const cases = paths.flatMap((path) => filesOf(path).flatMap(readCases).filter(isWanted));
  for (const family of families) {
    if (!cases.some((one) => isWithin(one.family, family))) {
      throw new RequestError(`no scenario of family ${family} in ${paths.join(' ')}`);
    }
  }
  if (cases.length === 0) throw new RequestError(`no golden files in ${paths.join(' ')}`);
  return cases;
}

/** @param {string} family @param {string} wanted */
function isWithin(family, wanted) {
  return family === wanted || family.startsWith(`${wanted}/`);
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new RequestError(`no such file or directory: ${path}`);
  if (!stat.isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = entries
    .filter((entry) => GOLDEN_FILE.test(entry) && basename(entry) !== MANIFEST)
    .sort();
  return files.map((entry) => join(path, entry));
}

/** @param {string} file @returns {Case[]} */
function readCases(file) {
  try {
    const name = basename(file).replace(GOLDEN_FILE, '');
    const text = readText(file);
    if (!PACK.test(file)) return [scenarioCase(file, JSON.parse(text))];
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    if (lines.length === 0) throw new FormatError('the file is empty');
    if (replayOf(name)) return [replayCase(file, name, lines)];
    return lines.map((line, at) => scenarioCase(`${file}:${at + 1}`, line));
  } catch (error) {
    return [faultyCase(file, error)];
  }
}

/**
 * A trace, which has times, or a decision file.
 * @param {string} source @param {any} file
 * @returns {Case}
 */
function scenarioCase(source, file) {
  const isTrace = file?.startTime !== undefined;
  try {
    return isTrace ? traceCase(source, file) : decisionCase(source, file);
  } catch (error) {
    const family = isTrace ? familyOfTraces(file.family) : file?.family;
    return faultyCase(source, error, { ...file, family });
  }
}

/** @param {string} source @param {any} decisions @returns {Case} */
function decisionCase(source, decisions) {
  checkDecisionFile(decisions);
  const { name, family } = decisions;
  return { name, family, source, attempts: attemptsOf(decisions), decisions };
}

/** @param {string} source @param {any} trace @returns {Case} */
function traceCase(source, trace) {
  checkTraceFile(trace);
  const { name } = trace;
  const family = familyOfTraces(trace.family);
  return { name, family, source, attempts: trace.steps.length, trace };
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
