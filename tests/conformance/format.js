/**
 * The golden decision and replay formats: the fields of a file. An unknown field fails the case,
 * because the comparator would ignore it.
 */

/** Families of the decisions; `openb` stands for the replays. */
const DECISION_FAMILIES = new Set([
  'batching',
  'cluster-changes',
  'config-fit',
  'config-profiles',
  'declared-features',
  'dra',
  'dra-extended',
  'dra-partitionable',
  'dra-reallocation',
  'dra-rollback',
  'edge',
  'gang',
  'images',
  'interpod',
  'interpod-series',
  'large',
  'mixed',
  'node-affinity',
  'node-name',
  'nominated',
  'openb',
  'ports',
  'preemption',
  'preemption-pdb',
  'preemption-ports-volumes',
  'resources',
  'sampling',
  'scheduling-gates',
  'spread',
  'spread-defaults',
  'spread-soft',
  'taints',
  'taints-comparison',
  'unschedulable-nodes',
  'volume-binding',
  'volume-limits',
  'volume-restrictions',
  'volume-scoring',
  'volume-zone',
]);

/** Families of the traces, below `traces/`: some have the name of a decision family. */
const TRACE_FAMILIES = [
  'affinity',
  'backoff',
  'batching',
  'binding',
  'dra',
  'feature-gates',
  'initial-sync',
  'mixed',
  'namespaces',
  'node-lifecycle',
  'ordering',
  'pod-lifecycle',
  'preemption',
  'profiles',
  'queueing-hints',
  'scheduling-gates',
  'topology-spread',
  'volumes',
].map(familyOfTraces);

export const FAMILIES = new Set([...DECISION_FAMILIES, ...TRACE_FAMILIES]);

const HEADER = new Set([
  'formatVersion',
  'name',
  'family',
  'seed',
  'kubernetesVersion',
  'featureGates',
  'configuration',
  'gracefulDeletion',
  'consecutive',
  'objects',
  'steps',
]);
const REQUIRED = ['formatVersion', 'name', 'family', 'configuration', 'objects', 'steps'];
const STEPS = new Set([
  'expect,group',
  'expect,pod',
  'expect,retry',
  'apply',
  'delete',
  'apply,delete',
]);
const EXPECT = new Set([
  'result',
  'node',
  'startTime',
  'plugin',
  'message',
  'preFilter',
  'preFilterResult',
  'absent',
  'hint',
  'evaluatedNodes',
  'feasible',
  'filter',
  'unschedulablePlugins',
  'pendingPlugins',
  'scores',
  'rawScores',
  'total',
  'best',
  'preemption',
  'clearedNominations',
  'deletedPods',
  'terminatingPods',
  'volumes',
  'claims',
  'after',
  'phase',
]);
const GROUP = new Set(['namespace', 'name', 'pods']);
const GROUP_EXPECT = new Set(['result', 'order', 'pods', 'deletedPods', 'plugin', 'message']);
const MEMBER_EXPECT = new Set([...EXPECT, 'nominatedNode']);
const PREEMPTION = new Set([
  'message',
  'nominatedNode',
  'admissibleNodes',
  'victims',
  'candidates',
  'rejected',
  'nomination',
]);
const CANDIDATE = new Set(['node', 'victims', 'pdbViolations']);
const REFUSAL = new Set(['plugin', 'code', 'reasons']);
const REFUSAL_GROUP = new Set([...REFUSAL, 'nodes']);
const ABSENT = new Set(['code', 'reasons']);
const REPLAY_LINE = new Set(['pod', 'node', 'feasible', 'evaluated', 'best', 'ties', 'message']);

/** A golden file with contents that this runner does not understand. */
export class FormatError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'FormatError';
    this.code = 'Format';
  }
}

/** @param {string} family as named in the trace */
export function familyOfTraces(family) {
  return `traces/${family}`;
}

/**
 * Throws a `FormatError` for the first part of a decision file that is not understood.
 * @param {any} file
 */
export function checkDecisionFile(file) {
  checkHeader(file, { known: HEADER, required: REQUIRED });
  if (!DECISION_FAMILIES.has(file.family)) throw new FormatError(`unknown family ${file.family}`);
  file.steps.forEach(checkStep);
}

/**
 * @param {any} file
 * @param {{known: Set<string>, required: string[]}} fields
 */
export function checkHeader(file, { known, required }) {
  onlyKnown(file, known, 'header');
  for (const field of required) {
    if (!(field in file)) throw new FormatError(`header: ${field} is missing`);
  }
  if (file.formatVersion !== 1) throw new FormatError(`formatVersion ${file.formatVersion}`);
  if (!/^v1\.3[3-6]\.\d+$/.test(file.kubernetesVersion ?? 'v1.36.0')) {
    throw new FormatError(`recorded from ${file.kubernetesVersion}`);
  }
}

/** @param {any} line  one parsed line of a replay @param {number} at */
export function checkReplayLine(line, at) {
  onlyKnown(line, REPLAY_LINE, `line ${at + 1}`);
  if (typeof line.pod !== 'string') throw new FormatError(`line ${at + 1}: pod is missing`);
  if (line.node === undefined) throw new FormatError(`line ${at + 1}: node is missing`);
}

/** @param {any} step @param {number} at */
function checkStep(step, at) {
  const where = `step ${at + 1}`;
  const shape = Object.keys(step).sort().join();
  if (!STEPS.has(shape)) throw new FormatError(`${where}: unknown step {${shape}}`);
  if (step.group) checkGroup(step, where);
  else if (step.expect) checkExpect(step.expect, `${where}.expect`);
}

/** @param {any} step @param {string} where */
function checkGroup({ group, expect }, where) {
  onlyKnown(group, GROUP, `${where}.group`);
  onlyKnown(expect, GROUP_EXPECT, `${where}.expect`);
  for (const [pod, one] of Object.entries(expect.pods ?? {})) {
    checkExpect(one, `${where}.expect.pods.${pod}`, MEMBER_EXPECT);
  }
}

/** @param {any} expect @param {string} where @param {Set<string>} [known] */
function checkExpect(expect, where, known = EXPECT) {
  onlyKnown(expect, known, where);
  onlyKnown(expect.preFilter, REFUSAL, `${where}.preFilter`);
  onlyKnown(expect.absent, ABSENT, `${where}.absent`);
  for (const group of expect.filter ?? []) onlyKnown(group, REFUSAL_GROUP, `${where}.filter`);
  if (!expect.preemption) return;
  onlyKnown(expect.preemption, PREEMPTION, `${where}.preemption`);
  for (const candidate of expect.preemption.candidates ?? []) {
    onlyKnown(candidate, CANDIDATE, `${where}.preemption.candidates`);
  }
  for (const refusal of Object.values(expect.preemption.rejected ?? {})) {
    onlyKnown(refusal, REFUSAL, `${where}.preemption.rejected`);
  }
}

/** @param {any} object @param {Set<string>} known @param {string} where */
export function onlyKnown(object, known, where) {
  for (const field of Object.keys(object ?? {})) {
    if (!known.has(field)) throw new FormatError(`${where}: unknown field ${field}`);
  }
}
