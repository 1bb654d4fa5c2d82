/** Replays the openb trace against an engine, following the recorded placements from the start. */
import { loadOpenb } from '../support/openb.js';
import { podName } from './cluster.js';
import { compareReplay } from './compare.js';
import { scheduleOne } from './decisions.js';

const START_US = Date.UTC(2026, 0, 1) * 1000;
const MODES = new Map([
  ['sampled', undefined],
  ['all-nodes', 100],
]);

/**
 * `openb-default.all-nodes` → the pod list, and the configuration of its mode.
 * @param {string} name
 */
export function replayOf(name) {
  const [, list, mode] = /^openb-([^.]+)\.([^.]+)$/.exec(name) ?? [];
  if (!MODES.has(mode)) return null;
  const percentageOfNodesToScore = MODES.get(mode);
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    parallelism: 1,
    ...(percentageOfNodesToScore && { percentageOfNodesToScore }),
  };
  return { list, configuration };
}

/**
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {object} options
 * @param {string} options.name @param {any[]} options.lines
 * @param {string} options.data  directory of the CSV files
 * @param {'nodes' | 'summary'} [options.detail]  of the decisions
 * @param {import('../support/raw_engine.js').VerdictCacheMode} [options.verdictCache]
 * @param {string} [options.kubernetesVersion] default: the newest
 * @returns {import('./decisions.js').Outcome}
 */
export function playReplay(engine, options) {
  const { name, lines, data, detail = 'nodes', verdictCache, kubernetesVersion } = options;
  const replay = replayOf(name);
  if (!replay) throw new Error(`${name} is no replay of the openb trace`);
  const { nodes, events } = loadOpenb(data, replay.list);
  const scheduler = engine.createScheduler({
    configuration: replay.configuration,
    seed: 0,
    tieBreak: 'heap',
    api: 'host',
    detail,
    ...(verdictCache && { verdictCache }),
    ...(kubernetesVersion && { kubernetesVersion }),
    startTimeUs: START_US,
  });
  try {
    scheduler.apply(
      nodes.map((object) => ({ type: 'ADDED', object })),
      START_US,
    );
    return follow(scheduler, events, { lines, detail });
  } finally {
    scheduler.dispose();
  }
}

/**
 * Stops at the first difference, because one wrong node changes everything after it.
 * @param {import('../support/raw_engine.js').RawScheduler} scheduler
 * @param {import('../support/openb.js').TraceEvent[]} events
 * @param {{lines: any[], detail: string}} recording
 * @returns {import('./decisions.js').Outcome}
 */
function follow(scheduler, events, { lines, detail }) {
  const outcome = { attempts: lines.length, agreed: 0, finding: null };
  /** @type {Map<string, any>} */
  const placed = new Map();
  /** @type {object[]} */
  let inbox = [];
  for (const { type, seconds, pod } of events) {
    const reference = podName(pod);
    if (type === 'delete') {
      const object = placed.get(reference);
      if (object) inbox.push({ type: 'DELETED', object });
      placed.delete(reference);
      continue;
    }
    const line = lines[outcome.agreed];
    const attempt = { reference, nowUs: START_US + seconds * 1e6 };
    const difference = differenceAt(scheduler, [...inbox, { type: 'ADDED', object: pod }], {
      line,
      attempt,
      detail,
    });
    if (difference) {
      const where = `line ${outcome.agreed + 1} (${reference})`;
      return { ...outcome, finding: { where, ...difference } };
    }
    outcome.agreed += 1;
    inbox = [settle(placed, pod, line.node)];
  }
  return finish(outcome);
}

/**
 * @param {import('../support/raw_engine.js').RawScheduler} scheduler
 * @param {object[]} events
 * @param {{line: any, attempt: {reference: string, nowUs: number}, detail: string}} next
 * @returns {import('./compare.js').Difference | null}
 */
function differenceAt(scheduler, events, { line, attempt, detail }) {
  const { reference } = attempt;
  if (!line || `default/${line.pod}` !== reference) {
    return { path: 'pod', expected: line?.pod, actual: reference };
  }
  return compareReplay(line, scheduleOne(scheduler, events, attempt), { detail });
}

/**
 * A placed pod is on its node at once; a failed one is removed for good.
 * @param {Map<string, any>} placed @param {any} pod @param {string | null} node
 */
function settle(placed, pod, node) {
  if (node === null) return { type: 'DELETED', object: pod };
  const object = { ...pod, spec: { ...pod.spec, nodeName: node }, status: { phase: 'Running' } };
  placed.set(podName(pod), object);
  return { type: 'MODIFIED', object };
}

/** @param {import('./decisions.js').Outcome} outcome @returns {import('./decisions.js').Outcome} */
function finish(outcome) {
  const { attempts, agreed } = outcome;
  if (agreed === attempts) return outcome;
  const finding = { where: 'end', path: 'lines', expected: attempts, actual: agreed };
  return { ...outcome, finding };
}
