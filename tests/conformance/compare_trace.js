/**
 * Compares the actions and the state of the engine after a step of a trace with those recorded from
 * kube-scheduler v1.36.2.
 *
 * All of the engine's records are converted into the form of the trace. Events that the trace does
 * not list did not happen, so an additional field is a difference too.
 */
import { firstDifference } from './compare.js';

/**
 * The engine's output in a step.
 *
 * @typedef {object} Said
 * @property {any[]} records  of all turns of the step
 * @property {import('./trace_api.js').Effects} effects
 * @property {boolean} isBindingOpen the binding call of the cycle's pod has no answer yet
 * @property {any} inspection includes the pods of every node
 * @property {number} startUs  virtual time 0
 */

/** The cycle explains the calls, and both explain the state. */
const FIELDS = [
  'cycle',
  'moreCycles',
  'bindingResults',
  'apiWrites',
  'bindings',
  'podUpdates',
  'deletes',
  'events',
  'queues',
  'inFlight',
  'waiting',
  'nominated',
  'assumed',
  'cache',
];
/** The value in place of a cycle if no pod was popped. */
const IDLE = 'idle';
const FAILED = new Set(['unschedulable', 'error']);

/**
 * @param {any} step
 * @param {Said} said
 * @returns {import('./compare.js').Difference | null} the first one
 */
export function compareStep(step, said) {
  return firstDifference(expectedOf(step), actualOf(step, said), FIELDS);
}

/** @param {any} step */
function expectedOf({ op, pod, bind, expect }) {
  const { admissibleNodes, ...cycle } = expect.cycle ?? {};
  const result = bind === 'success' ? 'bound' : 'bindFailed';
  return {
    ...expect,
    cycle: expect.cycle && (cycle.result === IDLE ? IDLE : cycle),
    bindingResults: op === 'bindResult' ? [{ pod, result }] : undefined,
    apiWrites: expect.apiWrites?.map(
      (/** @type {any} */ { responseResourceVersion, ...write }) => write,
    ),
  };
}

/** @param {any} step @param {Said} said */
function actualOf({ op }, { records, effects, isBindingOpen, inspection, startUs }) {
  // A pod that PreEnqueue rejects was not popped.
  const [decision, ...more] = ofKind(records, 'Decision').filter(
    ({ result }) => result !== 'gated',
  );
  const bindings = ofKind(records, 'BindingResult');
  const own = bindings.find((one) => decision && one.decision === decision.seq);
  const cycle = decision && cycleOf(decision, own?.result ?? (isBindingOpen ? 'Bind' : 'PreBind'));
  return {
    cycle: cycle ?? (op === 'cycle' ? IDLE : undefined),
    moreCycles: unlessEmpty(more.map(({ pod }) => pod)),
    bindingResults: unlessEmpty(
      bindings.filter((one) => one !== own).map(({ pod, result }) => ({ pod, result })),
    ),
    apiWrites: unlessEmpty(effects.apiWrites),
    bindings: unlessEmpty(effects.bindings),
    podUpdates: unlessEmpty(effects.podUpdates),
    deletes: unlessEmpty(effects.deletes),
    events: unlessEmpty(ofKind(records, 'Event').map(eventOf)),
    ...stateOf(inspection, startUs),
  };
}

/** @param {any[]} records @param {string} wanted */
function ofKind(records, wanted) {
  return records.filter(({ kind }) => kind === wanted);
}

/**
 * @param {any} decision
 * @param {string} binding the outcome, or the phase in which it waits
 */
function cycleOf(decision, binding) {
  const { pod, uid, attempts, poppedFrom, result } = decision;
  const cycle = { pod, uid, attempts, poppedFrom };
  if (FAILED.has(result)) return defined({ ...cycle, result, ...failureOf(decision) });
  if (result !== 'scheduled') return defined({ ...cycle, result });
  const isOver = binding === 'bound' || binding === 'bindFailed';
  return defined({
    ...cycle,
    result: binding === 'bindFailed' ? binding : result,
    bindPhase: isOver ? undefined : binding,
    node: decision.node,
    nodeHint: decision.hint || undefined,
    evaluatedNodes: decision.evaluatedNodes,
    feasibleNodes: decision.feasible?.length ?? decision.feasibleNodes,
    message: decision.message || undefined,
  });
}

/** @param {any} decision */
function failureOf(decision) {
  const { message, nominatingMode, nominatedNodeName } = decision;
  return {
    message,
    unschedulablePlugins: unlessEmpty(sorted(decision.unschedulablePlugins)),
    pendingPlugins: unlessEmpty(sorted(decision.pendingPlugins)),
    nominatedNode: nominatingMode === 'Override' ? nominatedNodeName : undefined,
  };
}

/** @param {any} record */
function eventOf({ type, reason, action, note, pod, related }) {
  return defined({ type, reason, action, message: note, pod, related: related || undefined });
}

/** @param {any} inspection @param {number} startUs */
function stateOf({ queues, inFlight, nominated, assumed, waiting, cache }, startUs) {
  /** @type {[string, string][]} */
  const nominations = (nominated ?? []).map((/** @type {any} */ { pod, node }) => [pod, node]);
  return {
    queues: {
      active: queues.active,
      backoff: queues.backoff.map((/** @type {any} */ { pod, expiresAt, error }) =>
        defined({ pod, expiresAtMs: (microsOf(expiresAt) - startUs) / 1000, error }),
      ),
      unschedulable: queues.unschedulable.map(rejectedOf),
    },
    inFlight: unlessEmpty(inFlight),
    waiting: unlessEmpty(waiting),
    nominated: unlessEmpty(Object.fromEntries(nominations)),
    assumed,
    cache: defined({ nodes: cache.nodes, ghostNodes: unlessEmpty(cache.ghostNodes) }),
  };
}

/** @param {any} entry  of the pool */
function rejectedOf({ pod, unschedulablePlugins, pendingPlugins, gated = false, gatingPlugin }) {
  return defined({
    pod,
    plugins: sorted(unschedulablePlugins) ?? [],
    pendingPlugins: unlessEmpty(sorted(pendingPlugins)),
    gated,
    gatingPlugin: gatingPlugin || undefined,
  });
}

/** Converts Kubernetes' MicroTime to microseconds since the epoch. @param {string} text */
function microsOf(text) {
  const [, seconds, fraction = ''] = /^(.+?)(?:\.(\d{1,6}))?Z$/.exec(text) ?? [];
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
}

/** @param {string[] | undefined} list */
function sorted(list) {
  return list && [...list].sort();
}

/** @template T @param {T} value  a list or a map @returns {T | undefined} */
function unlessEmpty(value) {
  return Object.keys(value ?? {}).length > 0 ? value : undefined;
}

/** @param {Record<string, unknown>} object */
function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
