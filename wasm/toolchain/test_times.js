/** The times of the steps of `npm test`, and its slowest test files and C++ test programs. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { repository } from './paths.js';

/** @typedef {{ name: string, seconds: number }} Time */

const SLOWEST = 10;

/** The folder into which a run's reporters write: `*.jsonl` by file_times.js, `*.xml` by ctest. */
const TIMES_FOLDER = join(repository, 'build/test-times');

/** @param {string} name @returns {string} the absolute path for a report, without a file */
export function reportFile(name) {
  const file = join(TIMES_FOLDER, name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

/** @param {string} file  of file_times.js @returns {Time[]} empty if it does not exist */
export function readFileTimes(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/**
 * @param {string} file a file that ctest wrote with --output-junit
 * @param {string} preset
 * @returns {Time[]} one for each test program
 */
export function readProgramTimes(file, preset) {
  if (!existsSync(file)) return [];
  const cases = readFileSync(file, 'utf8').matchAll(
    /<testcase name="([^"]+)"[^>]* time="([^"]+)"/g,
  );
  return [...cases].map(([, name, time]) => ({
    name: `${name} (${preset})`,
    seconds: Number(time),
  }));
}

/**
 * @param {Time[]} steps in the order in which they ran
 * @param {Time[]} files
 * @returns {string} a table of both
 */
export function timesText(steps, files) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const row = (/** @type {Time} */ { name, seconds }) =>
    `   ${seconds.toFixed(1).padStart(7)} s  ${name}`;
  const lines = ['== times', ...steps.map(row)];
  if (slowest.length > 0) lines.push('', '   the slowest test files:', ...slowest.map(row));
  return lines.join('\n');
}
