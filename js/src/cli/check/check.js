import { toGithub } from '../../check/github.js';
import { toJUnit } from '../../check/junit.js';
import {
  joined,
  reportOf,
  verdictOf,
  waitingText,
  withGangs,
  withNotModelled,
  withRollout,
} from '../../check/report.js';
import { toSarif } from '../../check/sarif.js';
import { namespaceOf } from '../../kubernetes/keys.js';
import { topologiesIn } from '../../manifests/gangs/not_modelled.js';
import { positionOf } from '../../manifests/positions.js';
import { sayWarnings } from '../cluster/admission.js';
import { autoscalerWarnings } from './autoscaled.js';
import { asWritten, askGangs, gangPlan, leftAsideIn, withoutGangs } from './gangs.js';
import { jsonText } from '../terminal/documents.js';
import { sayLeftAside } from '../cluster/left_aside.js';
import { madeUpIn, madeUpLines } from '../outcome/made_up.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { fatesOnNamedNodes } from '../simulation/named_nodes.js';
import { requireNodes } from '../cluster/nodes.js';
import { outcomeOf } from '../outcome/outcome.js';
import { badInputIn, placeOf } from '../outcome/place.js';
import { EXIT, Problems } from '../terminal/problems.js';
import { timeText } from '../outcome/report.js';
import { simulatedRollouts } from './rollouts.js';
import { placePods, readConfiguration, readManifests } from '../simulation/simulation.js';
import { counted, formatTable, painter, Progress, say } from '../terminal/terminal.js';
import { hintsOn } from '../outcome/waiting_pods.js';

/**
 * @import { CheckReport, PodFate, WorkloadVerdict } from '../../check/report.js'
 * @import { CheckOptions } from './arguments.js'
 * @import { GangAnswers } from './gangs.js'
 * @import { Host } from '../host.js'
 * @import { Workload } from '../cluster/manifests.js'
 * @import { Outcome } from '../outcome/outcome.js'
 * @import { HangingRollout } from './rollouts.js'
 * @import { Simulation } from '../simulation/simulation.js'
 * @import { Color } from '../terminal/terminal.js'
 */

const COLORS = /** @type {Readonly<Record<string, Color>>} */ ({
  Fits: 'green',
  FitsByPreemption: 'yellow',
  RolloutWouldHang: 'red',
  DoesNotFit: 'red',
  NotChecked: 'yellow',
});

/**
 * The reasons of workloads that request no pods, except a count of 0.
 * @type {Readonly<Record<string, string>>}
 */
const NO_PODS = Object.freeze({
  DaemonSet: 'no node is eligible for its pods',
  Job: 'asks for no pods now',
  CronJob: 'asks for no pods now',
  JobSet: 'asks for no pods now',
  PodGroup: 'no pod names it',
});

/**
 * `stowage check`: reports whether all replicas of manifests fit into a cluster.
 * @param {CheckOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function check(options, host) {
  const progress = new Progress(host.stderr, options);
  const problems = new Problems();
  try {
    const configuration = await readConfiguration(options, host);
    const { gang, ...reading } = options;
    const quietly = { ...reading, saysLeftAside: false };
    const read = await readManifests(quietly, { host, progress, problems });
    requireNodes(read, options.cluster, options);
    const { gangs, cluster } = gang ? gangPlan(read) : { gangs: [], cluster: asWritten(read) };
    const engine = await host.loadEngine();
    const parts = { engine, cluster, configuration, options, progress, keepObjects: gang };
    return await placePods(parts, async (simulation) => {
      const rollouts = await simulatedRollouts(withoutGangs(simulation, gangs));
      const warnings = [...rollouts.warnings, ...autoscalerWarnings(cluster)];
      sayWarnings({ warnings }, host);
      const each = (/** @type {number} */ at) => progress.update('asking', at, gangs.length);
      const answers = await askGangs(gangs, simulation, each);
      progress.clear();
      const { report, elapsedMs } = checkReport(simulation, {
        rollouts: rollouts.hanging,
        warnings: [...cluster.warnings, ...warnings],
        answers,
        problems,
      });
      await addHints(report.workloads, simulation);
      const missing = missingIn(read, simulation);
      const madeUp = madeUpIn(simulation);
      host.stdout.write(
        formatReport(
          { ...report, missing, madeUp },
          { version: engine.version, elapsedMs },
          options,
          host,
        ),
      );
      problems.print(host.stderr);
      const lines = [summaryLine(report, elapsedMs), ...madeUpLines(madeUp)];
      if (!options.quiet) for (const line of lines) say(host.stderr, line);
      sayLeftAside(leftAsideIn(read, cluster, options), options, host);
      const lacks = printMissing(missing, options, host);
      if (report.problems.length > 0) return EXIT.badInput;
      return lacks ?? (report.fits ? EXIT.yes : EXIT.no);
    });
  } finally {
    progress.clear();
    problems.print(host.stderr);
  }
}

/**
 * @param {Simulation} simulation
 * @param {{ rollouts: Map<Workload, HangingRollout>, warnings: string[], answers: GangAnswers,
 *   problems: Problems }} found
 * @returns {{ report: CheckReport, elapsedMs: number }}
 */
