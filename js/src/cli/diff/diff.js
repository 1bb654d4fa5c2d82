import { basename } from 'node:path';
import { differencesBetween, whyDifferent } from '../../diff/diff.js';
import { releaseOf } from '../../kubernetes/release.js';
import { applyCluster } from '../cluster/batches.js';
import { diffReleases } from './releases.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { requireNodes } from '../cluster/nodes.js';
import { outcomeOf } from '../outcome/outcome.js';
import { EXIT } from '../terminal/problems.js';
import { withoutPlacement } from '../../whatif/without_placement.js';
import { selects } from '../outcome/selection.js';
import {
  createScheduler,
  placePods,
  readClusterFiles,
  readConfiguration,
  runAll,
  schedulerOptionsOf,
} from '../simulation/simulation.js';
import { formatTable, painter, Progress, say } from '../terminal/terminal.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { Change, Difference, Fate } from '../../diff/diff.js'
 * @import { Decision } from '../../engine/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { DiffOptions } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Missing } from '../../check/types.js'
 * @import { Configuration } from '../simulation/simulation.js'
 */

/**
 * @typedef {{ engine: Engine, cluster: Cluster, options: DiffOptions, progress: Progress, seen:
 *   Decision[] }} Parts `seen`: all decisions so far
 */

/** @typedef {Difference & { why: string }} ExplainedDifference */

/** @type {Readonly<Record<Change, string>>} */
const WORDS = Object.freeze({
  Moved: 'moved',
  NewlyPending: 'newly pending',
  NewlyPlaced: 'newly placed',
  NewlyEvicted: 'newly evicted',
  NoLongerEvicted: 'no longer evicted',
});

const DEFAULTS = 'defaults';

/**
 * `stowage diff`: reports which pods another configuration would move.
 * @param {DiffOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function diff(options, host) {
  if (options.releases) return diffReleases(options, options.releases, host);
  const progress = new Progress(host.stderr, options);
  try {
    const configurations = await Promise.all(
      options.configs.map((config) => readConfiguration({ config }, host)),
    );
    const whole = await readClusterFiles(options.files, options, { host, progress });
    requireNodes(whole, options.files, options);
    const { cluster, pinned } = options.pendingOnly
      ? { cluster: whole, pinned: 0 }
      : withoutPlacement(whole, schedulersOf(configurations));
    /** @type {Decision[]} */
    const seen = [];
    const parts = { engine: await host.loadEngine(), cluster, options, progress, seen };
    const [before, after] = [
      await fatesWith(configurations[0], parts),
      await fatesWith(configurations[1], parts),
    ];
    const isAsked = selects(cluster, options);
    const differences = differencesBetween(before, after).filter(({ pod }) => isAsked(pod));
    const explained = await explain(differences, configurations, parts);
    progress.clear();
    const pods = [...new Set([...before.keys(), ...after.keys()])].filter(isAsked).length;
    const kubernetesVersion = releaseOf(options.kubernetesVersion);
    const missing = missingIn(cluster, {
      schedulerNames: namesIn(configurations),
      decisions: seen,
    });
    const details = { pods, kubernetesVersion, missing, warnings: whole.warnings };
    host.stdout.write(formatDiff(explained, details, options, host));
    if (!options.quiet) {
      say(host.stderr, summaryLine(explained, pods));
      const said = aside({ pods, pinned }, options);
      if (said) say(host.stderr, said);
    }
    return printMissing(missing, options, host) ?? (explained.length === 0 ? EXIT.yes : EXIT.no);
  } finally {
    progress.clear();
  }
}

/**
 * Returns the schedulers that both configurations have: pods of the others would have no
 * counterpart.
 * @param {Configuration[]} configurations
 */
function schedulersOf([first, second]) {
  return new Set([...first.schedulerNames].filter((name) => second.schedulerNames.has(name)));
}

/** @param {Configuration[]} configurations */
function namesIn(configurations) {
  return new Set(configurations.flatMap(({ schedulerNames }) => [...schedulerNames]));
}

/**
 * @param {Configuration} configuration
 * @param {Parts} parts
 * @returns {Promise<Map<string, Fate>>} the outcome of each pod
 */
function fatesWith(configuration, parts) {
  return placePods({ ...parts, configuration }, ({ scheduler, decisions, schedulerNames }) => {
    for (const decision of decisions) parts.seen.push(decision);
    const { assumed } = scheduler.inspect();
    const { pods } = outcomeOf(parts.cluster, decisions, { schedulerNames, assumed });
    return new Map(pods.map(({ pod, result, node, message }) => [pod, { result, node, message }]));
  });
}

