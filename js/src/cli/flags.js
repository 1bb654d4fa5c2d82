/** Flags that several commands have. */

/** @type {string[]} */
const NONE = [];

/** What a command reads. */
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

/** Whether there may be nothing to read. */
export const EMPTY = /** @type {const} */ ({
  'allow-empty': {
    type: 'boolean',
    default: false,
    help: 'accept input without any object',
  },
});

/** The cluster that manifests are held against. */
export const CLUSTER = /** @type {const} */ ({
  cluster: {
    type: 'string',
    multiple: true,
    default: NONE,
    value: 'FILE',
    help: 'the cluster: a snapshot, or the output of kubectl; can be repeated',
  },
});

/** Where manifests go that name no namespace. */
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
 * How closely manifests are looked at.
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
        'unknown, duplicate, missing and invalid fields of manifests, as in kubectl: strict ' +
        `(refused), warn, or ignore; default ${preset}`,
    },
  });

/** How to reach a live one: also what says that it is to be a live one. */
export const CONNECTION = /** @type {const} */ ({
  kubeconfig: { type: 'string', value: 'FILE', help: 'the kubeconfig of a live cluster' },
  context: {
    type: 'string',
    value: 'NAME',
    help: 'the context of the kubeconfig (default its current one)',
  },
});

/** Which pods are reported, by their labels. */
export const SELECTOR = /** @type {const} */ ({
  selector: {
    type: 'string',
    short: 'l',
    value: 'LABELS',
    help: 'report only the pods with such labels, as in kubectl: a=1,b!=2; all are placed',
  },
});

/** A file that configures the scheduler. */
export const CONFIG = /** @type {const} */ ({
  config: {
    type: 'string',
    value: 'FILE',
    help: 'a KubeSchedulerConfiguration, YAML or JSON',
  },
});

/** What differs from the defaults of v1.36. */
export const FEATURE_GATES = /** @type {const} */ ({
  'feature-gates': {
    type: 'string',
    multiple: true,
    default: NONE,
    value: 'A=true,B=false',
    help: 'feature gates that differ from their default in v1.36',
  },
});

/** Whose pods it places. */
export const SCHEDULER_NAME = /** @type {const} */ ({
  'scheduler-name': {
    type: 'string',
    value: 'NAME',
    help: 'place the pods of this scheduler (default default-scheduler)',
  },
});

/** What decides among equals. */
const TIES = /** @type {const} */ ({
  'tie-break': {
    type: 'string',
    default: 'heap',
    value: 'HOW',
    words: ['heap', 'name', 'random'],
    help: 'among equal nodes: heap (default, as kube-scheduler), name, or random',
  },
  seed: {
    type: 'string',
    default: '0',
    value: 'N',
    help: 'for --tie-break random (default 0)',
  },
});

/** Who binds claims. */
const VOLUMES = /** @type {const} */ ({
  volumes: {
    type: 'string',
    default: 'simulate',
    value: 'WHO',
    words: ['simulate', 'host'],
    help:
      'who binds claims and provisions volumes: simulate (default), as the controllers of the ' +
      'cluster would, or host: they stay unbound',
  },
});

/** What becomes of a question that the input cannot answer whole. */
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
  ...FEATURE_GATES,
  ...SCHEDULER_NAME,
  ...TIES,
  ...VOLUMES,
  ...STRICT,
});

/** How an answer is printed: as a table, or as data. */
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

/** A log of the scheduler. */
export const RECORD = /** @type {const} */ ({
  record: {
    type: 'string',
    value: 'LOG',
    help: 'write the log of the scheduler to a file (.gz: compressed), for replay',
  },
});

/** How tables look. */
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

/** The page itself. */
export const HELP = /** @type {const} */ ({
  help: { type: 'boolean', short: 'h', default: false, help: 'print this' },
});
