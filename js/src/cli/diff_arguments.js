import {
  connectionOf,
  oneOf,
  parsed,
  placingOptions,
  requireValues,
  validationMode,
} from './arguments.js';
import {
  CONNECTION,
  HELP,
  INPUT,
  OUTPUT,
  PLACING,
  QUIET,
  SELECTOR,
  TABLES,
  validation,
} from './flags.js';
import { isLive } from './live_cluster.js';
import { UsageError } from './problems.js';
import { selectorOf } from './selection.js';

const { 'scheduler-name': _, ...PLACING_WITHOUT_NAME } = PLACING;

const FLAGS = /** @type {const} */ ({
  ...INPUT,
  ...CONNECTION,
  ...validation('warn'),
  ...PLACING_WITHOUT_NAME,
  config: {
    type: 'string',
    multiple: true,
    default: /** @type {string[]} */ ([]),
    value: 'FILE',
    help: 'a KubeSchedulerConfiguration, YAML or JSON; twice, or once against the defaults',
  },
  'pending-only': {
    type: 'boolean',
    default: false,
    help: 'compare only pending pods; all others stay on their nodes',
  },
  ...OUTPUT,
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    help: 'report only the pods of this namespace; also the namespace of manifests without one',
  },
  ...SELECTOR,
  ...TABLES,
  ...QUIET,
  ...HELP,
});

/** @type {import('./manual.js').Manual} */
export const DIFF = {
  name: 'diff',
  takes: '[FILE...] --config FILE --config FILE [flags]',
  summary: 'report which pods another configuration would move, and why',
  description: `\
Places the pods of a cluster again with one configuration and then with another. Reports which of
them end on different nodes, and which plugin made the difference. With one --config it compares
with the defaults of kube-scheduler. Nothing is written.

A FILE is one of those that "stowage help simulate" describes; with --kubeconfig or --context the
cluster is the current state of that cluster. Pods are placed in queue order: by priority, then age,
then the order of the files. Their current nodes do not count, so that both configurations start
equal. Pods that no scheduler would move stay: pods of DaemonSets, static pods, pods that require
one node by its name, pods that are being deleted, and pods of schedulers that only one
configuration has. With --pending-only all pods with a node stay on it, and only the pending ones
are compared.`,
  examples: [
    {
      why: 'What would bin packing change?',
      command: 'stowage diff cluster.json --config default.yaml --config binpack.yaml',
    },
    {
      why: 'Where would the pods go that are pending right now?',
      command: 'stowage diff cluster.json --config c.yaml --pending-only',
    },
    {
      why: 'As JSON, compared with the defaults.',
      command: 'stowage diff cluster.json --config c.yaml -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'all pods end on the same nodes',
    1: 'some do not',
    2: 'the input, a configuration or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv the arguments after `diff`
 * @throws {UsageError}
 */
export function parseDiffArguments(argv) {
  const { values, positionals } = parsed(argv, FLAGS);
  requireValues(values);
  const files = [...positionals, ...values.filename];
  const { config, help } = values;
  if (!help && files.length === 0 && !isLive(values))
    throw new UsageError('diff needs a cluster: a file, a directory, or - for standard input');
  if (!help && (config.length === 0 || config.length > 2))
    throw new UsageError(`diff needs --config once or twice, not ${config.length} times`);
  return {
    files,
    ...connectionOf(values, []),
    recursive: values.recursive,
    validate: validationMode(values),
    skipInvalid: values['skip-invalid'],
    ...placingOptions({ ...values, config: undefined }),
    configs: config.length === 2 ? [config[0], config[1]] : [undefined, config[0]],
    pendingOnly: values['pending-only'],
    output: oneOf('output', values.output, ['table', 'json', 'yaml']),
    namespace: values.namespace,
    selector: selectorOf(values.selector),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    quiet: values.quiet,
    help,
  };
}

/** @typedef {ReturnType<typeof parseDiffArguments>} DiffOptions */
