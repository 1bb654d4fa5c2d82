/** The trials of `stowage tune`, for this thread and for others. */
import { ConfigurationError, InputError } from '../../kubernetes/errors.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { TuneTasks } from '../../whatif/tune/tasks.js';
import { tuningTrials } from '../../whatif/tune/trials.js';
import { applyCluster } from '../cluster/batches.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { requireNodes } from '../cluster/nodes.js';
import { BadInputError, Problems } from '../terminal/problems.js';
import { clusterFrom, createScheduler, schedulerOptionsOf } from '../simulation/simulation.js';
import { Progress } from '../terminal/terminal.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Host } from '../host.js'
 * @import { TaskInput } from '../shards/run.js'
 * @import { TuneChoices, TuneOptions } from './arguments.js'
 */

/**
 * Opens the list of trials, whose first one is the configuration as it is.
 * @param {TaskInput<TuneChoices, TuneOptions>} data
 * @param {Host} host
 * @param {(list: TuneTasks, context: { progress: Progress }) => Promise<number>} use returns the
 *   exit code
 * @returns {Promise<number>}
 */
export async function withTasks({ input, options, question }, host, use) {
  const { configuration, read } = input;
  const progress = new Progress(host.stderr, options);
  try {
    const whole = await clusterFrom(read, options, { host, progress });
    requireNodes(whole, options.cluster, options);
    const { cluster, arrivals } = withoutTrace(whole);
    const trace = arrivals.map(({ object }) => object);
    if (trace.length < 2) throw new BadInputError(['a trace has two pods at least']);
    const engine = await host.loadEngine();
    const schedulerOptions = schedulerOptionsOf(whole, configuration, options);
    const kept = { ...schedulerOptions, keepObjects: true };
    const scheduler = createScheduler(engine, kept, configuration);
    try {
      applyCluster(scheduler, cluster, (done, total) => progress.update('reading', done, total));
      const trials = tuningTrials(configuration.document, question);
      const { holdOut } = question;
      const tuning = { holdOut, engine, schedulerOptions };
      const list = await TuneTasks.open(scheduler, { trace, trials }, tuning);
      const code = await use(list, { progress }).finally(() => list.dispose());
      const { schedulerNames } = configuration;
      const missing = missingIn(whole, { schedulerNames, asked: trace });
      return printMissing(missing, options, host) ?? code;
    } catch (error) {
      if (error instanceof InputError) refuseIn(arrivals, error);
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
 * Throws an error about a pod of the trace with the pod's file and position.
 * @param {Arrival[]} arrivals
 * @param {InputError} error
 * @throws {BadInputError} unless the error is about something else
 */
function refuseIn(arrivals, error) {
  const arrival = arrivals[error.index ?? -1];
  if (!arrival) return;
  const problems = new Problems();
  problems.addError(arrival.file, error, arrival.object);
  problems.throwAny();
}

/**
 * A pod of the trace and its file.
 * @typedef {{ file: string, object: KubernetesObject }} Arrival
 */

/**
 * Separates the pods of the manifests, in their order, from the cluster.
 * @param {Cluster} whole
 * @returns {{ cluster: Cluster, arrivals: Arrival[] }}
 */
function withoutTrace(whole) {
  const added = new Set(whole.added.flatMap(({ pods }) => pods));
  const isAdded = (/** @type {KubernetesObject} */ object) =>
    object.kind === 'Pod' && added.has(podKeyOf(object));
  const batches = whole.batches.map((batch) => {
    const objects = batch.objects.filter((object) => !isAdded(object));
    return objects.length === batch.objects.length ? batch : { name: batch.name, objects };
  });
  const arrivals = whole.batches.flatMap(({ name, objects }) =>
    objects.filter(isAdded).map((object) => ({ file: name, object })),
  );
  return { cluster: { ...whole, batches }, arrivals };
}
