/** Checks the options of an admission handler. */
import { PriorityClasses } from '../kubernetes/default_classes.js';
import { labelSelectorOf, parseLabelSelector } from '../kubernetes/label_selector.js';
import { ConfigurationError } from '../kubernetes/errors.js';
import { systemClock } from '../runtimes/system_clock.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Clock } from '../engine/types.js'
 */

/**
 * The evaluating part of a scheduler that holds the cluster. It need not run. Without `fork`, the
 * first pod of a workload stands for all.
 * @typedef {Pick<Scheduler, 'evaluateAsync'> & Partial<Pick<Scheduler, 'fork'>>} Cluster
 */

/**
 * Exempt objects. A request is exempt if one of the two matches.
 * @typedef {object} Exemptions
 * @property {string[]} [namespaces] by name
 * @property {string | { matchLabels?: Record<string, string>, matchExpressions?: { key: string,
 *   operator: string, values?: string[] }[] }} [labelSelector] of the object's labels, or of those
 *   of its pod template: a `metav1.LabelSelector`, or text such as `tier=batch,!urgent`
 */

/**
 * Objects of the cluster, or a function that returns them, for example from an informer's cache.
 * They are read for each workload, once the cluster is available, and applied only to pods of
 * templates: a pod under review has passed the API server's own LimitRanger, Priority and
 * RuntimeClass.
 * @typedef {Iterable<KubernetesObject> | (() => Iterable<KubernetesObject>)} ObjectSource
 */

/**
 * Evaluates a pod group, and changes nothing.
 * @callback EvaluateGroup
 * @param {Scheduler} scheduler
 * @param {{ podGroup: string }} question `namespace/name`
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<{ result: string, message: string }>}
 */

/**
 * @typedef {object} AdmissionOptions
 * @property {Cluster | (() => Cluster | Promise<Cluster>)} cluster a scheduler that informers feed,
 *   or that has a snapshot; or a function that returns one for each request, as soon as the cluster
 *   is known
 * @property {'warn' | 'deny' | 'annotate'} mode
 * @property {'Never' | 'NotNow'} [denyWhen] with `mode: 'deny'`, default `Never`: no node could
 *   take the pod even without other pods; `NotNow`: also if no node can take it now and preemption
 *   does not help
 * @property {'Ignore' | 'Fail'} [failurePolicy] allows (default) or denies the requests that cannot
 *   be evaluated
 * @property {number} [timeoutMs] the time limit of an answer, default 5,000; the `timeout` of the
 *   request's query may reduce it
 * @property {Exemptions} [exempt]
 * @property {number} [maxBodyBytes] default 7 MiB
 * @property {ObjectSource} [priorityClasses] the cluster's, for pod templates that name one
 * @property {ObjectSource} [limitRanges] of all namespaces, for the defaults of templates'
 *   containers
 * @property {ObjectSource} [runtimeClasses] for the overhead, the node selector and the tolerations
 *   of templates that name one; if absent, templates' classes are ignored
 * @property {EvaluateGroup} [evaluateGroup] `evaluateAll` of `stowage/whatif`: a warning says why
 *   the pod group of a pod cannot start, and which pod blocks it. The cluster must keep objects
 * @property {(error: unknown) => void} [onError] gets the errors that prevented an answer, or its
 *   second warning
 * @property {Clock} [clock] a real-time clock; default: the host's
 */

const OPTION_NAMES = [
  ...['cluster', 'mode', 'denyWhen', 'failurePolicy', 'timeoutMs', 'exempt', 'maxBodyBytes'],
  ...['priorityClasses', 'limitRanges', 'runtimeClasses', 'evaluateGroup', 'onError', 'clock'],
];
const MODES = ['warn', 'deny', 'annotate'];
const DENIED_VERDICTS = ['Never', 'NotNow'];
const FAILURE_POLICIES = ['Ignore', 'Fail'];

/** Half of the API server's default timeout: milliseconds. */
const TIMEOUT = 5_000;

/**
 * Two objects of at most 3 MiB, which the API server accepts, and the rest of the review: bytes, as
 * in controller-runtime.
 */
const BODY_BYTES = 7 * 1024 * 1024;

/**
 * The checked options, with their defaults.
 * @typedef {ReturnType<typeof admissionSettings>} AdmissionSettings
 */

