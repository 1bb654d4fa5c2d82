/**
 * The golden trace format: the fields of a file. An unknown field fails the case, because the
 * comparator would ignore it.
 */
import { checkHeader, FAMILIES, familyOfTraces, FormatError, onlyKnown } from './format.js';

const HEADER = new Set([
  'formatVersion',
  'name',
  'family',
  'description',
  'kubernetesVersion',
  'featureGates',
  'configuration',
  'needs',
  'startTime',
  'steps',
]);
const REQUIRED = ['formatVersion', 'name', 'family', 'configuration', 'startTime', 'steps'];
/** Plugins without which a trace fails; all of them exist here. */
const NEEDS = new Set(['volumes', 'dra']);

const EVERY_STEP = ['atMs', 'op', 'note', 'expect'];
/** @type {Record<string, Set<string>>} */
const STEPS = {
  event: new Set([...EVERY_STEP, 'type', 'object']),
  advance: new Set([...EVERY_STEP, 'ms']),
  cycle: new Set([...EVERY_STEP, 'bind', 'bindError', 'evictions']),
  bindResult: new Set([...EVERY_STEP, 'pod', 'uid', 'bind', 'bindError']),
  evictions: new Set([...EVERY_STEP, 'evictions']),
};
/** The values that a step's own fields may have. @type {Record<string, Set<string>>} */
const VALUES = {
  type: new Set(['ADDED', 'MODIFIED', 'DELETED']),
  bind: new Set(['success', 'conflict', 'error', 'timeout', 'pending', 'notCalled']),
  evictions: new Set(['success', 'error', 'hold']),
};
const REQUIRED_STATE = ['queues', 'assumed', 'cache'];
const EXPECT = new Set([
  ...REQUIRED_STATE,
  'cycle',
  'inFlight',
  'nominated',
  'bindings',
  'podUpdates',
  'events',
  'deletes',
  'apiWrites',
]);
const CYCLE = new Set([
  'result',
  'pod',
  'uid',
  'attempts',
  'poppedFrom',
  'node',
  'admissibleNodes',
  'nodeHint',
  'evaluatedNodes',
  'feasibleNodes',
  'bindPhase',
  'message',
  'unschedulablePlugins',
  'pendingPlugins',
  'nominatedNode',
]);
const QUEUES = new Set(['active', 'backoff', 'unschedulable']);
const BACKOFF = new Set(['pod', 'expiresAtMs', 'error']);
const UNSCHEDULABLE = new Set(['pod', 'plugins', 'pendingPlugins', 'gated', 'gatingPlugin']);
const CACHE = new Set(['nodes', 'ghostNodes']);
/** @type {Record<string, Set<string>>} */
const SENT = {
  bindings: new Set(['pod', 'node']),
  podUpdates: new Set(['pod', 'condition', 'nominatedNodeName', 'otherStatus', 'error']),
  events: new Set(['type', 'reason', 'action', 'message', 'pod', 'related']),
  apiWrites: new Set(['verb', 'kind', 'object', 'responseResourceVersion']),
};
/** The one error with which a status patch is answered. */
const PATCH_ERROR = 'NotFound';

/**
 * Throws a `FormatError` for the first part of a trace that is not understood.
 * @param {any} file
 */
export function checkTraceFile(file) {
  checkHeader(file, { known: HEADER, required: REQUIRED });
  if (!FAMILIES.has(familyOfTraces(file.family))) {
    throw new FormatError(`unknown family ${file.family}`);
  }
  for (const need of file.needs ?? []) {
    if (!NEEDS.has(need)) throw new FormatError(`header: unknown need ${need}`);
  }
  if (Number.isNaN(Date.parse(file.startTime))) {
    throw new FormatError(`header: startTime ${file.startTime}`);
  }
  let atMs = -1;
  for (const [at, step] of file.steps.entries()) {
    const where = `step ${at + 1}`;
    checkStep(step, where);
    if (!(step.atMs > atMs)) throw new FormatError(`${where}: atMs ${step.atMs} after ${atMs}`);
    atMs = step.atMs;
  }
}

/** @param {any} step @param {string} where */
function checkStep(step, where) {
  const known = STEPS[step.op];
  if (!known) throw new FormatError(`${where}: unknown op ${step.op}`);
  onlyKnown(step, known, where);
  for (const [field, values] of Object.entries(VALUES)) {
    if (field in step && !values.has(step[field])) {
      throw new FormatError(`${where}: unknown ${field} ${step[field]}`);
    }
  }
  if (step.op === 'event' && !step.object?.metadata) {
    throw new FormatError(`${where}: object is missing`);
  }
  checkExpect(step, where);
}

/** @param {any} step @param {string} where */
function checkExpect({ op, expect }, where) {
  onlyKnown(expect, EXPECT, `${where}.expect`);
  for (const field of REQUIRED_STATE) {
    if (!expect?.[field]) throw new FormatError(`${where}.expect: ${field} is missing`);
  }
  if ((op === 'cycle') !== 'cycle' in expect) throw new FormatError(`${where}.expect: cycle`);
  onlyKnown(expect.cycle, CYCLE, `${where}.expect.cycle`);
  onlyKnown(expect.cache, CACHE, `${where}.expect.cache`);
  const { queues } = expect;
  onlyKnown(queues, QUEUES, `${where}.expect.queues`);
  for (const entry of queues.backoff) onlyKnown(entry, BACKOFF, `${where}.expect.backoff`);
  for (const entry of queues.unschedulable) {
    onlyKnown(entry, UNSCHEDULABLE, `${where}.expect.unschedulable`);
  }
  for (const [field, known] of Object.entries(SENT)) {
    for (const one of expect[field] ?? []) onlyKnown(one, known, `${where}.expect.${field}`);
  }
  for (const { error = PATCH_ERROR } of expect.podUpdates ?? []) {
    if (error !== PATCH_ERROR) throw new FormatError(`${where}.expect: unknown error ${error}`);
  }
}
