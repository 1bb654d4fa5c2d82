/**
 * The API server of a trace: it gives the prescribed answers at the steps at which they come, and
 * records the requests.
 */
import { completionOf, failure, success, writeOf } from '../support/api_calls.js';
import { podName } from './cluster.js';

/** @typedef {import('../support/api_calls.js').ApiAnswer} ApiAnswer */
/** @typedef {import('../support/api_calls.js').ApiCall} ApiCall */
/** @typedef {import('../support/api_calls.js').ApiWrite} ApiWrite */

/**
 * The requests of a step, in order, in the form of a trace.
 *
 * @typedef {object} Effects
 * @property {any[]} bindings
 * @property {any[]} podUpdates
 * @property {string[]} deletes
 * @property {any[]} apiWrites
 */

const EVICTION_ERROR = {
  code: 500,
  reason: 'InternalError',
  message: 'Internal error occurred: eviction failed',
};
const BOUND_CONDITION = { type: 'PodScheduled', status: 'True' };
const BINDS = new Set(['success', 'timeout']);
/** The writes of kinds other than pods that traces contain. */
const RECORDED = new Set(['create', 'update']);
const TIMES = new Set(['lastProbeTime', 'lastTransitionTime', 'lastUpdateTime']);

export class TraceApi {
  /** @type {any} */
  #step;
  /** @type {Effects} */
  #effects = noEffects();
  /** Bindings of earlier cycles that stay open: "namespace/name uid". */
  #pending = new Set();
  /** @type {Map<string, ApiCall>} */
  #openBindings = new Map();
  /** @type {ApiCall[]} */
  #heldEvictions = [];
  /** The last write of a PreBind plugin before it waits: "namespace/name uid" of the pod. */
  #heldWrites = /** @type {Map<string, object>} */ (new Map());
  /** The conditions of pods as last seen through the watch. @type {Map<string, any[]>} */
  #conditions = new Map();
  /** Pods that were bound since they were last seen. */
  #bound = new Set();

  /** @param {any} step */
  begin(step) {
    this.#step = step;
    this.#effects = noEffects();
    if (step.op === 'event' && step.object.kind === 'Pod') this.#see(step);
    if (step.op === 'cycle' && step.bind === 'pending') this.#pending.add(keyOf(step.expect.cycle));
    if (step.op === 'bindResult') this.#pending.delete(keyOf(step));
  }

  /** Completions of calls of earlier steps that this step answers. @returns {object[]} */
  release() {
    const { op } = this.#step;
    /** @type {ApiCall[]} */
    let calls = [];
    if (op === 'bindResult') {
      const binding = this.#openBindings.get(keyOf(this.#step));
      this.#openBindings.delete(keyOf(this.#step));
      calls = binding ? [binding] : [];
    } else if (op === 'evictions') {
      calls = this.#heldEvictions;
      this.#heldEvictions = [];
    }
    return this.answer(calls);
  }

  /**
   * The answer to the last write of a PreBind plugin whose wait ends with this step. The plugin
   * checks as soon as its sleep after that write has ended.
   * @returns {object[]} completions
   */
  releaseWrite() {
    if (this.#step.op !== 'bindResult') return [];
    const key = keyOf(this.#step);
    const held = this.#heldWrites.get(key);
    this.#heldWrites.delete(key);
    return held ? [held] : [];
  }

  /** @param {ApiCall[]} calls @returns {object[]} completions of the answered calls */
  answer(calls) {
    return calls.flatMap((call) => {
      const answer = this.#answerTo(call, writeOf(call));
      return answer ? [completionOf(call, answer)] : [];
    });
  }

  get effects() {
    return this.#effects;
  }

  /** Whether a binding call of the pod has no answer yet. @param {any} pod */
  hasOpenBinding(pod) {
    return this.#openBindings.has(keyOf(pod));
  }

  /** @param {any} step */
  #see({ type, object }) {
    const pod = podName(object);
    this.#bound.delete(pod);
    if (type === 'DELETED') this.#conditions.delete(pod);
    else this.#conditions.set(pod, object.status?.conditions ?? []);
  }

  /**
   * @param {ApiCall} call @param {ApiWrite} write
   * @returns {ApiAnswer | null} null: not now
   */
  #answerTo(call, write) {
    if (this.#isHeld(write)) {
      this.#heldEvictions.push(call);
      return null;
    }
    switch (write.kind) {
      case 'event':
        return success(call);
      case 'binding':
        return this.#bind(call, write);
      case 'status':
        return this.#patch(call, write);
      case 'delete':
        this.#effects.deletes.push(write.pod);
        return this.#step.evictions === 'error' ? failure(EVICTION_ERROR) : success(call);
      default:
        return this.#write(call, write);
    }
  }

