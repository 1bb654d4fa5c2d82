/** Answers the admission requests of an API server before it stores an object. */
import { ApiError } from '../kubernetes/api_error.js';
import { FOR_THE_NEAREST, nearestNode } from '../engine/culprits.js';
import { evaluatedInTurn } from '../engine/evaluate_all.js';
import { failure } from '../kubernetes/status_errors.js';
import { InputError, StowageError } from '../kubernetes/errors.js';
import { stepsWithin } from '../engine/evaluation_steps.js';
import { inTime } from '../io/in_time.js';
import { admissionSettings } from './admission_options.js';
import { groupHint } from './group.js';
import { questionOf } from './question.js';
import { checkHead, readReview, timeOf } from './review_request.js';
import { failureAnswer, passedAnswer, reviewResponse, verdictAnswer } from './review_response.js';
import { refusedVerdict, verdictOf } from './verdict.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Evaluation } from '../engine/types.js'
 * @import { AdmissionOptions, AdmissionSettings, Cluster } from './admission_options.js'
 * @import { PassedBy, Question } from './question.js'
 * @import { AdmissionRequest } from './review_request.js'
 * @import { Answer } from './review_response.js'
 * @import { Verdict } from './verdict.js'
 */

/**
 * @typedef {object} AdmissionHandler
 * @property {(request: Request) => Promise<Response>} fetch answers an AdmissionReview v1; rejects
 *   only with exceptions of `onError`
 */

/**
 * The time limit of an answer; its signal aborts after it.
 * @typedef {{ signal: AbortSignal, msLeft: () => number }} Bounds
 */

/** The evaluation options for one pod: the answer's size does not depend on the cluster's. */
const OF_THE_WHOLE = Object.freeze({ detail: 'summary', classify: true });

/** The evaluation options for a pod that has to run on every node. */
const OF_EACH_NODE = Object.freeze({ everyNode: true, classify: true });

/** The maximum number of a workload's pods that are evaluated. */
const MOST_PODS = 500;

/** From the best to the worst. */
const RANKS = ['Now', 'WithPreemption', 'NotNow', 'Never'];
const FITS_NOWHERE = RANKS.indexOf('NotNow');

/**
 * Creates a webhook for new pods and workloads. It evaluates the pod, or those of the template, and
 * warns, denies, or annotates. The evaluated cluster does not change.
 * @param {AdmissionOptions} options
 * @returns {AdmissionHandler}
 * @throws {import('../kubernetes/errors.js').ConfigurationError} if an option is invalid
 */
export function createAdmissionHandler(options) {
  const settings = admissionSettings(options);
  return {
    async fetch(request) {
      try {
        return await respond(request, settings);
      } catch (cause) {
        if (!(cause instanceof ApiError)) settings.onError(cause);
        return refusal(cause);
      }
    },
  };
}

/**
 * @param {Request} request
 * @param {AdmissionSettings} settings
 * @throws {ApiError} if the body is not an AdmissionReview
 */
async function respond(request, settings) {
  const { clock, timeoutMs, maxBodyBytes } = settings;
  checkHead(request);
  const bounds = { clock, until: clock.now() + timeOf(request, timeoutMs), signal: request.signal };
  const review = await inTime(bounds, (end) => readReview(request, maxBodyBytes, end)).catch(
    (cause) => {
      if (cause instanceof ApiError) throw cause;
      throw failure(408, 'Timeout', 'the body of the request did not come in time');
    },
  );
  try {
    const msLeft = () => bounds.until - clock.now();
    const answer = await inTime(bounds, (signal) => answerTo(review, settings, { signal, msLeft }));
    return reviewResponse(review, answer);
  } catch (cause) {
    settings.onError(cause);
    const isLate = clock.now() >= bounds.until;
    return reviewResponse(review, failureAnswer(review, cause, isLate, settings));
  }
}

/**
 * @param {AdmissionRequest} request
 * @param {AdmissionSettings} settings
 * @param {Bounds} bounds
 * @returns {Promise<Answer>}
 */
async function answerTo(request, settings, bounds) {
  const question = questionOf(request, settings);
  if (!('makePods' in question)) return passedAnswer(question, settings);
  const verdict = await ask(question, settings, bounds);
  return 'fits' in verdict
    ? verdictAnswer(request, question, verdict, settings)
    : passedAnswer(verdict, settings);
}

/**
 * @param {Question} question
 * @param {AdmissionSettings} settings
 * @param {Bounds} bounds
 */
async function ask(question, settings, bounds) {
  const { signal } = bounds;
  const cluster = await settings.findCluster();
  signal.throwIfAborted();
  if (!cluster) throw new StowageError('NoCluster', 'there is no cluster to evaluate in yet');
  const pods = podsOf(question, cluster.fork ? MOST_PODS : 1);
  if (pods instanceof ApiError) return refusedVerdict(question, pods);
  try {
    const { verdict, index } = await worstOf(question, pods, { cluster, bounds });
    const parts = { cluster, settings, bounds };
    // A pod that waits for others of its gang is held back, and may be the last of them.
    const group = question.isDaemonSet ? undefined : await groupHint(pods, parts);
    const isAlone = index > 0 || !wantsNearest(question, verdict, settings);
    const nearest = isAlone ? undefined : await nearestOf(pods[0], parts);
    return { ...verdict, ...(nearest && { nearest }), ...(group && { group }) };
  } catch (cause) {
    const isOthers = cause instanceof InputError && cause.field === 'spec.schedulerName';
    if (!isOthers) throw cause;
    return /** @type {PassedBy} */ ({ skipped: cause.detail ?? cause.message });
  }
}

