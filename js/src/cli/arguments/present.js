/** The flags of commands about a cluster and its future, and their options. */
import { connectionOf, oneOf, parsed, placingOptions, requireValues } from './arguments.js';
import { SOURCES, validationMode } from './arguments.js';
import { CLUSTER, CONNECTION, HELP, INPUT, NAMESPACE, OUTPUT } from './flags.js';
import { PLACING, QUIET, TABLES, validation } from './flags.js';
import { isLive } from '../input/live_cluster.js';
import { UsageError } from '../terminal/problems.js';

/** The cluster of the question; a command's own flags follow. */
export const PRESENT = /** @type {const} */ ({
  ...INPUT,
  ...CLUSTER,
  ...CONNECTION,
  ...NAMESPACE,
  ...validation('warn'),
});

/** How pods are placed, and how the answer is printed; the last flags of a command. */
export const ANSWER = /** @type {const} */ ({
  ...OUTPUT,
  ...PLACING,
  ...TABLES,
  ...QUIET,
  ...HELP,
});

/**
 * Parses flags, of which none may be empty.
 * @type {typeof parsed}
 */
export const parsedPresent = (argv, flags) => {
  const result = parsed(argv, flags);
  requireValues(result.values);
  return result;
};

/**
 * Returns the options of PRESENT and ANSWER.
 * @param {{ [flag: string]: any }} values
 * @param {string[]} files manifests that are applied to the cluster, or the cluster itself
 * @throws {UsageError}
 */
export function presentOptions(values, files) {
  const { cluster } = /** @type {{ cluster: string[] }} */ (values);
  return {
    files,
    cluster,
    ...connectionOf(values, cluster),
    recursive: /** @type {boolean} */ (values.recursive),
    namespace: /** @type {string | undefined} */ (values.namespace),
    validate: validationMode({ validate: values.validate }),
    skipInvalid: /** @type {boolean} */ (values['skip-invalid']),
    output: oneOf('output', values.output, ['table', 'json', 'yaml']),
    ...placingOptions(values),
    headers: !values['no-headers'],
    color: oneOf('color', values.color, ['auto', 'always', 'never']),
    quiet: /** @type {boolean} */ (values.quiet),
    help: /** @type {boolean} */ (values.help),
  };
}

/**
 * @param {string} command
 * @param {{ cluster: string[], help: boolean, kubeconfig?: string, context?: string }} values
 * @param {string[]} [files] those that may be the cluster
 * @throws {UsageError} if no flag or file has a cluster
 */
export function requireCluster(command, values, files = []) {
  if (values.help || files.length + values.cluster.length > 0 || isLive(values)) return;
  throw new UsageError(`${command} needs a cluster: ${SOURCES}`);
}
