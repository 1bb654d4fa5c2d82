import { nodeRow, whyNot } from '../../engine/evaluation.js';
import { printable } from '../../engine/printable.js';
import { formatCulprits } from './culprit_table.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { explainAgainst } from './against.js';
import { explainGroup, groupNamed } from './group.js';
import { codeOf, evaluationOf, explanationText } from './named.js';
import { explainPod, formatExplanation, omittedLine } from './explanation.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { firstToExplain, podsToExplain } from '../outcome/named_pod.js';
import { admissionsOnNamedNodes } from '../simulation/named_nodes.js';
import { nodesOf, requireNodes } from '../cluster/nodes.js';
import { outcomeOf } from '../outcome/outcome.js';
import { EXIT, UsageError } from '../terminal/problems.js';
import { placePods, readConfiguration, readManifests } from '../simulation/simulation.js';
import { painter, Progress, say } from '../terminal/terminal.js';

/**
 * @import { Evaluation } from '../../engine/types.js'
 * @import { ExplainOptions } from './arguments.js'
 * @import { Host } from '../host.js'
 * @import { Missing } from '../../check/types.js'
 * @import { Admission } from '../../whatif/named_nodes.js'
 * @import { Simulation } from '../simulation/simulation.js'
 */

/**
 * @typedef {Evaluation & { kubernetesVersion: string, missing: Missing[], warnings: string[] }}
 *   Explained
 */

/**
 * `stowage explain`: reports why a pod is on its node, or has none.
 * @param {ExplainOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function explain(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    const cluster = await readManifests(options, { host, progress });
    requireNodes(cluster, options.cluster.length > 0 ? options.cluster : options.files, options);
    const { namespace, node } = options;
    const { schedulerNames } = configuration;
    const command = { cluster, namespace, schedulerNames, asked: 'explain' };
    const group = groupNamed(options.pod, cluster, namespace);
    if (group) refuseNodes(options);
    const pods = group ? [] : podsToExplain(options.pod, command);
    if (node !== undefined && !nodesOf(cluster).includes(node))
      throw new UsageError(`--node: there is no node ${node} in the input`);
    if (options.against !== undefined && !nodesOf(cluster).includes(options.against))
      throw new UsageError(`--against: there is no node ${options.against} in the input`);
    const engine = await host.loadEngine();
    const keepObjects = options.against !== undefined || group !== undefined;
    const parts = { engine, cluster, configuration, options, progress, keepObjects };
    return await placePods(parts, async (simulation) => {
      if (group) return explainGroup(group, simulation, options, host);
      const { pods: outcomes } = outcomeOf(cluster, simulation.decisions, { schedulerNames });
      const pod = firstToExplain(pods, { cluster, outcomes });
      if (options.against !== undefined) {
        const { against: node } = options;
        const parts = { pod, node, configuration: configuration.document };
        return explainAgainst(parts, simulation, options, host);
      }
      const admission = admissionsOnNamedNodes(simulation).get(pod);
      const evaluation = admission
        ? evaluationOf(pod, admission)
        : await explainPod(pod, simulation, options);
      progress.clear();
      const asked = [cluster.pods.get(pod)].flatMap((object) => object ?? []);
      const missing = missingIn(cluster, { ...simulation, asked });
      const { kubernetesVersion } = simulation.scheduler;
      const said = { kubernetesVersion, missing, warnings: cluster.warnings };
      const code = admission
        ? printNamed({ ...evaluation, ...said }, admission, options, host)
        : node === undefined
          ? print({ ...evaluation, ...said }, simulation, options, host)
          : explainNode(evaluation, node, options, host);
      return printMissing(missing, options, host) ?? code;
    });
  } finally {
    progress.clear();
  }
}

/**
 * @param {ExplainOptions} options
 * @throws {UsageError} if a flag is about one pod
 */
function refuseNodes({ node, against }) {
  const flag = node !== undefined ? '--node' : against !== undefined ? '--against' : undefined;
  if (flag) throw new UsageError(`${flag} is for a pod, not for a pod group`);
}

/**
 * @param {Evaluation} evaluation
 * @param {string} node
 * @param {ExplainOptions} options
 * @param {Host} host
 */
function explainNode(evaluation, node, { output, headers }, host) {
  const row = nodeRow(evaluation, node);
  const message = messageWithoutNode(evaluation, row);
  host.stdout.write(
    output !== 'table'
      ? formatted({ ...row, ...(message !== undefined && { message }) }, output)
      : message !== undefined
        ? `${printable(message)}\n`
        : nodeText(evaluation, node, { headers }),
  );
  const fits = row.verdict === 'chosen' || row.verdict === 'feasible';
  return fits && message === undefined ? EXIT.yes : EXIT.no;
}

/**
 * Returns why a pod gets no node, if no filter of this one says it: it is gated, or an extender
 * failed.
 * @param {Evaluation} evaluation
 * @param {import('../../engine/evaluation.js').NodeRow} row
 */
function messageWithoutNode(evaluation, { verdict }) {
  const isOfNode = verdict === 'refused' || verdict === 'absent';
  const isOfAll = ['gated', 'error'].includes(evaluation.result);
  return isOfAll && !isOfNode ? evaluation.message : undefined;
}

/**
 * One sentence, and the devices that the claims lack.
 * @param {Evaluation} evaluation
 * @param {string} node
 * @param {{ headers: boolean }} options
 */
function nodeText(evaluation, node, { headers }) {
  const sentence = `${printable(whyNot(evaluation, node))}\n`;
  const culprits = (evaluation.culprits ?? []).filter(
    (culprit) => culprit.node === node && culprit.deviceRequests,
  );
  const devices = formatCulprits({ culprits }, { headers, limit: 0 });
  return devices ? `${sentence}\n${devices}` : sentence;
}

/**
 * @param {Explained} evaluation
 * @param {Simulation} simulation
 * @param {ExplainOptions} options
 * @param {Host} host
 * @returns {number} the exit code
 */
function print(evaluation, { scheduler, cluster, decisions, schedulerNames }, options, host) {
  const code = evaluation.node ? EXIT.yes : EXIT.no;
  if (options.output !== 'table') {
    host.stdout.write(formatted(evaluation, options.output));
    return code;
  }
  const { assumed } = scheduler.inspect();
  const { pods } = outcomeOf(cluster, decisions, { schedulerNames, assumed });
  const fate = pods.find(({ pod }) => pod === evaluation.pod);
  const paint = painter(options.color, host);
  const shown = formatExplanation(evaluation, { cluster, fate }, { ...options, paint });
  host.stdout.write(shown.text);
  if (shown.omitted > 0 && !options.quiet) say(host.stderr, omittedLine(shown.omitted));
  return code;
}

/**
 * @param {Explained} evaluation
 * @param {Admission} admission
 * @param {ExplainOptions} options
 * @param {Host} host
 * @returns {number} the exit code
 */
function printNamed(evaluation, admission, options, host) {
  const { output, node, color } = options;
  const paint = painter(color, host);
  host.stdout.write(
    output === 'table'
      ? explanationText(evaluation, admission, { ...options, paint })
      : formatted(evaluation, output),
  );
  return codeOf(admission, node);
}

/**
 * @param {object} value
 * @param {'json' | 'yaml'} output
 */
function formatted(value, output) {
  return output === 'json' ? jsonText(value) : yamlText(value);
}
