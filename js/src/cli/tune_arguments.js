import {
  connectionOf,
  oneOf,
  parsed,
  placingOptions,
  requireValues,
  SOURCES,
  validationMode,
  wholeNumber,
} from './arguments.js';
import {
  CLUSTER,
  CONNECTION,
  HELP,
  INPUT,
  NAMESPACE,
  OUTPUT,
  PLACING,
  QUIET,
  TABLES,
  validation,
} from './flags.js';
import { isLive } from './live_cluster.js';
import { UsageError } from './problems.js';

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...CLUSTER,
  ...CONNECTION,
  ...NAMESPACE,
  ...validation('warn'),
  weight: {
    type: 'string',
    multiple: true,
    default: /** @type {string[]} */ ([]),
    value: 'PLUGIN=N,N',
    help: 'weights of a score plugin to try; can be repeated: all combinations are tried',
  },
  strategy: {
    type: 'string',
    value: 'TYPE,TYPE',
    help: 'strategies of NodeResourcesFit to try: LeastAllocated, MostAllocated',
  },
  'hold-out': {
    type: 'string',
    default: '30',
    value: 'PERCENT',
    help: 'the share of the trace, its end, that chooses nothing (default 30)',
  },
  ...OUTPUT,
  ...PLACING,
  ...TABLES,
  ...QUIET,
  ...HELP,
});

/** @type {import('./manual.js').Manual} */
export const TUNE = {
  name: 'tune',
  takes: '-f TRACE --cluster FILE --weight PLUGIN=N,N [flags]',
  summary: 'try weights and strategies of the configuration on a trace of pods',
  description: `\
Tries configurations of kube-scheduler on a trace: the pods of the files arrive in their
order, one by one, on a copy of the cluster. Nothing is written. A configuration is better that
places more pods, then the one that leaves less room on nodes that are too full for such pods
(fragmentation).

The first part of the trace chooses; the best configuration and the one of --config are then
compared on the rest, which starts with the same cluster. No pod is evicted; pending pods of the
cluster stay pending.`,
  examples: [
    {
      why: 'Which weight of two plugins packs these pods best?',
      command:
        'stowage tune -f pods.yaml --cluster c.json --weight NodeResourcesFit=1,5 ' +
        '--weight ImageLocality=3',
    },
    {
      why: 'Does MostAllocated help? As JSON, with the configuration.',
      command:
        'stowage tune -f trace.yaml --cluster snapshot.json --strategy MostAllocated -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'a configuration is better than that of --config, also on the rest of the trace',
    1: 'none is',
    2: 'the input or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `tune`
 * @throws {UsageError}
 */
export function parseTuneArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  requireValues(values);
  const files = [...positionals, ...values.filename];
  const { cluster, help, weight, strategy } = values;
  if (!help && files.length === 0) throw new UsageError('tune needs a trace: -f with its pods');
  if (!help && cluster.length === 0 && !isLive(values))
    throw new UsageError(`tune needs a cluster: ${SOURCES}`);
  if (!help && weight.length === 0 && strategy === undefined)
    throw new UsageError('tune needs something to try: --weight or --strategy');
  const holdOut = wholeNumber('hold-out', values['hold-out']);
  if (holdOut < 1 || holdOut > 99)
    throw new UsageError('--hold-out is a whole number from 1 to 99, the percentage');
  return {
    files,
    cluster,
    ...connectionOf(values, cluster),
    recursive: values.recursive,
    namespace: values.namespace,
    validate: validationMode(values),
    skipInvalid: values['skip-invalid'],
    weights: Object.fromEntries(weight.map(weightOf)),
    strategies: (strategy?.split(',') ?? []).map((type) =>
      oneOf('strategy', type, ['LeastAllocated', 'MostAllocated']),
    ),
    holdOut: holdOut / 100,
    output: oneOf('output', values.output, ['table', 'json', 'yaml']),
    ...placingOptions(values),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    quiet: values.quiet,
    help,
  };
}

/**
 * @param {string} text
 * @returns {[string, number[]]}
 * @throws {UsageError}
 */
function weightOf(text) {
  const [, name, list] = /^([A-Za-z]\w*)=(\d{1,9}(?:,\d{1,9})*)$/.exec(text) ?? [];
  if (!name) throw new UsageError(`--weight is such as NodeResourcesFit=1,5, not "${text}"`);
  return [name, list.split(',').map(Number)];
}

/** @typedef {ReturnType<typeof parseTuneArguments>} TuneOptions */
