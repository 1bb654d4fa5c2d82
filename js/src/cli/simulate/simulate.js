import { explainPod, formatExplanation, omittedLine } from '../explain/explanation.js';
import { madeUpIn, madeUpLines } from '../outcome/made_up.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { firstToExplain, podsToExplain } from '../outcome/named_pod.js';
import { isSettled, outcomeOf } from '../outcome/outcome.js';
import { badInputIn } from '../outcome/place.js';
import { EXIT, Problems } from '../terminal/problems.js';
import { openRecording } from '../input/recording.js';
import {
  formatOutcome,
  ignoredLines,
  leftAloneLines,
  summaryLine,
  warningLines,
} from '../outcome/report.js';
import { placePods, readClusterFiles, readConfiguration } from '../simulation/simulation.js';
import { painter, Progress, say } from '../terminal/terminal.js';
import { waitingGroups, waitingLines } from '../outcome/waiting_pods.js';

/**
 * @import { Decision, Evaluation } from '../../engine/types.js'
 * @import { SimulateOptions } from './arguments.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Host } from '../host.js'
 * @import { MadeUpHere, Missing } from '../../check/types.js'
 * @import { Outcome } from '../outcome/outcome.js'
 * @import { WaitingGroup } from '../outcome/waiting_pods.js'
 */

/**
 * `stowage simulate`: places the pending pods of a cluster and reports on each.
 * @param {SimulateOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function simulate(options, host) {
  const progress = new Progress(host.stderr, options);
  const problems = new Problems();
  try {
    return await placeAndReport(options, host, { progress, problems });
  } finally {
    progress.clear();
    problems.print(host.stderr);
  }
}

/**
 * @param {SimulateOptions} options
 * @param {Host} host
 * @param {{ progress: Progress, problems: Problems }} state
 */
async function placeAndReport(options, host, { progress, problems }) {
  const configuration = await readConfiguration(options, host);
  const cluster = await readClusterFiles(options.files, options, { host, progress, problems });
  const { schedulerNames } = configuration;
  const { explain, namespace, selector } = options;
  const explained =
    explain && podsToExplain(explain, { cluster, namespace, schedulerNames, asked: '--explain' });
  const engine = await host.loadEngine();
  const recording = options.record === undefined ? undefined : openRecording(options.record);
  const parts = { engine, cluster, configuration, options, progress, log: recording?.log };
  try {
    return await placePods(parts, async (simulation) => {
      const { scheduler, decisions, times } = simulation;
      const { assumed } = scheduler.inspect();
      const outcome = outcomeOf(cluster, decisions, {
        schedulerNames,
        namespace,
        selector,
        assumed,
      });
      const evaluation = explained
        ? await explainPod(
            firstToExplain(explained, { cluster, outcomes: outcome.pods }),
            simulation,
            options,
          )
        : undefined;
      progress.clear();
      const { kubernetesVersion } = scheduler;
      const missing = missingIn(cluster, { schedulerNames, decisions });
      const waiting = await waitingGroups(outcome.pods, scheduler);
      const madeUp = madeUpIn(simulation);
      const found = { outcome, decisions, evaluation, missing, waiting, madeUp, problems };
      const run = { ...found, cluster, kubernetesVersion, times };
      print(run, options, host);
      const lacks = printMissing(missing, options, host);
      if (problems.all.length > 0) return EXIT.badInput;
      return lacks ?? exitCode(outcome, cluster);
    });
  } finally {
    recording?.close();
  }
}

/**
 * @param {Outcome} outcome
 * @param {Cluster} cluster
 */
function exitCode(outcome, { refused }) {
  return isSettled(outcome) && refused.length === 0 ? EXIT.yes : EXIT.no;
}

/**
 * Prints results to standard output, everything else to standard error.
 * @param {{ outcome: Outcome, decisions: Decision[], evaluation?: Evaluation, missing: Missing[],
 *   waiting: WaitingGroup[], madeUp: MadeUpHere[], cluster: Cluster, problems: Problems,
 *   kubernetesVersion: string, times: { start: number, applied: number, end: number } }} run
 * @param {SimulateOptions} options
 * @param {Host} host
 */
function print(run, options, host) {
  const { outcome, decisions, evaluation, missing, waiting, madeUp, cluster, problems } = run;
  const { kubernetesVersion, times } = run;
  const paint = painter(options.color, host);
  const printLine = (/** @type {string} */ line) => say(host.stderr, line);
  const isTable = options.output === 'table' || options.output === 'wide';
  if (evaluation && isTable) printExplanation(evaluation, run, { ...options, paint }, host);
  else {
    const said = { missing, waiting, madeUp, warnings: cluster.warnings };
    const details = { decisions, kubernetesVersion, evaluation, ...said };
    const document = { ...details, problems: badInputIn(problems) };
    host.stdout.write(formatOutcome(outcome, document, { ...options, paint }));
  }
  problems.print(host.stderr);
  warningLines(outcome).forEach(printLine);
  if (options.quiet) return;
  if (isTable) waiting.flatMap(waitingLines).forEach(printLine);
  madeUpLines(madeUp).forEach(printLine);
  ignoredLines(cluster.ignoredKinds, options.verbose).forEach(printLine);
  leftAloneLines(outcome.leftAlone).forEach(printLine);
  if (options.speed) printLine(speedLine(run));
  if (outcome.pods.length === 0 && problems.all.length === 0)
    printLine(
      [
        'no pending pods',
        options.selector && 'with such labels',
        options.namespace && `in namespace ${options.namespace}`,
      ]
        .filter(Boolean)
        .join(' '),
    );
  printLine(
    summaryLine(outcome.summary, { kubernetesVersion, elapsedMs: times.end - times.start }),
  );
}

/**
 * @param {Evaluation} evaluation
 * @param {{ outcome: Outcome, cluster: Cluster }} run
 * @param {SimulateOptions & { paint: ReturnType<typeof painter> }} options
 * @param {Host} host
 */
function printExplanation(evaluation, { outcome, cluster }, options, host) {
  const fate = outcome.pods.find(({ pod }) => pod === evaluation.pod);
  const { text, omitted } = formatExplanation(evaluation, { cluster, fate }, options);
  host.stdout.write(text);
  if (omitted > 0) say(host.stderr, omittedLine(omitted));
}

/**
 * @param {{ decisions: Decision[], cluster: Cluster, times: { start: number, applied: number, end:
 *   number } }} run
 */
function speedLine({ decisions, cluster, times }) {
  const objects = cluster.batches.reduce((sum, batch) => sum + batch.objects.length, 0);
  const placing = Math.max(0.001, times.end - times.applied);
  const perSecond = Math.round((decisions.length / placing) * 1000).toLocaleString('en-US');
  const placed = `${decisions.length} decisions in ${placing.toFixed(1)} ms, ${perSecond}/s`;
  return `${placed}; ${objects} objects decoded in ${(times.applied - times.start).toFixed(1)} ms`;
}
