import { oneOf, wholeNumber } from '../arguments/arguments.js';
import {
  ANSWER,
  parsedPresent,
  PRESENT,
  presentOptions,
  requireCluster,
} from '../arguments/present.js';
import { UsageError } from '../terminal/problems.js';
import { actionIn, sharedWorkOptions, SHARDS } from '../shards/arguments.js';

const FLAGS = /** @type {const} */ ({
  ...PRESENT,
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
    help: 'the share at the end of the trace that is kept for the last comparison (default 30)',
  },
  ...SHARDS,
  ...ANSWER,
});

/** @type {import('../arguments/manual.js').Manual} */
export const TUNE = {
  name: 'tune',
  takes: '-f TRACE --cluster FILE --weight PLUGIN=N,N [flags] | merge DIR...',
  summary: 'try weights and strategies of the configuration on a trace of pods',
  description: `\
Tries configurations of kube-scheduler on a trace: the pods of the files arrive in their order, one
by one, on a copy of the cluster. Nothing is written to the cluster. A configuration is better that
places more pods, then the one that leaves less room on nodes that are too full for such pods
(fragmentation).

The configurations are compared on the first part of the trace. The best one and that of --config
are then compared on the rest (--hold-out), which starts with the same cluster. No pod is evicted;
pending pods of the cluster stay pending.

Many configurations are tried in threads (--workers), or on many machines: with --results DIR the
result of each shard is written to a file, when it is complete. A shard that is there already is
skipped. Shards end with code 0. "stowage tune merge DIR" checks that all shards of one question are
there, and prints what a single run prints, with its exit code.`,
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
    {
      why: 'The second of eight shards. Run it again if it is killed.',
      command:
        'stowage tune -f pods.yaml --cluster c.json --weight ImageLocality=1,3 \\\n' +
        '    --results out --shard 2/8',
    },
    {
      why: 'Put the shards together.',
      command: 'stowage tune merge out -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0:
      'a configuration is better than that of --config, also on the rest of the trace; ' +
      'with --results: the shards are finished',
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
  const { values, positionals } = parsedPresent(argv, FLAGS);
  const { help, weight, strategy } = values;
  const { action, named } = actionIn(positionals, ['merge']);
  const files = [...named, ...values.filename];
  if (!help && action === 'merge' && files.length === 0)
    throw new UsageError('merge needs the folder of the results');
  const isRun = action === 'run' && !help;
  if (isRun && files.length === 0) throw new UsageError('tune needs a trace: -f with its pods');
  if (isRun) requireCluster('tune', values);
  if (isRun && weight.length === 0 && strategy === undefined)
    throw new UsageError('tune needs something to try: --weight or --strategy');
  return {
    action,
    ...presentOptions(values, files),
    choices: choicesIn(values),
    ...sharedWorkOptions(values),
  };
}

/**
 * The weights and strategies to try, and the share of the trace that is held out.
 * @typedef {{ weights: Record<string, number[]>, strategies: string[], holdOut: number }}
 *   TuneChoices
 */

/**
 * @param {{ weight: string[], strategy?: string, 'hold-out': string }} values
 * @returns {TuneChoices}
 * @throws {UsageError}
 */
function choicesIn({ weight, strategy, 'hold-out': share }) {
  const holdOut = wholeNumber('hold-out', share);
  if (holdOut < 1 || holdOut > 99)
    throw new UsageError('--hold-out is a whole number from 1 to 99, the percentage');
  return {
    weights: Object.fromEntries(weight.map(weightOf)),
    strategies: (strategy?.split(',') ?? []).map((type) =>
      oneOf('strategy', type, ['LeastAllocated', 'MostAllocated']),
    ),
    holdOut: holdOut / 100,
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
