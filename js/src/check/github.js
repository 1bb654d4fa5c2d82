import { sentenceOf, titleOf } from './report.js';

/** @import { CheckReport, WorkloadVerdict } from './report.js' */

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
 * The report as workflow commands of GitHub Actions, which become annotations of the manifests: a
 * line for each workload that does not simply fit.
 * @param {CheckReport} report
 * @returns {string}
 */
export function toGithub({ workloads }) {
  return workloads
    .filter(({ result }) => result !== 'Fits')
    .map((workload) => `${commandOf(workload)}\n`)
    .join('');
}

/** @param {WorkloadVerdict} workload */
function commandOf(workload) {
  const { result, place } = workload;
  const { file, line, column } = place;
  const properties = Object.entries({
    file,
    ...(file !== undefined && { line, col: column }),
    title: `${titleOf(workload)} ${TITLES[result]}`,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapedProperty(String(value))}`);
  return `::${COMMANDS[result]} ${properties.join(',')}::${escaped(sentenceOf(workload))}`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** @param {string} text */
function escapedProperty(text) {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
