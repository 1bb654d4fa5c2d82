import { gates, parsed, wholeNumber } from './arguments.js';
import { UsageError } from './problems.js';

/**
 * The flags of `up`, checked.
 * @typedef {object} UpCommand
 * @property {string[]} files
 * @property {boolean} recursive
 * @property {string} host
 * @property {number} port 0: any that is free
 * @property {number | undefined} nodes
 * @property {string | undefined} schedulerName
 * @property {string | undefined} config a file
 * @property {Record<string, boolean>} featureGates
 * @property {boolean} kubelet
 * @property {number} history changes of each resource that watches can go back
 * @property {string | undefined} record a file for the log
 * @property {number | undefined} seconds after which it ends by itself
 * @property {boolean} quiet
 * @property {boolean} help
 */

/** More are no longer a cluster of Kubernetes' own limits. */
const MOST_NODES = 15_000;

const FLAGS = /** @type {const} */ ({
  filename: { type: 'string', short: 'f', multiple: true, default: /** @type {string[]} */ ([]) },
  recursive: { type: 'boolean', short: 'R', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '8001' },
  nodes: { type: 'string' },
  'scheduler-name': { type: 'string' },
  config: { type: 'string' },
  'feature-gates': { type: 'string', multiple: true, default: /** @type {string[]} */ ([]) },
  'no-kubelet': { type: 'boolean', default: false },
  history: { type: 'string', default: '10000' },
  record: { type: 'string' },
  for: { type: 'string' },
  quiet: { type: 'boolean', short: 'q', default: false },
  help: { type: 'boolean', short: 'h', default: false },
});

/**
 * @param {string[]} argv what follows `up`
 * @returns {UpCommand}
 * @throws {UsageError}
 */
export function parseUpArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  for (const flag of /** @type {const} */ (['host', 'config', 'scheduler-name', 'record']))
    if (values[flag] === '') throw new UsageError(`--${flag} needs a value`);
  const port = wholeNumber('port', values.port);
  if (port > 65_535) throw new UsageError(`--port is at most 65535, not ${port}`);
  const history = wholeNumber('history', values.history);
  if (history === 0) throw new UsageError('--history is at least 1');
  const nodes = values.nodes === undefined ? undefined : wholeNumber('nodes', values.nodes);
  if (nodes !== undefined && nodes > MOST_NODES)
    throw new UsageError(`--nodes is at most ${MOST_NODES}, not ${nodes}`);
  return {
    files: [...positionals, ...values.filename],
    recursive: values.recursive,
    host: values.host,
    port,
    nodes,
    schedulerName: values['scheduler-name'],
    config: values.config,
    featureGates: gates(values['feature-gates']),
    kubelet: !values['no-kubelet'],
    history,
    record: values.record,
    seconds: values.for === undefined ? undefined : wholeNumber('for', values.for),
    quiet: values.quiet,
    help: values.help,
  };
}