/**
 * Simulates both configurations once more if there are differences to explain, and keeps the node
 * details of the differing decisions only.
 * @param {Difference[]} differences
 * @param {Configuration[]} configurations
 * @param {Parts} parts
 * @returns {Promise<ExplainedDifference[]>}
 */
async function explain(differences, configurations, parts) {
  const moved = differences.filter(({ change }) => change === 'Moved').map(({ pod }) => pod);
  const [before, after] =
    moved.length === 0
      ? [new Map(), new Map()]
      : [
          await decisionsOn(new Set(moved), configurations[0], parts),
          await decisionsOn(new Set(moved), configurations[1], parts),
        ];
  return differences.map((difference) => {
    const { pod } = difference;
    const why = whyDifferent(difference, { before: before.get(pod), after: after.get(pod) });
    return { ...difference, why };
  });
}

/**
 * Returns the last decision on each of the pods, with details of all nodes.
 * @param {Set<string>} pods
 * @param {Configuration} configuration
 * @param {Parts} parts
 * @returns {Promise<Map<string, Decision>>}
 */
async function decisionsOn(pods, configuration, { engine, cluster, options, progress }) {
  const schedulerOptions = schedulerOptionsOf(cluster, configuration, options);
  const detailed = /** @type {const} */ ({ ...schedulerOptions, detail: 'nodes' });
  const scheduler = createScheduler(engine, detailed, configuration);
  /** @type {Map<string, Decision>} */
  const decisions = new Map();
  try {
    applyCluster(scheduler, { ...cluster, ignoredKinds: new Map() });
    await runAll(scheduler, cluster, (decision) => {
      if (pods.has(decision.pod)) decisions.set(decision.pod, decision);
      progress.update('explaining', decisions.size, pods.size);
    });
    return decisions;
  } finally {
    scheduler.dispose();
  }
}

/**
 * @param {ExplainedDifference[]} differences
 * @param {{ pods: number, kubernetesVersion: string, missing: Missing[], warnings: string[] }}
 *   details
 * @param {DiffOptions} options
 * @param {Host} host
 * @returns {string}
 */
function formatDiff(differences, details, options, host) {
  const { pods, kubernetesVersion, missing, warnings } = details;
  const [before, after] = namesOf(options.configs);
  if (options.output !== 'table') {
    const document = {
      apiVersion: 'stowage/v1',
      kind: 'Diff',
      kubernetesVersion,
      configurations: [before, after],
      summary: { pods, differ: differences.length },
      pods: differences,
      missing,
      warnings,
    };
    return options.output === 'json' ? jsonText(document) : yamlText(document);
  }
  const paint = painter(options.color, host);
  const rows = differences.map(({ pod, before: old, after: now, why }) => [
    pod,
    placeOf(old),
    placeOf(now),
    why || '<none>',
  ]);
  return formatTable([['POD', before, after, 'WHY'], ...rows], {
    headers: options.headers,
    paint: (text, row, column) =>
      row > 0 && column === 2 && text === '<none>' ? paint(text, 'red') : text,
  });
}

/** @param {Fate | null} fate */
function placeOf(fate) {
  return fate?.result === 'Evicted' ? '<none>' : (fate?.node ?? '<none>');
}

/**
 * Returns column heads for the files: short names if they are unambiguous.
 * @param {DiffOptions['configs']} configs
 */
function namesOf(configs) {
  const [first, second] = configs.map((config) => (config ? basename(config) : DEFAULTS));
  return first === second ? configs.map((config) => config ?? DEFAULTS) : [first, second];
}

/**
 * `2 of 312 pods differ: 1 moved, 1 newly pending`
 * @param {ExplainedDifference[]} differences
 * @param {number} pods
 */
function summaryLine(differences, pods) {
  const verb = differences.length === 1 ? 'differs' : 'differ';
  const head = `${differences.length} of ${pods} ${pods === 1 ? 'pod' : 'pods'} ${verb}`;
  const counts = Object.entries(WORDS).flatMap(([change, words]) => {
    const count = differences.filter((difference) => difference.change === change).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return counts.length > 0 ? `${head}: ${counts.join(', ')}` : head;
}

/**
 * Returns the line about pods that were not compared, if there are any.
 * @param {{ pods: number, pinned: number }} counts
 * @param {DiffOptions} options
 */
function aside({ pods, pinned }, { pendingOnly, namespace, selector }) {
  if (pendingOnly && pods === 0) return 'no pending pods: without --pending-only all are compared';
  if (pinned === 0 || namespace !== undefined || selector) return '';
  const stay = pinned === 1 ? '1 pod stays' : `${pinned} pods stay`;
  return `${stay} in place: of DaemonSets, static, bound to one node, or of other schedulers`;
}
