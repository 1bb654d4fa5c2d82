import { ConfigurationError, InputError } from '../../kubernetes/errors.js';
import { releaseOf } from '../../kubernetes/release.js';
import { itemsIn } from '../../kubernetes/values.js';
import { upgradeDiffWith } from '../../whatif/upgrade.js';
import { PodTexts } from '../../whatif/upgrade/pod_text.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { requireNodes } from '../cluster/nodes.js';
import { BadInputError, EXIT, Problems } from '../terminal/problems.js';
import { selects } from '../outcome/selection.js';
import {
  createScheduler,
  readClusterFiles,
  readConfiguration,
  schedulerOptionsOf,
} from '../simulation/simulation.js';
import { formatTable, painter, Progress, say } from '../terminal/terminal.js';

/**
 * @import { Missing } from '../../check/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { UpgradeChange, UpgradeDiff, UpgradedPod } from '../../whatif/upgrade.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { DiffOptions } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Configuration } from '../simulation/simulation.js'
 */

/** @typedef {{ missing: Missing[], warnings: string[] }} Details */

/** @type {Readonly<Record<UpgradeChange, string>>} */
const WORDS = Object.freeze({
  Moved: 'moved',
  NewlyPending: 'newly pending',
  NewlyPlaced: 'newly placed',
  OtherVictims: 'other victims',
  Told: 'other message',
});

/**
 * `stowage diff` with two releases: reports what the second one decides otherwise.
 * @param {DiffOptions} options
 * @param {{ from: string, to: string }} releases
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function diffReleases(options, releases, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration({ config: options.configs[1] }, host);
    // Before the upgrade, a live cluster is of the first release.
    const texts = new PodTexts();
    const reading = {
      ...options,
      kubernetesVersion: releases.from,
      ...reducing(texts, configuration),
    };
    const cluster = await readClusterFiles(options.files, reading, { host, progress });
    requireNodes(cluster, options.files, options);
    const answer = await answered({ cluster, configuration, texts }, releases, {
      options,
      host,
      progress,
    });
    progress.clear();
    const { schedulerNames } = configuration;
    const asked = [...cluster.pods.values()];
    const missing = missingIn(cluster, { schedulerNames, asked });
    const details = { missing, warnings: cluster.warnings };
    host.stdout.write(formatAnswer(answer, details, options, host));
    if (!options.quiet) say(host.stderr, summaryLine(answer));
    return printMissing(missing, options, host) ?? (answer.pods.length > 0 ? EXIT.no : EXIT.yes);
  } finally {
    progress.clear();
  }
}

/**
 * The largest clusters take less memory if pods are kept without what no scheduler reads. Extenders
 * may read all of it.
 * @param {PodTexts} texts
 * @param {Configuration} configuration
 */
function reducing(texts, { document }) {
  if (itemsIn(document?.extenders).length > 0) return {};
  return { reduced: (/** @type {KubernetesObject} */ object) => texts.reduced(object) };
}

/**
 * @param {{ cluster: Cluster, configuration: Configuration, texts: PodTexts }} input
 * @param {{ from: string, to: string }} releases
 * @param {{ options: DiffOptions, host: Host, progress: Progress }} command
 * @returns {Promise<UpgradeDiff>}
 * @throws {BadInputError}
 */
async function answered({ cluster, configuration, texts }, releases, { options, host, progress }) {
  const engine = await host.loadEngine();
  const { kubernetesVersion: _, ...own } = schedulerOptionsOf(cluster, configuration, options);
  // A scheduler without objects reports what is wrong with the configuration.
  createScheduler(engine, { ...own, featureGates: {} }, configuration).dispose();
  const isSelected = selects(cluster, options);
  const problems = new Problems();
  const objects = cluster.batches.flatMap(({ name, objects: some }) =>
    some.map((object) => ({ name, object })),
  );
  try {
    const source = objects.map(({ object }) => object);
    const answer = await upgradeDiffWith(texts, source, releases, {
      engine,
      schedulerOptions: own,
      isAsked: (pod, object) =>
        cluster.pods.has(pod) &&
        isSelected(pod) &&
        (!options.pendingOnly || !object.spec?.nodeName),
      progress: (step, done, total) => progress.update(step, done, total),
      onError: (error) => {
        const { name, object } = objects[error.index ?? -1];
        problems.addError(name, error, object);
      },
    });
    problems.throwAny();
    return answer;
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof InputError)) throw error;
    const { from, to } = releases;
    throw new BadInputError([`--kubernetes-version ${from}, ${to}: ${error.message}`]);
  }
}

/**
 * @param {UpgradeDiff} answer
 * @param {Details} details
 * @param {DiffOptions} options
 * @param {Host} host
 * @returns {string}
 */
function formatAnswer(answer, details, options, host) {
  if (options.output === 'json') return jsonText({ ...answer, ...details });
  if (options.output === 'yaml') return yamlText({ ...answer, ...details });
  const { from, to, rows, pods } = answer;
  const paint = painter(options.color, host);
  const causes = rows.map(({ name, kind, text, ...counts }) => [
    name,
    String(counts.pods),
    kind === 'Fact' ? text : `${text} by default`,
  ]);
  const lines = pods.map(({ pod, pods: count, change, before, after, rows: names }) => [
    pod,
    String(count),
    WORDS[change],
    placeOf(before),
    placeOf(after),
    names.join(', '),
  ]);
  const table = formatTable([['POD', 'EQUAL', 'CHANGE', from, to, 'BY'], ...lines], {
    headers: options.headers,
    paint: (text, row, column) =>
      row > 0 && pods[row - 1].change === 'NewlyPending' && column === 4
        ? paint(text, 'red')
        : text,
  });
  return [
    formatTable([['BY', 'PODS', `IN ${to > from ? to : from}`], ...causes], options),
    table,
    formatTable([['PODS', 'RELEASE', 'MESSAGE'], ...messagesOf(answer)], options),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** @param {UpgradedPod['before']} answer */
function placeOf({ node, preemption }) {
  if (node) return node;
  return preemption ? `preempts on ${preemption.node}` : '<none>';
}

/**
 * Returns two rows for each pair of a message and the one that replaces it, the first with the
 * number of pods.
 * @param {UpgradeDiff} answer
 */
function messagesOf({ from, to, pods }) {
  /** @type {Map<string, { count: number, before: string, after: string }>} */
  const pairs = new Map();
  for (const { change, pods: count, before, after } of pods) {
    if (change !== 'Told') continue;
    const key = JSON.stringify([before.message, after.message]);
    const known = pairs.get(key);
    if (known) known.count += count;
    else pairs.set(key, { count, before: before.message, after: after.message });
  }
  return [...pairs.values()].flatMap(({ count, before, after }) => [
    [String(count), from, before],
    ['', to, after],
  ]);
}

/**
 * `120 of 312 pods differ in v1.36 from v1.34: 118 moved, 2 other message`
 * @param {UpgradeDiff} answer
 */
function summaryLine({ from, to, summary, pods }) {
  const { pods: all, differ } = summary;
  const verb = differ === 1 ? 'differs' : 'differ';
  const what = all === 1 ? 'pod' : 'pods';
  const head = `${differ} of ${all} ${what} ${verb} in ${releaseOf(to)} from ${releaseOf(from)}`;
  const counts = Object.entries(WORDS).flatMap(([change, words]) => {
    const some = pods.filter((pod) => pod.change === change);
    const count = some.reduce((sum, pod) => sum + pod.pods, 0);
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return counts.length > 0 ? `${head}: ${counts.join(', ')}` : head;
}
