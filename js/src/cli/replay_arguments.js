import { parsed, wholeNumber } from './arguments.js';
import { HELP, QUIET } from './flags.js';
import { UsageError } from './problems.js';

const FLAGS = /** @type {const} */ ({
  until: {
    type: 'string',
    value: 'N',
    help: 'stop behind line N of the log; the header is line 1',
  },
  inspect: {
    type: 'boolean',
    default: false,
    help: 'print what the scheduler holds then, as JSON',
  },
  hash: { type: 'boolean', default: false, help: 'print the hash of all decisions' },
  ...QUIET,
  ...HELP,
});

/** @type {import('./manual.js').Manual} */
export const REPLAY = {
  name: 'replay',
  takes: 'LOG [flags]',
  summary: 'do again what a log says, and compare',
  description: `\
Does again what the log of a scheduler says, and compares its decisions by their hashes. Where this
version wrote the log all else that was said is compared too: calls, events and other records. A log
is written by "stowage simulate --record LOG" and by the option "log" of createScheduler.

LOG is a file, packed by gzip or not, or - for standard input.`,
  examples: [
    { why: 'Does this version decide as that one did?', command: 'stowage replay run.ndjson' },
    {
      why: 'What was in the queues behind line 17 of the log?',
      command: 'stowage replay run.ndjson --until 17 --inspect',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'all is the same',
    1: 'it is not: the first difference is on standard error',
    2: 'the log is missing, cut off or none, or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv what follows `replay`
 * @throws {UsageError}
 */
export function parseReplayArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  const { until, help } = values;
  if (!help && positionals.length !== 1)
    throw new UsageError('replay needs one log: a file, or - for standard input');
  const line = until === undefined ? undefined : wholeNumber('until', until);
  if (line === 0) throw new UsageError('--until is the number of a line; the first is 1');
  return { ...values, file: positionals[0], until: line };
}

/** @typedef {ReturnType<typeof parseReplayArguments>} ReplayCommand */
