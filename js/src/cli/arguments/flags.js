/** Flags that several commands have. */
import { NEWEST, RELEASES } from '../../kubernetes/release.js';

/** @type {string[]} */
const NONE = [];

/** The input of a command. */
export const INPUT = /** @type {const} */ ({
  filename: {
    type: 'string',
    short: 'f',
    multiple: true,
    default: NONE,
    value: 'FILE',
    help: 'the same as a FILE; can be repeated',
  },
  recursive: {
    type: 'boolean',
    short: 'R',
    default: false,
    help: 'also read the directories inside of directories',
  },
  'skip-invalid': {
    type: 'boolean',
    default: false,
    help: 'skip files without an object, and report how many',
  },
});

/** Whether an empty input is allowed. */
export const EMPTY = /** @type {const} */ ({
  'allow-empty': {
    type: 'boolean',
    default: false,
    help: 'accept input without any object',
  },
});

/** The cluster that manifests are checked against. */
export const CLUSTER = /** @type {const} */ ({
  cluster: {
    type: 'string',
    multiple: true,
    default: NONE,
    value: 'FILE',
    help: 'the cluster: a snapshot, or the output of kubectl; can be repeated',
  },
});

/** The namespace of manifests without one. */
export const NAMESPACE = /** @type {const} */ ({
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    help:
      "the namespace of manifests without one (default that of the kubeconfig's context, else " +
      'default); manifests with another one are refused',
  },
});

/**
 * How strictly manifests are validated.
 * @template {'strict' | 'warn'} T
 * @param {T} preset
 */
export const validation = (preset) =>
  /** @type {const} */ ({
    validate: {
      type: 'string',
      default: preset,
      value: 'MODE',
      words: ['strict', 'warn', 'ignore'],
      help:
        'unknown, duplicate, missing and invalid fields of manifests, and changes of immutable ' +
        `ones, as in kubectl: strict (refused), warn, or ignore; default ${preset}`,
    },
  });

/** The connection to a live cluster, which also selects a live one. */
export const CONNECTION = /** @type {const} */ ({
  kubeconfig: { type: 'string', value: 'FILE', help: 'the kubeconfig of a live cluster' },
  context: {
    type: 'string',
    value: 'NAME',
    help: 'the context of the kubeconfig (default its current one)',
  },
});

/** The labels of the pods to report. */
export const SELECTOR = /** @type {const} */ ({
  selector: {
    type: 'string',
    short: 'l',
    value: 'LABELS',
    help: 'report only the pods with such labels, as in kubectl: a=1,b!=2; all are placed',
  },
});

/** The scheduler's configuration file. */
export const CONFIG = /** @type {const} */ ({
  config: {
    type: 'string',
    value: 'FILE',
    help: 'a KubeSchedulerConfiguration, YAML or JSON',
  },
});

/** The release of kube-scheduler that decides. */
export const KUBERNETES_VERSION = /** @type {const} */ ({
  'kubernetes-version': {
    type: 'string',
    value: 'VERSION',
    words: RELEASES,
    help:
      `the release of kube-scheduler that decides: ${RELEASES.join(', ')} ` +
      `(default ${NEWEST}); a patch may follow. It is never taken from the input`,
  },
});

/** Differences from the release's defaults. */
export const FEATURE_GATES = /** @type {const} */ ({
  'feature-gates': {
    type: 'string',
    multiple: true,
    default: NONE,
    value: 'A=true,B=false',
    help: 'feature gates that differ from their default in the release',
  },
});

/** The name of the scheduler whose pods are placed. */
export const SCHEDULER_NAME = /** @type {const} */ ({
  'scheduler-name': {
    type: 'string',
    value: 'NAME',
    help: 'place the pods of this scheduler (default default-scheduler)',
  },
});

/** The order among equal totals. */
const TIES = /** @type {const} */ ({
  'tie-break': {
    type: 'string',
    value: 'HOW',
    words: ['heap', 'name', 'random'],
    help: 'among equal nodes: heap, name, or random (default as the release: random until 1.34)',
  },
  seed: {
    type: 'string',
    default: '0',
    value: 'N',
    help: 'for --tie-break random (default 0)',
  },
});

/** How claims are bound. */
const VOLUMES = /** @type {const} */ ({
  volumes: {
    type: 'string',
    default: 'simulate',
    value: 'WHO',
    words: ['simulate', 'host'],
    help:
      'how claims are bound: simulate (default) provisions and binds volumes as the controllers ' +
      'of the cluster would; with host claims stay as they are',
  },
});

/** The handling of incomplete input. */
const STRICT = /** @type {const} */ ({
  strict: {
    type: 'boolean',
    default: false,
    help: 'exit with 2 if a warning reports that the input lacks objects that decisions read',
  },
});

/** How pods are placed. */
export const PLACING = /** @type {const} */ ({
  ...CONFIG,
  ...KUBERNETES_VERSION,
  ...FEATURE_GATES,
  ...SCHEDULER_NAME,
  ...TIES,
  ...VOLUMES,
  ...STRICT,
});

/** The output format: a table, or data. */
export const OUTPUT = /** @type {const} */ ({
  output: {
    type: 'string',
    short: 'o',
    default: 'table',
    value: 'FORMAT',
    words: ['table', 'json', 'yaml'],
    help: 'table (default), json or yaml',
  },
});

/** The scheduler's log. */
export const RECORD = /** @type {const} */ ({
  record: {
    type: 'string',
    value: 'LOG',
    help: 'write the log of the scheduler to a file (.gz: compressed), for replay',
  },
});

/** The format of tables. */
export const TABLES = /** @type {const} */ ({
  'no-headers': { type: 'boolean', default: false, help: 'print tables without headers' },
  color: {
    type: 'string',
    default: 'auto',
    value: 'WHEN',
    words: ['auto', 'always', 'never'],
    help: 'auto (default), always or never; NO_COLOR is respected',
  },
});

/** How much is printed besides the result. */
export const QUIET = /** @type {const} */ ({
  quiet: {
    type: 'boolean',
    short: 'q',
    default: false,
    help: 'print only warnings and errors on standard error',
  },
});

/** The flag for the manual. */
export const HELP = /** @type {const} */ ({
  help: { type: 'boolean', short: 'h', default: false, help: 'print this' },
});
