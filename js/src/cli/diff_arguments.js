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
    help: 'compare only where pending pods would go; all others stay on their nodes',
  },
  ...OUTPUT,
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    help: 'report only the pods of this namespace, in which are also manifests that name none',
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
  summary: 'which pods another configuration would move, and why',
  description: `\
Places the pods of a cluster anew with one configuration and then with another, and says which of
them end elsewhere, and what turned the choice. With one --config it is held against the defaults of
kube-scheduler v1.36. Nothing outside is changed.

A FILE is one of those that "stowage help simulate" describes; with --kubeconfig or --context the
cluster is that one, as it is now. Pods are placed in the order of the
queue: by priority, then age, then the order of the files. Where they are now does not count, so
that both configurations begin alike. Those that no scheduler would move stay: pods of DaemonSets,
static pods, those that ask for one node by its name, those that are being deleted, and those of
schedulers that not both configurations have. With --pending-only all pods that have a node stay on
it, and the pending ones are compared: what the next minute would bring.`,
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
      why: 'As data, against the defaults.',
      command: 'stowage diff cluster.json --config c.yaml -o json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'all pods end at the same place',
    1: 'some do not',
    2: 'the input, a configuration or the command line is wrong',
    3: 'stowage failed',
  },
};

/**
 * @param {string[]} argv what follows `diff`
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
