import { printable } from '../engine/printable.js';
import { ConfigurationError } from '../kubernetes/errors.js';
import { podKeyOf } from '../kubernetes/keys.js';
import { tune as tuneConfiguration, tuningTrials } from '../whatif/tune.js';
import { applyCluster } from './cluster.js';
import { jsonText, yamlText } from './documents.js';
import { missingIn, printMissing } from './missing.js';
import { requireNodes } from './nodes.js';
import { BadInputError, EXIT } from './problems.js';
import {
  createScheduler,
  readConfiguration,
  readManifests,
  schedulerOptionsOf,
} from './simulation.js';
import { formatTable, painter, Progress } from './terminal.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Tune, TuneScore } from '../whatif/tune.js'
 * @import { Cluster } from './cluster.js'
 * @import { Host } from './main.js'
 * @import { TuneOptions } from './tune_arguments.js'
 */

/**
 * `stowage tune`: tries configurations on a trace of pods.
 * @param {TuneOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function tune(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    const whole = await readManifests(options, { host, progress });
    requireNodes(whole, options.cluster, options);
    const { cluster, trace } = withoutTrace(whole);
    if (trace.length < 2) throw new BadInputError(['a trace has two pods at least']);
    const engine = await host.loadEngine();
    const schedulerOptions = schedulerOptionsOf(whole, configuration, options);
    const kept = { ...schedulerOptions, keepObjects: true };
    const scheduler = createScheduler(engine, kept, configuration);
    try {
      applyCluster(scheduler, cluster, (done, total) => progress.update('reading', done, total));
      const { weights, strategies, holdOut } = options;
      const trials = tuningTrials(configuration.document, { weights, strategies });
      const answer = await tuneConfiguration(
        scheduler,
        { trace, trials },
        {
          holdOut,
          createScheduler: (document) =>
            engine.createScheduler({
              ...schedulerOptions,
              configuration: JSON.stringify(document),
            }),
          progress: (done, total) => progress.update('trying', done, total),
        },
      );
      progress.clear();
      host.stdout.write(formatAnswer(answer, options, host));
      const { schedulerNames } = configuration;
      const missing = missingIn(whole, { schedulerNames, asked: trace });
      return printMissing(missing, options, host) ?? (answer.isBetter ? EXIT.yes : EXIT.no);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new BadInputError([`a configuration to try is invalid: ${error.message}`]);
    } finally {
      scheduler.dispose();
    }
  } finally {
    progress.clear();
  }
}

/**
 * Separates the pods of the manifests, in their order, from the cluster.
 * @param {Cluster} whole
 * @returns {{ cluster: Cluster, trace: KubernetesObject[] }}
 */
function withoutTrace(whole) {
  const added = new Set(whole.added.flatMap(({ pods }) => pods));
  const isAdded = (/** @type {KubernetesObject} */ object) =>
    object.kind === 'Pod' && added.has(podKeyOf(object));
  const batches = whole.batches.map((batch) => {
    const objects = batch.objects.filter((object) => !isAdded(object));
    return objects.length === batch.objects.length ? batch : { name: batch.name, objects };
  });
  const trace = whole.batches.flatMap(({ objects }) => objects.filter(isAdded));
  return { cluster: { ...whole, batches }, trace };
}

/**
 * @param {Tune} answer
 * @param {TuneOptions} options
 * @param {Host} host
 */
function formatAnswer(answer, options, host) {
  if (options.output === 'json') return jsonText(answer);
  if (options.output === 'yaml') return yamlText(answer);
  const { isBetter, baseline, best, trials } = answer;
  const paint = painter(options.color, host);
  const sentence = isBetter
    ? `${best.name} is better, also on the rest of the trace`
    : best.name === baseline.name
      ? 'the configuration as it is is the best'
      : `${best.name} is better on the first part of the trace only`;
  const first = `${paint(printable(sentence), isBetter ? 'green' : 'red')}\n`;
  if (options.quiet) return first;
  const held = [...new Set([best, baseline])].map((one) => [one.name, ...cellsOf(one.holdOut)]);
  const tried = trials.map(({ name, train }) => [name, ...cellsOf(train)]);
  return [
    first,
    formatTable([['ON THE REST', 'PLACED', 'PODS', 'FRAGMENTATION'], ...held], options),
    formatTable([['ON THE FIRST PART', 'PLACED', 'PODS', 'FRAGMENTATION'], ...tried], options),
  ].join('\n');
}

/** @param {TuneScore} score */
function cellsOf({ placed, pods, fragmentation }) {
  return [String(placed), String(pods), `${(100 * fragmentation).toFixed(1)} %`];
}
