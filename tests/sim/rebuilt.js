/**
 * An engine that followed all changes against one that is given what is there now: both must find
 * the same nodes feasible, and the others refused for the same reasons, for pods that wait. Scores
 * may differ: what a node knows of its images is as old as its last change (spec 04 §5).
 */
import { encodeLines } from '../support/raw_engine.js';
import { hold, queuedIn } from './invariants.js';
import { keyOf } from './world.js';

/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */
/** @typedef {import('./told.js').Told} Told */

const KINDS = ['Namespace', 'Service', 'PodDisruptionBudget', 'Node'];

/**
 * Without what depends on the order in which nodes are looked at.
 * @param {any} evaluation @param {Set<string>} ignored  nodes
 * @returns {string}
 */
function verdictOf({ filter = [], preFilter, feasible = [], absent }, ignored) {
  const sorted = (/** @type {string[]} */ nodes) =>
    nodes.filter((node) => !ignored.has(node)).sort();
  const refused = filter.flatMap((/** @type {any} */ { nodes, ...group }) => {
    const rest = sorted(nodes);
    return rest.length > 0 ? [JSON.stringify({ ...group, nodes: rest })] : [];
  });
  return JSON.stringify({ refused: refused.sort(), preFilter, absent, feasible: sorted(feasible) });
}

/** @param {Told} told @param {Map<string, string>} nominations @returns {any[]} */
function objectsNow(told, nominations) {
  const others = KINDS.flatMap((kind) => [...told.objects(kind).values()]);
  const bound = [...told.cache.values()].map(({ pod }) => pod);
  const pending = told.pending().map((pod) => {
    const nominatedNodeName = nominations.get(keyOf(pod));
    return { ...pod, status: { ...pod.status, nominatedNodeName } };
  });
  return [...others, ...bound, ...pending];
}

/** @param {any} inspection */
const nominationsOf = ({ nominated }) =>
  new Map(nominated.map((/** @type {any} */ { pod, node }) => [pod, node]));

/**
 * @param {RawScheduler} engine
 * @param {() => RawScheduler} create  one with the same options
 * @param {{told: Told, inspection: any, pods: string[], nowUs: number}} moment
 *   `pods`: those that are asked about
 * @returns {number} how many were compared; none where two pods of one name, or a nomination that
 *   no object shows, cannot be told anew
 */
export function checkRebuilt(engine, create, { told, inspection, pods, nowUs }) {
  const nominations = nominationsOf(inspection);
  const queued = new Set(queuedIn(inspection));
  // Of a nominated pod that is in no queue nothing but its name counts (spec 03 §8).
  if ([...nominations.keys()].some((pod) => !queued.has(pod))) return 0;
  const objects = objectsNow(told, nominations);
  if (new Set(objects.map((one) => `${one.kind} ${keyOf(one)}`)).size < objects.length) return 0;
  const rebuilt = create();
  try {
    rebuilt.applyBytes(encodeLines(objects), nowUs);
    const again = nominationsOf(JSON.parse(rebuilt.inspectText({})));
    if (JSON.stringify([...again]) !== JSON.stringify([...nominations])) return 0;
    const ask = (/** @type {RawScheduler} */ one, /** @type {string} */ pod) =>
      JSON.parse(one.evaluateText({ pod, detail: 'nodes' }, null, nowUs));
    let compared = 0;
    for (const pod of pods) {
      // Its own nomination is read from the object, which follows what the engine knows.
      const { nominatedNodeName: own } = told.objects('Pod').get(pod).status ?? {};
      if (own !== nominations.get(pod)) continue;
      const asked = ask(engine, pod);
      // Evictions under way are known to the engine that began them alone.
      if (asked.result === 'gated') continue;
      const [is, must] = [asked, ask(rebuilt, pod)].map((one) => {
        return verdictOf(one, told.sharedPorts);
      });
      hold(is === must, 'incremental is rebuilt', () => `${pod}: ${is} instead of ${must}`);
      compared += 1;
    }
    return compared;
  } finally {
    rebuilt.dispose();
  }
}
