/**
 * Compares an engine that followed all changes with a new one that gets the present state: for
 * pending pods both must find the same nodes feasible, and refuse the others for the same reasons.
 * Scores may differ, because a node's image sums are as old as its last change (spec 04 §5).
 */
import { encodeLines } from '../support/raw_engine.js';
import { claimsOfPod } from './device_pods.js';
import { hold, queuedIn } from './invariants.js';
import { RESOURCES } from './kinds.js';
import { checkVolumeVerdicts } from './volume_verdicts.js';
import { keyOf } from './world.js';

/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */
/** @typedef {import('./set_aside.js').SetAside} SetAside */
/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */
/** @typedef {import('./device_books.js').DeviceBooks} DeviceBooks */

const GATES = ['SchedulingGates', 'DynamicResources', 'GangScheduling'];
const NOTHING = { compared: 0, judged: 0 };
const KINDS = Object.keys(RESOURCES).filter((kind) => !['Pod', 'ResourceClaim'].includes(kind));

/**
 * Without the fields that depend on the order of the nodes.
 * @param {any} evaluation @param {Set<string>} ignored  nodes
 * @returns {string}
 */
function verdictOf({ filter = [], preFilter, feasible = [], absent, result }, ignored) {
  // It ends the search, wherever the search began.
  if (result === 'error') return result;
  const sorted = (/** @type {string[]} */ nodes) =>
    nodes.filter((node) => !ignored.has(node)).sort();
  const refused = filter.flatMap((/** @type {any} */ { nodes, ...group }) => {
    const rest = sorted(nodes);
    return rest.length > 0 ? [JSON.stringify({ ...group, nodes: rest })] : [];
  });
  return JSON.stringify({ refused: refused.sort(), preFilter, absent, feasible: sorted(feasible) });
}

/**
 * @param {ExpectedCache} told @param {Map<string, string>} nominations
 * @param {any[]} aside replace the objects of the input
 * @returns {any[]}
 */
export function objectsNow(told, nominations, aside) {
  const inForce = new Map(aside.map((object) => [`${object.kind} ${keyOf(object)}`, object]));
  const others = KINDS.flatMap((kind) =>
    [...told.objects(kind)].map(([key, object]) => inForce.get(`${kind} ${key}`) ?? object),
  );
  const bound = [...told.cache.values()].map(({ pod }) => pod);
  const pending = told.pending().map((pod) => {
    const nominatedNodeName = nominations.get(keyOf(pod));
    return { ...pod, status: { ...pod.status, nominatedNodeName } };
  });
  return [...others, ...bound, ...pending];
}

/** @param {any} inspection */
export const nominationsOf = ({ nominated }) =>
  new Map(nominated.map((/** @type {any} */ { pod, node }) => [pod, node]));

/**
 * A new engine does not nominate pods that it gates.
 * @param {RawScheduler} rebuilt @param {Map<string, string>} nominations of the other engine
 */
export function hasNominations(rebuilt, nominations) {
  const nominated = nominationsOf(JSON.parse(rebuilt.inspectText({})));
  return JSON.stringify([...nominated]) === JSON.stringify([...nominations]);
}

/**
 * @param {RawScheduler} engine
 * @param {() => RawScheduler} create makes an engine with the same options
 * @param {{told: ExpectedCache, aside: SetAside, devices: DeviceBooks, inspection: any,
 *   pods: string[], nowUs: number }} moment `pods`: those to evaluate
 * @returns {{compared: number, judged: number}} the number of compared pods, and of verdicts of
 *   volume plugins that were computed; zero if two pods have one name, or if a nomination is in no
 *   object, because a new engine cannot get these
 */
export function checkRebuilt(engine, create, { told, aside, devices, inspection, pods, nowUs }) {
  const nominations = nominationsOf(inspection);
  const queued = new Set(queuedIn(inspection));
  // Of a nominated pod in no queue only the name counts (spec 03 §8).
  if ([...nominations.keys()].some((pod) => !queued.has(pod))) return NOTHING;
  const profileOf = (/** @type {string} */ pod) => told.objects('Pod').get(pod).spec.schedulerName;
  // A profile does not know what another one has assumed.
  const profile = pods.length > 0 ? profileOf(pods[0]) : '';
  const claims = devices.claimsNow();
  const objects = [...objectsNow(told, nominations, aside.inForce(profile)), ...claims];
  if (new Set(objects.map((one) => `${one.kind} ${keyOf(one)}`)).size < objects.length)
    return NOTHING;
  const rebuilt = create();
  try {
    rebuilt.applyBytes(encodeLines(objects), nowUs);
    if (!hasNominations(rebuilt, nominations)) return NOTHING;
    const ask = (/** @type {RawScheduler} */ one, /** @type {string} */ pod) =>
      JSON.parse(one.evaluateText({ pod, detail: 'nodes' }, null, nowUs));
    let compared = 0;
    let judged = 0;
    for (const pod of pods) {
      if (!aside.isSameFor(profile, profileOf(pod))) continue;
      // Its own nomination comes from the object, which reflects what the engine knows.
      const { nominatedNodeName: own } = told.objects('Pod').get(pod).status ?? {};
      if (own !== nominations.get(pod)) continue;
      const asked = ask(engine, pod);
      // Only the engine that began an eviction knows that it is under way.
      if (asked.result === 'gated') continue;
      const known = { told, aside, hasNominations: nominations.size > 0 };
      const object = told.objects('Pod').get(pod);
      judged += checkVolumeVerdicts(asked, object, known);
      const { claims: its } = claimsOfPod(object, devices.store);
      // Another engine does not know which allocations are under way, or which claim came first.
      const isUnlike = its.some(({ metadata }) => devices.isInFlight(metadata.uid));
      if (isUnlike || devices.hasDoubled()) continue;
      const again = ask(rebuilt, pod);
      // A gate that a restored state, a missing claim or a smaller gang brought back takes effect
      // when the pod is moved.
      if (GATES.includes(again.plugin)) continue;
      const [is, must] = [asked, again].map((one) => verdictOf(one, told.sharedPorts));
      hold(is === must, 'incremental is rebuilt', () => `${pod}: ${is} instead of ${must}`);
      compared += 1;
    }
    return { compared, judged };
  } finally {
    rebuilt.dispose();
  }
}
