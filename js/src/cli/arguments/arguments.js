import { parseArgs } from 'node:util';
import { RELEASES, releaseOf } from '../../kubernetes/release.js';
import { isLive } from '../input/live_cluster.js';
import { didYouMean, namesNear } from '../terminal/near_names.js';
import { UsageError } from '../terminal/problems.js';

/**
 * The checked flags of PLACING.
 * @typedef {object} PlacingOptions
 * @property {string | undefined} config a file
 * @property {string | undefined} kubernetesVersion the release that decides, such as `v1.34`
 * @property {Record<string, boolean>} featureGates
 * @property {string | undefined} schedulerName
 * @property {'heap' | 'name' | 'random' | undefined} tieBreak undefined: as the release
 * @property {number} seed
 * @property {'simulate' | 'host'} volumes who binds claims: the controllers that the engine
 *   simulates, or the caller
 * @property {boolean} strict whether missing input is an error
 */

/**
 * @param {{ [flag: string]: any }} values of the flags of PLACING
 * @returns {PlacingOptions}
 * @throws {UsageError}
 */
export function placingOptions(values) {
  const { config, 'scheduler-name': schedulerName } = values;
  if (config !== undefined && schedulerName !== undefined) {
    throw new UsageError(
      '--scheduler-name does not go with --config: name the scheduler in its profiles',
    );
  }
  return {
    config,
    kubernetesVersion: kubernetesVersionOf(values),
    featureGates: gates(values['feature-gates']),
    schedulerName,
    tieBreak: tieBreakOf(values),
    seed: wholeNumber('seed', values.seed),
    volumes: oneOf('volumes', values.volumes, ['simulate', 'host']),
    strict: values.strict,
  };
}

/** @param {{ 'tie-break'?: string }} values */
function tieBreakOf({ 'tie-break': text }) {
  if (text === undefined) return undefined;
  return oneOf('tie-break', text, ['heap', 'name', 'random']);
}

/**
 * @param {{ 'kubernetes-version'?: string }} values of the flag of KUBERNETES_VERSION
 * @returns {string | undefined} such as `v1.34`
 * @throws {UsageError}
 */
export function kubernetesVersionOf({ 'kubernetes-version': text }) {
  if (text === undefined) return undefined;
  const release = releaseOf(text);
  if (RELEASES.some((name) => releaseOf(name) === release)) return release;
  throw new UsageError(`--kubernetes-version is one of ${RELEASES.join(', ')}, not "${text}"`);
}

/**
 * How the fields of manifests are validated.
 * @typedef {'strict' | 'warn' | 'ignore'} ValidationMode
 */

/**
 * @param {{ validate: string }} values of the flag of `validation`; kubectl's `true` and `false`
 *   mean `strict` and `ignore`
 * @returns {ValidationMode}
 * @throws {UsageError}
 */
export function validationMode({ validate }) {
  const meant = { true: 'strict', false: 'ignore' }[validate] ?? validate;
  return oneOf('validate', meant, ['strict', 'warn', 'ignore']);
}

/** The possible sources of a cluster. */
export const SOURCES = '--cluster with a file, a directory, or -, or --kubeconfig or --context';

/**
 * Returns a live cluster, which replaces `--cluster`.
 * @param {{ kubeconfig?: string, context?: string }} values of the flags of CONNECTION
 * @param {string[]} cluster files
 * @throws {UsageError}
 */
export function connectionOf({ kubeconfig, context }, cluster) {
  if (isLive({ kubeconfig, context }) && cluster.length > 0)
    throw new UsageError('--cluster does not go with --kubeconfig and --context');
  for (const [flag, value] of Object.entries({ kubeconfig, context }))
    if (value === '') throw new UsageError(`--${flag} needs a value`);
  return { kubeconfig, context };
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
    throw new UsageError(
      unknown ? unknownFlag(unknown[1], options) : message.replaceAll('\n', ' '),
    );
  }
}

/**
 * @param {string} flag as it was written
 * @param {import('node:util').ParseArgsConfig['options']} options
 */
function unknownFlag(flag, options = {}) {
  const near = namesNear(flag.replace(/^-+/, ''), Object.keys(options));
  return `unknown flag ${flag}${didYouMean(near.map((name) => `--${name}`))}`;
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
 * @param {string} flag
 * @param {string} value
 * @throws {UsageError}
 */
export function countFrom1(flag, value) {
  const count = wholeNumber(flag, value);
  if (count === 0) throw new UsageError(`--${flag} is a whole number from 1, not "${value}"`);
  return count;
}

/**
 * Parses `A=true,B=false`; of a repeated name the last one counts.
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

/**
 * @param {Record<string, unknown>} values of flags
 * @throws {UsageError} if one is given without its value
 */
export function requireValues(values) {
  for (const [flag, value] of Object.entries(values))
    if ([value].flat().includes('')) throw new UsageError(`--${flag} needs a value`);
}