/**
 * @param {AdmissionOptions} options
 * @throws {ConfigurationError}
 */
export function admissionSettings(options) {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name));
  if (unknown) throw badOption(unknown, `unknown option; there are ${OPTION_NAMES.join(', ')}`);
  const { cluster, mode, denyWhen = 'Never', failurePolicy = 'Ignore', exempt = {} } = options;
  const { timeoutMs = TIMEOUT, maxBodyBytes = BODY_BYTES } = options;
  const { evaluateGroup, onError = () => {}, clock = systemClock() } = options;
  if (typeof cluster !== 'function' && typeof cluster?.evaluateAsync !== 'function')
    throw badOption('cluster', 'must be a scheduler, or a function that gives one');
  checkWord('mode', mode, MODES);
  checkWord('denyWhen', denyWhen, DENIED_VERDICTS);
  checkWord('failurePolicy', failurePolicy, FAILURE_POLICIES);
  if (!isAboveZero(timeoutMs)) throw badOption('timeoutMs', 'must be more than 0 milliseconds');
  if (!isAboveZero(maxBodyBytes)) throw badOption('maxBodyBytes', 'must be more than 0 bytes');
  if (evaluateGroup !== undefined && typeof evaluateGroup !== 'function')
    throw badOption('evaluateGroup', 'must be a function');
  if (typeof onError !== 'function') throw badOption('onError', 'must be a function');
  return {
    findCluster: typeof cluster === 'function' ? cluster : () => cluster,
    mode,
    denied: denyWhen === 'Never' ? ['Never'] : ['Never', 'NotNow'],
    failurePolicy,
    timeoutMs,
    maxBodyBytes,
    ...exemptions(exempt),
    readLists: listsOf(options),
    evaluateGroup,
    onError,
    clock,
  };
}

/** @param {unknown} value */
function isAboveZero(value) {
  return typeof value === 'number' && value > 0;
}

/** @param {Exemptions} exempt */
function exemptions(exempt) {
  if (!isRecord(exempt)) throw badOption('exempt', 'must be an object');
  const { namespaces = [], labelSelector, ...others } = exempt;
  const [unknown] = Object.keys(others);
  if (unknown)
    throw badOption(`exempt.${unknown}`, 'only namespaces and labelSelector are supported');
  if (!Array.isArray(namespaces)) throw badOption('exempt.namespaces', 'must be a list of names');
  try {
    const exemptLabels =
      typeof labelSelector === 'string'
        ? parseLabelSelector(labelSelector)
        : labelSelectorOf(labelSelector);
    if (exemptLabels.fault !== null) throw new Error(exemptLabels.fault);
    return { exemptNamespaces: new Set(namespaces), exemptLabels };
  } catch (cause) {
    throw badOption('exempt.labelSelector', wordsOf(cause));
  }
}

/**
 * The objects that the admission of templates reads, as of the call.
 * @typedef {object} AdmissionLists
 * @property {PriorityClasses} priorityClasses
 * @property {Iterable<KubernetesObject>} limitRanges
 * @property {Iterable<KubernetesObject>} [runtimeClasses]
 */

/**
 * @param {AdmissionOptions} options
 * @returns {() => AdmissionLists}
 */
function listsOf({ priorityClasses = [], limitRanges = [], runtimeClasses }) {
  const readClasses = readerOf('priorityClasses', priorityClasses);
  const readRanges = readerOf('limitRanges', limitRanges);
  const readRuntimes =
    runtimeClasses === undefined ? () => undefined : readerOf('runtimeClasses', runtimeClasses);
  return () => ({
    priorityClasses: new PriorityClasses(readClasses()),
    limitRanges: readRanges(),
    runtimeClasses: readRuntimes(),
  });
}

/**
 * @param {string} field
 * @param {ObjectSource} source
 */
function readerOf(field, source) {
  if (typeof source === 'function') return source;
  if (typeof source?.[Symbol.iterator] !== 'function')
    throw badOption(field, 'must be a list of objects, or a function that returns one');
  return () => source;
}

/**
 * @param {string} field
 * @param {string} word
 * @param {string[]} words
 */
function checkWord(field, word, words) {
  if (!words.includes(word)) throw badOption(field, `must be one of ${words.join(', ')}`);
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badOption(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