function checkReport(simulation, { rollouts, warnings, answers, problems }) {
  const { scheduler, decisions, cluster, schedulerNames, times } = simulation;
  const { assumed } = scheduler.inspect();
  const outcome = outcomeOf(cluster, decisions, { schedulerNames, assumed });
  const fates = fatesIn(outcome);
  for (const fate of fatesOnNamedNodes(simulation)) fates.set(fate.pod, fate);
  for (const [pod, fate] of answers.fates) fates.set(pod, fate);
  const notTaken = new Map([...cluster.notTaken, ...answers.notTaken]);
  const verdicts = cluster.workloads.map((workload) => {
    const found = verdict(workload, fates, { ...outcome, notTaken });
    const gangs = answers.of(workload);
    const pods = workload.pods.flatMap((key) => cluster.pods.get(key) ?? []);
    const topologies = gangs.length > 0 ? [] : topologiesIn(workload.object, pods);
    const whole = withNotModelled(withRollout(found, rollouts.get(workload)), topologies);
    return withGangs(whole, gangs);
  });
  const elapsedMs = times.end - times.start;
  const input = { warnings, problems: badInputIn(problems) };
  return { report: reportOf(verdicts, scheduler, input), elapsedMs };
}

/**
 * Finds the nearest node for the first waiting pod of each workload that does not fit, and its
 * requests for devices that no node can serve.
 * @param {WorkloadVerdict[]} verdicts get their `nearest` and `unserved`
 * @param {Simulation} simulation
 */
async function addHints(verdicts, { scheduler, decisions }) {
  const refused = new Set(
    decisions.filter(({ result }) => result === 'unschedulable').map(({ pod }) => pod),
  );
  for (const verdict of verdicts) {
    const pod = verdict.waiting.find((each) => refused.has(each));
    if (verdict.result !== 'DoesNotFit' || pod === undefined) continue;
    Object.assign(verdict, await hintsOn(pod, scheduler));
  }
}

/**
 * @param {Outcome} outcome
 * @returns {Map<string, PodFate>}
 */
function fatesIn({ pods }) {
  return new Map(pods.map((pod) => [pod.pod, { ...pod }]));
}

/**
 * @param {Workload} workload
 * @param {Map<string, PodFate>} fates
 * @param {Outcome & { notTaken: Map<string, string> }} outcome
 * @returns {WorkloadVerdict}
 */
function verdict(workload, fates, { leftAlone, notTaken }) {
  const { source, object, pods, kept, replicas, isKnown, refusal } = workload;
  const { apiVersion, kind = '', metadata } = object;
  const place = placeOf(source, positionOf(object, 'metadata.name'));
  const identity = { kind, namespace: namespaceOf(object), name: metadata.name, place };
  if (!isKnown)
    return verdictOf(identity, [], { notChecked: `${apiVersion} ${kind} is not known here` });
  if (refusal !== undefined)
    return verdictOf(
      identity,
      pods.map((pod) => ({ pod, result: 'Refused', message: refusal })),
    );
  const asksForNone = replicas === 0 && NO_PODS[kind];
  if (asksForNone) return verdictOf(identity, [], { notChecked: asksForNone });
  const own = [
    ...kept.map((pod) => ({ pod, result: 'Scheduled', message: '' })),
    ...pods.map((pod) => fates.get(pod) ?? { pod, result: 'Undecided', message: '' }),
  ];
  const bad = pods.find((pod) => notTaken.has(pod));
  if (bad !== undefined)
    return verdictOf(identity, own, { notChecked: `cannot be read: ${notTaken.get(bad)}` });
  const left = leftAlone.find(({ pod }) => pods.includes(pod));
  if (!left) return verdictOf(identity, own, { replicas });
  const isTerminating = left.reason === 'Terminating';
  const notChecked = isTerminating
    ? 'is being deleted'
    : `is for the scheduler ${left.schedulerName}`;
  return verdictOf(identity, own, { notChecked, replicas });
}

/**
 * @param {CheckReport} report
 * @param {{ version: string, elapsedMs: number }} details
 * @param {CheckOptions} options
 * @param {Host} host
 * @returns {string}
 */
function formatReport(report, details, options, host) {
  switch (options.output) {
    case 'json':
      return jsonText(report);
    case 'junit':
      return toJUnit(report, details);
    case 'sarif':
      return jsonText(toSarif(report, details));
    case 'github':
      return toGithub(report);
    default:
      return workloadTable(report, {
        headers: options.headers,
        paint: painter(options.color, host),
      });
  }
}

/**
 * @param {CheckReport} report
 * @param {{ headers: boolean, paint: (text: string, color: Color) => string }} options
 */
function workloadTable({ workloads }, { headers, paint }) {
  const rows = workloads.map((workload) => [
    workload.namespace,
    `${workload.kind.toLowerCase()}/${workload.name}`,
    String(workload.replicas),
    String(workload.placed),
    workload.result,
    placeText(workload),
    joined([...workload.messages.map(({ message }) => message), waitingText(workload)]) || '<none>',
  ]);
  const head = ['NAMESPACE', 'WORKLOAD', 'REPLICAS', 'PLACED', 'RESULT', 'WHERE', 'MESSAGE'];
  return formatTable([head, ...rows], {
    headers,
    paint: (text, row, column) => (row > 0 && column === 4 ? paint(text, COLORS[text]) : text),
  });
}

/** @param {WorkloadVerdict} workload */
function placeText({ place: { file, line } }) {
  if (file === undefined) return '<none>';
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * `3 workloads: 2 fit, 1 does not (v1.36, 12 ms)`
 * @param {CheckReport} report
 * @param {number} elapsedMs
 */
function summaryLine({ summary, kubernetesVersion }, elapsedMs) {
  const { workloads, fit, wouldHang, doNotFit, notChecked } = summary;
  const parts = [
    `${fit} fit`,
    wouldHang > 0 && `${wouldHang} would hang in ${wouldHang === 1 ? 'its' : 'their'} rollout`,
    doNotFit > 0 && `${doNotFit} ${doNotFit === 1 ? 'does' : 'do'} not`,
    notChecked > 0 && `${notChecked} not checked`,
  ];
  const what = counted(workloads, 'workload');
  const said = parts.filter(Boolean).join(', ');
  return `${what}: ${said} (${kubernetesVersion}, ${timeText(elapsedMs)})`;
}
