/**
 * Compares the engine's decisions with those recorded from kube-scheduler v1.36.2.
 *
 * Both sides are normalized: lists without a defined order are sorted, arrays parallel to
 * `feasible` become maps by node, refusal groups become one entry per node, and an empty field
 * counts as absent. Any remaining difference is an error.
 */
import { isDeepStrictEqual } from 'node:util';

/**
 * @typedef {object} Difference
 * @property {string} path      the field, down to the node or plugin
 * @property {unknown} expected
 * @property {unknown} actual
 */

/** In the order in which a cycle produces the fields: the first difference explains the others. */
const PIPELINE = [
  'result',
  'plugin',
  'preFilter',
  'preFilterResult',
  'absent',
  'hint',
  'filter',
  'feasible',
  'evaluatedNodes',
  'unschedulablePlugins',
  'pendingPlugins',
  'rawScores',
  'scores',
  'total',
  'best',
  'node',
  'preemption',
  'clearedNominations',
  'volumes',
  'claims',
  'phase',
  'message',
];
/** The fields of a record with detail `summary`, as the engine writes them at full speed. */
const SUMMARY = [
  'result',
  'plugin',
  'evaluatedNodes',
  'unschedulablePlugins',
  'node',
  'preemption',
  'clearedNominations',
  'volumes',
  'claims',
  'message',
];
/** The fields that count where the rest depends on timing, or is not recorded. */
const OUTCOME = ['result', 'message'];
const NO_NODES = 'no nodes available to schedule pods';

/**
 * @param {any} expect  `expect` of a step
 * @param {any} record  the engine's Decision
 * @param {{tieBreak?: string, detail?: string}} [options]  tieBreak `name`: the node is exact;
 *   otherwise one of `best`. detail: the record's
 * @returns {Difference | null}  the first one
 */
export function compareDecision(expect, record, { tieBreak = 'name', detail = 'nodes' } = {}) {
  const expected = normalOfExpect(expect);
  const actual = normalOfDecision(record);
  if (tieBreak !== 'name') allowBestNode(expected, actual);
  if (expected.evaluatedNodes === undefined && actual.evaluatedNodes === 0) {
    delete actual.evaluatedNodes;
  }
  allowAdmissibleNode(expected.preemption, actual.preemption);
  const outcomeOnly = expect.result === 'error' || expect.message === NO_NODES;
  if (outcomeOnly) return firstDifference(expected, actual, OUTCOME);
  if (detail === 'nodes') return firstDifference(expected, actual, PIPELINE);
  return firstDifference(summaryOf(expected), summaryOf(actual), SUMMARY);
}

/** Removes the fields that only explanations have. @param {Record<string, any>} decision */
function summaryOf(decision) {
  const { unschedulablePlugins, preemption, ...rest } = decision;
  if (decision.result !== 'unschedulable') return rest;
  const { candidates, rejected, admissibleNodes, ...effects } = preemption ?? {};
  return { ...rest, unschedulablePlugins, preemption: effects };
}

/**
 * @param {any} line a line of a replay
 * @param {any} record  the engine's Decision
 * @param {{detail?: string}} [options]  the record's detail; `summary` has no `best` and `ties`
 * @returns {Difference | null}
 */
export function compareReplay(line, record, { detail = 'nodes' } = {}) {
  const expected = { ...line };
  delete expected.pod;
  if (detail === 'summary') {
    delete expected.best;
    delete expected.ties;
  }
  const scored = record.total?.length > 0;
  const actual = dropEmpty({
    node: record.node,
    feasible: record.feasible?.length ?? record.feasibleNodes,
    evaluated: record.evaluatedNodes,
    best: scored ? Math.max(...record.total) : undefined,
    ties: scored ? record.best?.length : undefined,
    message: filterPart(record),
  });
  actual.node ??= null;
  if (line.node === null) {
    delete actual.evaluated;
    if (actual.feasible === 0) delete actual.feasible;
  }
  const fields = ['node', 'feasible', 'evaluated', 'best', 'ties', 'message'];
  return firstDifference(expected, actual, fields);
}

/** The FitError text without the post-filter plugins' message. @param {any} record */
function filterPart({ message, preemption }) {
  const tail = preemption?.message ? ` ${preemption.message}` : '';
  return tail && message.endsWith(tail) ? message.slice(0, -tail.length) : message;
}

/** @param {any} expect */
function normalOfExpect(expect) {
  const decision = { ...expect };
  // Instructions for the cluster after the step, not answers of the engine.
  for (const field of ['startTime', 'deletedPods', 'terminatingPods', 'after']) {
    delete decision[field];
  }
  return normalOfDecision(decision);
}

/** @param {any} decision @returns {Record<string, any>} */
function normalOfDecision(decision) {
  const { feasible } = decision;
  return dropEmpty({
    ...decision,
    preFilter: refusalOf(decision.preFilter),
    preFilterResult: sorted(decision.preFilterResult),
    absent: decision.absent && refusalOf(decision.absent),
    filter: refusalsByNode(decision.filter),
    feasible: sorted(feasible),
    unschedulablePlugins: sorted(decision.unschedulablePlugins),
    pendingPlugins: sorted(decision.pendingPlugins),
    rawScores: scoresByPlugin(decision.rawScores, feasible),
    scores: scoresByPlugin(decision.scores, feasible),
    total: scoresByNode(decision.total, feasible),
    best: sorted(decision.best),
    preemption: preemptionOf(decision.preemption),
    clearedNominations: sorted(decision.clearedNominations),
    claims: claimsOf(decision.claims),
  });
}