/**
 * Returns the verdict for the pod that fits worst, the first of those. The pods are evaluated
 * jointly, up to the first that fits nowhere, and while half of the time is left.
 * @param {Question} question
 * @param {KubernetesObject[]} pods
 * @param {{ cluster: Cluster, bounds: Bounds }} parts
 * @returns {Promise<{ verdict: Verdict | PassedBy, index: number }>}
 */
async function worstOf(question, pods, { cluster, bounds: { signal, msLeft } }) {
  const asked = question.isDaemonSet ? OF_EACH_NODE : OF_THE_WHOLE;
  const optionsNow = () => ({ ...asked, maxSteps: stepsWithin(msLeft()), signal });
  const untilThen = msLeft() / 2;
  /** @type {{ verdict: Verdict | PassedBy, index: number } | undefined} */
  let worst;
  let index = 0;
  for await (const evaluation of evaluationsIn(cluster, pods, optionsNow)) {
    const subject = question.subjectAt?.(index) ?? question.subject;
    const verdict = verdictOf({ ...question, subject }, evaluation);
    if (!worst || rankOf(verdict) > rankOf(worst.verdict)) worst = { verdict, index };
    if (rankOf(verdict) >= FITS_NOWHERE || msLeft() < untilThen) break;
    index += 1;
  }
  if (!worst) throw new StowageError('NoPods', 'there is no pod to evaluate');
  return worst;
}

/**
 * @param {Cluster} cluster
 * @param {KubernetesObject[]} pods
 * @param {() => import('../engine/types.js').EvaluateOptions & { signal: AbortSignal }} optionsNow
 * @returns {AsyncIterable<Evaluation>}
 */
async function* evaluationsIn(cluster, pods, optionsNow) {
  const fork = pods.length > 1 ? forkOf(cluster) : undefined;
  if (fork) yield* evaluatedInTurn(fork, pods, optionsNow);
  else yield await cluster.evaluateAsync(pods[0], optionsNow());
}

/**
 * @param {Cluster} cluster
 * @returns {Scheduler | undefined} undefined while it cannot be forked
 */
function forkOf(cluster) {
  try {
    return cluster.fork?.();
  } catch (error) {
    if (error instanceof StowageError && error.code === 'CycleInProgress') return undefined;
    throw error;
  }
}

/** @param {Verdict | PassedBy} verdict */
function rankOf(verdict) {
  return 'fits' in verdict ? RANKS.indexOf(verdict.fits) : RANKS.length;
}

/**
 * Whether the answer needs a second warning about the nearest node: if no node takes the pod. For
 * DaemonSets the first warning counts the nodes already.
 * @param {Question} question
 * @param {Verdict | PassedBy} verdict
 * @param {AdmissionSettings} settings
 */
function wantsNearest({ isDaemonSet = false }, verdict, { mode }) {
  const fitsNowhere = 'fits' in verdict && (verdict.fits === 'NotNow' || verdict.fits === 'Never');
  return fitsNowhere && !isDaemonSet && mode !== 'annotate';
}

/**
 * Returns a hint that the answer does not depend on, in half of the remaining time.
 * @param {KubernetesObject} pod
 * @param {{ cluster: Cluster, settings: AdmissionSettings, bounds: Bounds }} parts
 * @returns {Promise<string | undefined>}
 */
async function nearestOf(pod, { cluster, settings: { clock, onError }, bounds }) {
  const time = bounds.msLeft() / 2;
  const maxSteps = stepsWithin(time);
  try {
    const within = { clock, until: clock.now() + time, signal: bounds.signal };
    return await inTime(within, async (signal) =>
      nearestNode(await cluster.evaluateAsync(pod, { ...FOR_THE_NEAREST, maxSteps, signal })),
    );
  } catch (cause) {
    bounds.signal.throwIfAborted();
    onError(cause);
    return undefined;
  }
}

/**
 * Returns the pods to evaluate, or the reason why admission would refuse them.
 * @param {Question} question
 * @param {number} most
 */
function podsOf({ makePods }, most) {
  try {
    return makePods(most);
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'Forbidden') return cause;
    throw cause;
  }
}

/**
 * Answers a request that no AdmissionReview can answer with a Status: the API server then applies
 * its failure policy.
 * @param {unknown} cause
 */
function refusal(cause) {
  const error = cause instanceof ApiError ? cause : failure(500, 'InternalError', String(cause));
  const headers = error.status === 405 ? { Allow: 'POST' } : undefined;
  return Response.json(error.toStatus(), { status: error.status, headers });
}
