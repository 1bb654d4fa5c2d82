import { parseArgs } from 'node:util';
import { UsageError } from './problems.js';

/**
 * The flags of `replay`, checked.
 * @typedef {object} ReplayCommand
 * @property {string} file
 * @property {number | undefined} until the line to stop behind
 * @property {boolean} inspect
 * @property {boolean} hash
 * @property {boolean} quiet
 * @property {boolean} help
 */

/** @typedef {'table' | 'wide' | 'json' | 'yaml' | 'name'} OutputFormat */

/**
 * The flags of `simulate`, checked.
 * @typedef {object} SimulateOptions
 * @property {string[]} files
 * @property {boolean} recursive
 * @property {OutputFormat} output
 * @property {string | undefined} namespace undefined: all
 * @property {string | undefined} explain
 * @property {boolean} allPlugins
 * @property {number} limit of nodes in an explanation; 0: none
 * @property {string | undefined} config a file
 * @property {Record<string, boolean>} featureGates
 * @property {string | undefined} schedulerName
 * @property {'heap' | 'name' | 'random'} tieBreak
 * @property {number} seed
 * @property {'simulate' | 'host'} volumes who binds claims: their controllers as the engine plays
 *   them, or nobody
 * @property {string | undefined} record a file for the log
 * @property {boolean} headers
 * @property {'auto' | 'always' | 'never'} color
 * @property {boolean} speed
 * @property {boolean} quiet
 * @property {boolean} verbose
 * @property {boolean} help
 */

const FLAGS = /** @type {const} */ ({
  filename: { type: 'string', short: 'f', multiple: true, default: /** @type {string[]} */ ([]) },
  recursive: { type: 'boolean', short: 'R', default: false },
  output: { type: 'string', short: 'o', default: 'table' },
  namespace: { type: 'string', short: 'n' },
  'all-namespaces': { type: 'boolean', short: 'A', default: false },
  explain: { type: 'string' },
  'all-plugins': { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
  config: { type: 'string' },
  'feature-gates': { type: 'string', multiple: true, default: /** @type {string[]} */ ([]) },
  'scheduler-name': { type: 'string' },
  'tie-break': { type: 'string', default: 'heap' },
  seed: { type: 'string', default: '0' },
  volumes: { type: 'string', default: 'simulate' },
  record: { type: 'string' },
  'no-headers': { type: 'boolean', default: false },
  color: { type: 'string', default: 'auto' },
  speed: { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  verbose: { type: 'boolean', short: 'v', default: false },
  help: { type: 'boolean', short: 'h', default: false },
});

const REPLAY_FLAGS = /** @type {const} */ ({
  until: { type: 'string' },
  inspect: { type: 'boolean', default: false },
  hash: { type: 'boolean', default: false },
  quiet: { type: 'boolean', short: 'q', default: false },
  help: { type: 'boolean', short: 'h', default: false },
});

/**
 * @param {string[]} argv what follows `replay`
 * @returns {ReplayCommand}
 * @throws {UsageError}
 */
export function parseReplayArguments(argv) {
  const { values, positionals } = parsed(argv, REPLAY_FLAGS);
  const { until, help } = values;
  if (!help && positionals.length !== 1)
    throw new UsageError('replay needs one log: a file, or - for standard input');
  const line = until === undefined ? undefined : wholeNumber('until', until);
  if (line === 0) throw new UsageError('--until is the number of a line; the first is 1');
  return { ...values, file: positionals[0], until: line };
}

/**
 * @param {string[]} argv what follows `simulate`
 * @returns {SimulateOptions}
 * @throws {UsageError}
 */
export function parseArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  const files = [...positionals, ...values.filename];
  if (!values.help && files.length === 0)
    throw new UsageError('simulate needs a file, a directory, or - for standard input');
  if (values.namespace === '') throw new UsageError('--namespace needs a name; -A is all of them');
  if (values.explain === '') throw new UsageError('--explain needs the name of a pod');
  if (values.record === '') throw new UsageError('--record needs a file');
  if (values.config !== undefined && values['scheduler-name'] !== undefined) {
    throw new UsageError(
      '--scheduler-name does not go with --config: name the scheduler in its profiles',
    );
  }
  return {
    files,
    recursive: values.recursive,
    output: oneOf('output', values.output, ['table', 'wide', 'json', 'yaml', 'name']),
    namespace: values['all-namespaces'] ? undefined : values.namespace,
    explain: values.explain,
    allPlugins: values['all-plugins'],
    limit: wholeNumber('limit', values.limit),
    config: values.config,
    featureGates: gates(values['feature-gates']),
    schedulerName: values['scheduler-name'],
    tieBreak: oneOf('tie-break', values['tie-break'], ['heap', 'name', 'random']),
    seed: wholeNumber('seed', values.seed),
    volumes: oneOf('volumes', values.volumes, ['simulate', 'host']),
    record: values.record,
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    speed: values.speed,
    quiet: values.quiet,
    verbose: values.verbose,
    help: values.help,
  };
}

/**
 * @template {import('node:util').ParseArgsConfig['options']} T
 * @param {string[]} argv
 * @param {T} options
 * @returns {ReturnType<typeof parseArgs<{ options: T, allowPositionals: true }>>}
 * @throws {UsageError}
 */
export function parsed(argv, options) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^']*)'/.exec(message);
    throw new UsageError(unknown ? `unknown flag ${unknown[1]}` : message);
  }
}

/**
 * @template {string} T
 * @param {string} flag
 * @param {string} value
 * @param {T[]} known
 * @returns {T}
 * @throws {UsageError}
 */
export function oneOf(flag, value, known) {
  const found = known.find((word) => word === value);
  if (found) return found;
  throw new UsageError(`--${flag} is one of ${known.join(', ')}, not "${value}"`);
}

/**
 * @param {string} flag
 * @param {string} value
 * @throws {UsageError}
 */
export function wholeNumber(flag, value) {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${flag} is a whole number from 0, not "${value}"`);
}

/**
 * `A=true,B=false`, the last of one name counts.
 * @param {string[]} texts
 * @throws {UsageError}
 */
export function gates(texts) {
  const pairs = texts.flatMap((text) => text.split(',')).filter(Boolean);
  const entries = pairs.map((pair) => {
    const match = /^\s*([A-Za-z]\w*)\s*=\s*(true|false)\s*$/i.exec(pair);
    if (!match)
      throw new UsageError(
        `--feature-gates is a list such as A=true,B=false; "${pair}" does not belong there`,
      );
    return [match[1], match[2].toLowerCase() === 'true'];
  });
  return Object.fromEntries(entries);
}