/**
 * The names that the API server makes up end in a number in the recordings and are unknown to the
 * engine; share IDs are random. Both are compared up to renaming.
 * @param {Record<string, any> | undefined} claims  allocations by claim
 */
function claimsOf(claims) {
  if (!claims) return undefined;
  /** @type {Map<string, number>} */
  const shares = new Map();
  const entries = Object.entries(claims).map(([name, allocation]) => [
    name.replace(/-extended-resources-(gen\d+)?$/, '-extended-resources'),
    allocation,
  ]);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const json = JSON.stringify(Object.fromEntries(entries), (key, value) => {
    if (key !== 'shareID') return value;
    if (!shares.has(value)) shares.set(value, shares.size);
    return shares.get(value);
  });
  return JSON.parse(json);
}

/** @param {any} preemption */
function preemptionOf(preemption) {
  if (!preemption) return undefined;
  const { candidates = [], rejected = {} } = preemption;
  const { message = '', nominatedNode = null } = preemption;
  const refusals = Object.entries(rejected);
  const lists = dropEmpty({
    nomination: preemption.nomination,
    victims: preemption.victims,
    admissibleNodes: sorted(preemption.admissibleNodes),
    candidates: byNode(candidates.map((/** @type {any} */ { node, ...rest }) => [node, rest])),
    rejected: byNode(refusals.map(([node, refusal]) => [node, refusalOf(refusal)])),
  });
  return { message, nominatedNode: nominatedNode || null, ...lists };
}

/**
 * Any node of `best` is accepted; another one has its own volumes and devices.
 * @param {any} expected @param {any} actual
 */
function allowBestNode(expected, actual) {
  if (!expected.best?.includes(actual.node) || expected.node === actual.node) return;
  expected.node = actual.node;
  expected.volumes = actual.volumes;
  expected.claims = actual.claims;
}

/**
 * Any of `admissibleNodes` is accepted for preemption; another one has its own victims.
 * @param {any} expected @param {any} actual
 */
function allowAdmissibleNode(expected, actual) {
  const node = actual?.nominatedNode;
  if (!expected?.admissibleNodes?.includes(node)) return;
  expected.nominatedNode = node;
  expected.victims = expected.candidates[node].victims;
}

/** @param {any} refusal */
function refusalOf(refusal) {
  return refusal && { ...refusal, reasons: sorted(refusal.reasons) };
}

/** @param {any[] | undefined} groups */
function refusalsByNode(groups) {
  return byNode(
    (groups ?? []).flatMap(({ nodes, ...refusal }) =>
      nodes.map((/** @type {string} */ node) => [node, refusalOf(refusal)]),
    ),
  );
}

/** @param {Record<string, number[]> | undefined} scores @param {string[]} feasible */
function scoresByPlugin(scores, feasible) {
  return (
    scores &&
    Object.fromEntries(
      Object.entries(scores).map(([plugin, column]) => [plugin, scoresByNode(column, feasible)]),
    )
  );
}

/** @param {number[] | undefined} column @param {string[]} feasible */
function scoresByNode(column, feasible = []) {
  if (column?.length !== feasible.length) return column;
  return byNode(column.map((score, at) => [feasible[at], score]));
}

/**
 * A node that appears twice keeps both entries, so that it differs from one that appears once.
 * @param {any[][]} entries
 */
function byNode(entries) {
  /** @type {Record<string, any>} */
  const map = {};
  for (const [node, value] of entries) map[node] = node in map ? [map[node], value] : value;
  return map;
}

/** @param {Record<string, any>} object */
function dropEmpty(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

/** @param {any} value */
function isEmpty(value) {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** @param {string[] | undefined} list */
function sorted(list) {
  return list && [...list].sort();
}

/**
 * @param {Record<string, any>} expected @param {Record<string, any>} actual
 * @param {string[]} fields  in this order
 * @returns {Difference | null}
 */
export function firstDifference(expected, actual, fields) {
  for (const field of fields) {
    const difference = differenceOf(expected[field], actual[field], field);
    if (difference) return difference;
  }
  return null;
}

/**
 * @param {any} expected @param {any} actual @param {string} path
 * @returns {Difference | null}
 */
function differenceOf(expected, actual, path) {
  if (isDeepStrictEqual(expected, actual)) return null;
  if (isListOfMaps(expected) && isListOfMaps(actual) && expected.length === actual.length) {
    const at = expected.findIndex(
      (/** @type {any} */ one, /** @type {number} */ index) =>
        !isDeepStrictEqual(one, actual[index]),
    );
    return differenceOf(expected[at], actual[at], `${path}[${at}]`);
  }
  if (!isMap(expected) || !isMap(actual)) return { path, expected, actual };
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = differenceOf(expected[key], actual[key], `${path}.${key}`);
    if (difference) return difference;
  }
  return { path, expected, actual };
}

/** @param {any} value */
function isListOfMaps(value) {
  return Array.isArray(value) && value.every(isMap);
}

/** @param {any} value */
function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
