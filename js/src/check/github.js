import { printable } from '../engine/printable.js';
import { sentenceOf, titleOf } from './report.js';

/** @import { BadInput, CheckReport, Place, WorkloadVerdict } from './report.js' */

/** @type {Readonly<Record<string, string>>} */
const COMMANDS = Object.freeze({
  RolloutWouldHang: 'error',
  DoesNotFit: 'error',
  FitsByPreemption: 'warning',
  NotChecked: 'notice',
});

/** @type {Readonly<Record<string, string>>} */
const TITLES = Object.freeze({
  RolloutWouldHang: 'would hang in its rollout',
  DoesNotFit: 'does not fit',
  FitsByPreemption: 'fits if other pods go',
  NotChecked: 'was not checked',
});

/**
 * Writes the report as workflow commands of GitHub Actions, which become annotations of the
 * manifests: a line for each workload that does not simply fit, and for each unreadable file or
 * object.
 * @param {CheckReport} report
 * @returns {string}
 */
export function toGithub({ workloads, problems }) {
  const said = workloads.filter(({ result }) => result !== 'Fits').map(verdictCommand);
  return [...said, ...problems.map(problemCommand)].map((command) => `${command}\n`).join('');
}

/** @param {WorkloadVerdict} workload */
function verdictCommand(workload) {
  const { result, place } = workload;
  const title = `${titleOf(workload)} ${TITLES[result]}`;
  return commandOf(COMMANDS[result], { title, message: sentenceOf(workload), place });
}

/** @param {BadInput} problem */
function problemCommand({ message, place }) {
  return commandOf('error', { title: 'invalid input', message, place });
}

/**
 * @param {string} command
 * @param {{ title: string, message: string, place: Place }} annotation
 */
function commandOf(command, { title, message, place: { file, line, column } }) {
  const place = file === undefined ? {} : { file, line, col: column };
  const properties = Object.entries({ ...place, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapedProperty(String(value))}`);
  return `::${command} ${properties.join(',')}::${escaped(message)}`;
}

/**
 * Escapes line ends as part of an annotation, and all other unsafe characters.
 * @param {string} text
 */
function escaped(text) {
  const lines = text.split(/([\r\n])/);
  const safe = lines.map((part) => (/^[\r\n]$/.test(part) ? part : printable(part))).join('');
  return safe.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** @param {string} text */
function escapedProperty(text) {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
