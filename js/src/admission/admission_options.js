/** What an admission handler is made with. */
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
 * Whom is asked: a scheduler that holds the cluster, and that nobody has to run.
 * @typedef {Pick<Scheduler, 'evaluateAsync'>} Cluster
 */

/**
 * Whoever is not asked about. A request is exempt when one of them says so.
 * @typedef {object} Exemptions
 * @property {string[]} [namespaces] by name
 * @property {string | { matchLabels?: Record<string, string>, matchExpressions?: { key: string,
 *   operator: string, values?: string[] }[] }} [labelSelector] of the object's labels, or of those
 *   of its pod template: a `metav1.LabelSelector`, or text such as `tier=batch,!urgent`
 */

/**
 * Objects of the cluster, or a function that returns them, such as a look into the cache of an
 * informer. They are read for each workload, when the cluster is known, and applied to the pods of
 * templates alone: a pod under review has been through the API server's own LimitRanger, Priority
 * and RuntimeClass.
 * @typedef {Iterable<KubernetesObject> | (() => Iterable<KubernetesObject>)} ObjectSource
 */

/**
 * @typedef {object} AdmissionOptions
 * @property {Cluster | (() => Cluster | Promise<Cluster>)} cluster a scheduler that informers feed,
 *   or one that got a snapshot; or who gives one for each request, as soon as it knows the cluster
 * @property {'warn' | 'deny' | 'annotate'} mode
 * @property {'Never' | 'NotNow'} [denyWhen] with `mode: 'deny'`, default `Never`: no node could
 *   take the pod even if no other pod were there; `NotNow`: or none can as things are, and
 *   preemption does not help
 * @property {'Ignore' | 'Fail'} [failurePolicy] of requests that nothing can be said about: they
 *   are allowed (default), or refused
 * @property {number} [timeoutMs] within which there is an answer, default 5,000; the `timeout` of
 *   the request's query may make it less
 * @property {Exemptions} [exempt]
 * @property {number} [maxBodyBytes] default 7 MiB
 * @property {ObjectSource} [priorityClasses] the cluster's: pod templates name theirs
 * @property {ObjectSource} [limitRanges] of all namespaces: containers of templates get their
 *   defaults
 * @property {ObjectSource} [runtimeClasses] pods of templates get the overhead, the node selector
 *   and the tolerations of theirs; where this is absent, what a template says of its class is not
 *   looked at
 * @property {(error: unknown) => void} [onError] gets what kept the handler from an answer, or from
 *   its second warning
 * @property {Clock} [clock] one that goes by itself; default: the host's
 */

const OPTION_NAMES = [
  ...['cluster', 'mode', 'denyWhen', 'failurePolicy', 'timeoutMs', 'exempt', 'maxBodyBytes'],
  ...['priorityClasses', 'limitRanges', 'runtimeClasses', 'onError', 'clock'],
];
const MODES = ['warn', 'deny', 'annotate'];
const DENIED_VERDICTS = ['Never', 'NotNow'];
const FAILURE_POLICIES = ['Ignore', 'Fail'];

/** Half of what the API server waits unless its configuration says otherwise: milliseconds. */
const TIMEOUT = 5_000;

/**
 * Two objects of the 3 MiB that the API server takes, and all that is around them: bytes, as
 * controller-runtime has it.
 */
const BODY_BYTES = 7 * 1024 * 1024;

/**
 * What is as the options say, or else the default.
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
  const { onError = () => {}, clock = systemClock() } = options;
  if (typeof cluster !== 'function' && typeof cluster?.evaluateAsync !== 'function')
    throw badOption('cluster', 'must be a scheduler, or a function that gives one');
  checkWord('mode', mode, MODES);
  checkWord('denyWhen', denyWhen, DENIED_VERDICTS);
  checkWord('failurePolicy', failurePolicy, FAILURE_POLICIES);
  if (!(timeoutMs > 0)) throw badOption('timeoutMs', 'must be more than 0 milliseconds');
  if (!(maxBodyBytes > 0)) throw badOption('maxBodyBytes', 'must be more than 0 bytes');
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
    onError,
    clock,
  };
}

/** @param {Exemptions} exempt */
function exemptions(exempt) {
  if (!isRecord(exempt)) throw badOption('exempt', 'must be an object');
  const { namespaces = [], labelSelector, ...others } = exempt;
  const [unknown] = Object.keys(others);
  if (unknown) throw badOption(`exempt.${unknown}`, 'there are namespaces and labelSelector');
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
 * What the admission of templates reads, as it is at the time of the call.
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
