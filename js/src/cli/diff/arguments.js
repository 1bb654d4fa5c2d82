import {
  connectionOf,
  kubernetesVersionOf,
  oneOf,
  parsed,
  placingOptions,
  requireValues,
  validationMode,
} from '../arguments/arguments.js';
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
} from '../arguments/flags.js';
import { isLive } from '../input/live_cluster.js';
import { UsageError } from '../terminal/problems.js';
import { selectorOf } from '../outcome/selection.js';

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
  'kubernetes-version': {
    ...PLACING['kubernetes-version'],
    multiple: true,
    default: /** @type {string[]} */ ([]),
    help:
      `${PLACING['kubernetes-version'].help}. Twice: the releases before and after an upgrade, ` +
      'which are compared',
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

/** @type {import('../arguments/manual.js').Manual} */
export const DIFF = {
  name: 'diff',
  takes: '[FILE...] --config FILE --config FILE [flags]',
  summary: 'report which pods another configuration or release would move, and why',
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
are compared.

With --kubernetes-version twice it compares two releases, with one --config or the defaults: which
pods would get another node, none, or another message, and which changes of kube-scheduler (BY) do
so. Each pod is asked about alone, in the cluster as it stands: a pending one as it is, a placed one
as if it had just been taken off its node. Equal pods are asked about once (EQUAL).`,
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
    {
      why: 'What would an upgrade from 1.34 to 1.36 change?',
      command: 'stowage diff --kubernetes-version 1.34 --kubernetes-version 1.36 dump.json',
    },
  ],
  flags: FLAGS,
  exitCodes: {
    0: 'all pods end on the same nodes; of two releases: nothing differs',
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
  const given = values['kubernetes-version'];
  if (!help) checkCompared(config.length, given.length);
  const releases = given.map((text) => kubernetesVersionOf({ 'kubernetes-version': text }) ?? text);
  const isUpgrade = releases.length === 2;
  return {
    files,
    ...connectionOf(values, []),
    recursive: values.recursive,
    validate: validationMode(values),
    skipInvalid: values['skip-invalid'],
    ...placingOptions({
      ...values,
      config: undefined,
      'kubernetes-version': isUpgrade ? undefined : given[0],
    }),
    configs: config.length === 2 ? [config[0], config[1]] : [undefined, config[0]],
    releases: isUpgrade ? { from: releases[0], to: releases[1] } : undefined,
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

/**
 * Two configurations are compared, or two releases.
 * @param {number} configs
 * @param {number} releases
 * @throws {UsageError}
 */
function checkCompared(configs, releases) {
  if (releases > 2)
    throw new UsageError(`diff needs --kubernetes-version at most twice, not ${releases} times`);
  if (releases === 2 && configs > 1)
    throw new UsageError(
      'diff compares two configurations or two releases: --kubernetes-version twice goes with ' +
        'one --config at most',
    );
  if (releases < 2 && (configs === 0 || configs > 2))
    throw new UsageError(`diff needs --config once or twice, not ${configs} times`);
}

/** @typedef {ReturnType<typeof parseDiffArguments>} DiffOptions */
