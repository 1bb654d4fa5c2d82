import { RELEASES } from '../../kubernetes/release.js';
import { kubernetesVersionOf, parsed, wholeNumber } from '../arguments/arguments.js';
import { HELP, KUBERNETES_VERSION, QUIET } from '../arguments/flags.js';
import { UsageError } from '../terminal/problems.js';

const FLAGS = /** @type {const} */ ({
  until: {
    type: 'string',
    value: 'N',
    help: 'stop after line N of the log; the header is line 1',
  },
  inspect: {
    type: 'boolean',
    default: false,
    help: 'print the state of the scheduler at that point, as JSON',
  },
  hash: { type: 'boolean', default: false, help: 'print the hash of all decisions' },
  'kubernetes-version': {
    ...KUBERNETES_VERSION['kubernetes-version'],
    help: `refuse the log of any release but this one: ${RELEASES.join(', ')} (default: take any)`,
  },
  ...QUIET,
  ...HELP,
});

/** @type {import('../arguments/manual.js').Manual} */
export const REPLAY = {
  name: 'replay',
  takes: 'LOG [flags]',
  summary: 'repeat the run of a log, and compare',
  description: `\
Repeats the run that a scheduler's log describes, and compares its decisions by their hashes. For a
log of this version all other output is compared too: calls, events and other records. Logs are
written by "stowage simulate --record LOG" and by the option "log" of createScheduler.

LOG is a file, compressed by gzip or not, or - for standard input.`,
  examples: [
    { why: 'Does this version make the same decisions?', command: 'stowage replay run.ndjson' },
    {
      why: 'What was in the queues after line 17 of the log?',
      command: 'stowage replay run.ndjson --until 17 --inspect',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'everything is equal',
    1: 'something differs: the first difference is on standard error',
    2:
      'the log is missing, truncated, of another release, or not a Stowage log, or the command ' +
      'line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `replay`
 * @throws {UsageError}
 */
export function parseReplayArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  const { until, help } = values;
  const kubernetesVersion = kubernetesVersionOf(values);
  if (!help && positionals.length !== 1)
    throw new UsageError('replay needs one log: a file, or - for standard input');
  const line = until === undefined ? undefined : wholeNumber('until', until);
  if (line === 0) throw new UsageError('--until is the number of a line; the first is 1');
  return { ...values, file: positionals[0], until: line, kubernetesVersion };
}

/** @typedef {ReturnType<typeof parseReplayArguments>} ReplayCommand */