  /** The whole preemption waits, from its first call on. @param {ApiWrite} write */
  #isHeld({ kind, pod }) {
    const { op, evictions, expect } = this.#step;
    if (op !== 'cycle' || evictions !== 'hold') return false;
    return kind === 'delete' || (kind === 'status' && pod !== expect.cycle.pod);
  }

  /** @param {ApiCall} call @param {ApiWrite} write */
  #bind(call, { pod, body }) {
    const key = keyOf({ pod, uid: body.metadata?.uid });
    if (this.#pending.has(key)) {
      this.#openBindings.set(key, call);
      return null;
    }
    const { bind, bindError } = this.#step;
    this.#effects.bindings.push({ pod, node: body.target?.name });
    if (BINDS.has(bind)) this.#bound.add(pod);
    return bindError ? failure(bindError) : success(call);
  }

  /** @param {ApiCall} call @param {ApiWrite} write */
  #patch(call, { pod, body }) {
    const { podUpdates } = this.#effects;
    const expected = this.#step.expect.podUpdates?.[podUpdates.length];
    const isMissing = expected?.pod === pod && expected.error === 'NotFound';
    const error = isMissing ? { error: 'NotFound' } : {};
    podUpdates.push({ pod, ...this.#changeOf(pod, body.status ?? {}), ...error });
    if (!isMissing) return this.#unlessLastBeforeWait(call, success(call));
    const [, name] = pod.split('/');
    return failure({ code: 404, reason: 'NotFound', message: `pods "${name}" not found` });
  }

  /** @param {string} pod @param {any} status  of a patch */
  #changeOf(pod, { conditions = [], nominatedNodeName, ...status }) {
    const { '$setElementOrder/conditions': _, ...otherStatus } = status;
    const [condition, ...more] = conditions.map((/** @type {any} */ change) =>
      this.#conditionAfter(pod, change),
    );
    return {
      ...(condition && { condition }),
      ...(more.length > 0 && { moreConditions: more }),
      ...(nominatedNodeName !== undefined && { nominatedNodeName: nominatedNodeName ?? '' }),
      ...(Object.keys(otherStatus).length > 0 && { otherStatus }),
    };
  }

  /**
   * A patch contains the difference to the pod as last seen; traces contain the resulting condition
   * on the server. If the pod was bound meanwhile, its condition there is another one than was
   * seen.
   * @param {string} pod @param {any} change
   */
  #conditionAfter(pod, change) {
    const isBinding = this.#bound.has(pod) && change.type === BOUND_CONDITION.type;
    const seen = this.#conditions.get(pod)?.find(({ type }) => type === change.type);
    const after = { ...(isBinding ? BOUND_CONDITION : seen), ...change };
    return Object.fromEntries(
      Object.entries(after).filter(([field, value]) => !TIMES.has(field) && value !== null),
    );
  }

  /** @param {ApiCall} call @param {ApiWrite} write */
  #write(call, { verb, subresource, body }) {
    if (!RECORDED.has(verb)) return success(call);
    const { apiWrites } = this.#effects;
    const expected = this.#step.expect.apiWrites?.[apiWrites.length];
    const object = verb === 'create' ? withServersName(body, expected?.object) : body;
    apiWrites.push({
      verb: subresource ? `${verb}/${subresource}` : verb,
      kind: object?.kind,
      object,
    });
    const { responseResourceVersion: resourceVersion } = expected ?? {};
    const metadata = { ...object?.metadata, ...(resourceVersion && { resourceVersion }) };
    return this.#unlessLastBeforeWait(call, { ...success(call), body: { ...object, metadata } });
  }

  /**
   * Holds back the answer to the last write before a PreBind plugin waits.
   * @param {ApiCall} call @param {ApiAnswer} answer
   */
  #unlessLastBeforeWait(call, answer) {
    if (!this.#isLastBeforeWait(call)) return answer;
    this.#heldWrites.set(keyOf(this.#step.expect.cycle), completionOf(call, answer));
    return null;
  }

  /** @param {ApiCall} call already among the effects */
  #isLastBeforeWait({ pod }) {
    const { op, bind, expect } = this.#step;
    const isWait = op === 'cycle' && bind === 'pending' && expect.cycle.bindPhase === 'PreBind';
    if (!isWait || pod !== expect.cycle.pod) return false;
    const { apiWrites, podUpdates } = this.#effects;
    const { apiWrites: writes = [], podUpdates: patches = [] } = expect;
    if (writes.length === 0) return false;
    return apiWrites.length === writes.length && podUpdates.length === patches.length;
  }
}

/** @returns {Effects} */
function noEffects() {
  return { bindings: [], podUpdates: [], deletes: [], apiWrites: [] };
}

/** @param {{pod: string, uid: string}} pod */
function keyOf({ pod, uid }) {
  return `${pod} ${uid}`;
}

/**
 * The server assigns a new object's uid and, with `generateName`, its name.
 * @param {any} object @param {any} expected
 */
function withServersName(object, expected) {
  const { generateName, name = generateName && `${generateName}x1` } = object?.metadata ?? {};
  const { uid } = expected?.metadata ?? {};
  const given = { ...(name && { name }), ...(uid && { uid }) };
  return { ...object, metadata: { ...object?.metadata, ...given } };
}
