/**
 * The meaning of claims, slices and classes, and which devices of a node they offer: the
 * simulation's own reading, which shares no code with the engine (spec
 * plugins/dynamic-resources-allocator.md).
 */

export const FINALIZER = 'resource.kubernetes.io/delete-protection';
export const EXTENDED = 'resource.kubernetes.io/extended-resource-claim';
export const GPU_DRIVER = 'gpu.example.com';
export const PART_DRIVER = 'part.example.com';
export const NET_DRIVER = 'net.example.com';
/** A resource that devices serve, by the name in their class. */
export const CARD = 'cards.example.com/card';

/**
 * A device that a node can reach.
 *
 * @typedef {object} Reachable
 * @property {string} id  driver/pool/name
 * @property {string} driver
 * @property {string} pool  driver/name
 * @property {any} device  of the slice
 * @property {any} slice
 *
 * @typedef {object} Pool
 * @property {string} id  driver/name
 * @property {boolean} isIncomplete
 * @property {boolean} isInvalid
 * @property {Reachable[]} devices
 * @property {Reachable[]} others devices of the pool that the node cannot reach
 * @property {Map<string, number>} counters by set/counter
 */

/** What an expression of the plan selects, by its text; null: it cannot be evaluated. */
export const EXPRESSIONS =
  /** @type {Record<string, (driver: string, device: any) => boolean | null>} */ ({
    [`device.driver == "${GPU_DRIVER}"`]: (driver) => driver === GPU_DRIVER,
    [`device.driver == "${PART_DRIVER}"`]: (driver) => driver === PART_DRIVER,
    [`device.driver == "${NET_DRIVER}"`]: (driver) => driver === NET_DRIVER,
    [`device.attributes["${GPU_DRIVER}"].model == "a"`]: (driver, { attributes }) =>
      driver === GPU_DRIVER ? attributes.model.string === 'a' : null,
    [`"numa" in device.attributes[device.driver] && device.attributes[device.driver].numa == 0`]: (
      _driver,
      { attributes },
    ) => attributes?.numa?.int === 0,
    [`device.capacity["${GPU_DRIVER}"].memory.compareTo(quantity("16Gi")) >= 0`]: (
      driver,
      { capacity },
    ) => (driver === GPU_DRIVER ? numberOf(capacity.memory.value) >= numberOf('16Gi') : null),
  });

/** A quantity of the plan as a number. @param {string} text */
export function numberOf(text) {
  return text.endsWith('Gi') ? Number(text.slice(0, -2)) * 2 ** 30 : Number(text);
}

/** @param {{driver: string, pool: string, device: string}} result */
export const idOf = ({ driver, pool, device }) => `${driver}/${pool}/${device}`;

/** @param {any} pod @returns {any[]} its entries for claims */
export const entriesOf = ({ spec }) => spec.resourceClaims ?? [];

/** The amount of devices that the pod requests as a resource. @param {any} pod */
export const cardsOf = ({ spec: { containers = [] } }) =>
  containers.map((/** @type {any} */ { resources }) => Number(resources?.requests?.[CARD] ?? 0));

/** @param {any} pod */
export const hasExtended = (pod) => cardsOf(pod).some((/** @type {number} */ count) => count > 0);

/** Whether the pod needs devices. @param {any} pod */
export const claimsDevices = (pod) => entriesOf(pod).length > 0 || hasExtended(pod);

/** @param {any} claim */
export const allocationOf = ({ status }) => status?.allocation;

/** @param {any} claim @returns {any[]} */
export const resultsOf = (claim) => allocationOf(claim)?.devices.results ?? [];

/** @param {any} claim @returns {any[]} */
export const reservationsOf = ({ status }) => status?.reservedFor ?? [];

/** @param {any} claim @param {string} uid  of a pod */
export const isReservedFor = (claim, uid) =>
  reservationsOf(claim).some((/** @type {any} */ one) => one.uid === uid);

/** @param {any} claim @returns {any} the pod for which it was created */
export const ownerOf = ({ metadata: { ownerReferences = [] } }) =>
  ownerReferences.find((/** @type {any} */ { controller }) => controller);

/** @param {any} claim */
export const isExtended = ({ metadata: { annotations } }) => annotations?.[EXTENDED] === 'true';

/**
 * Whether the device is ready to be bound, by the conditions in the claim's status.
 * @param {any} claim @returns {'ready' | 'waits' | 'fails'}
 */
export function readinessOf(claim) {
  if (!allocationOf(claim)) return 'waits';
  for (const result of resultsOf(claim)) {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) continue;
    const known = claim.status.devices?.find(
      (/** @type {any} */ one) => idOf(one) === idOf(result),
    );
    if (!known) return 'waits';
    const isTrue = (/** @type {string} */ type) =>
      known.conditions?.some(
        (/** @type {any} */ one) => one.type === type && one.status === 'True',
      );
    if (bindingFailureConditions.some(isTrue)) return 'fails';
    if (!bindingConditions.every(isTrue)) return 'waits';
  }
  return 'ready';
}

/** @param {any} claim */
export const hasConditions = (claim) =>
  resultsOf(claim).some((/** @type {any} */ { bindingConditions }) => bindingConditions?.length);

/** @param {any} nodeSelector whose expressions are of the form "key In values" @param {any} node */
export function selects({ nodeSelectorTerms }, { metadata: { name, labels = {} } }) {
  const has = (/** @type {any} */ { key, values }) => key in labels && values.includes(labels[key]);
  return nodeSelectorTerms.some((/** @type {any} */ term) => {
    const { matchExpressions = [], matchFields = [] } = term;
    const isNamed = matchFields.every((/** @type {any} */ { values }) => values.includes(name));
    return (
      matchExpressions.length + matchFields.length > 0 && isNamed && matchExpressions.every(has)
    );
  });
}

/** @param {any} spec  of a slice @param {any} node */
function isRelevant({ sharedCounters, nodeName, allNodes, nodeSelector }, node) {
  if (sharedCounters?.length) return true;
  if (nodeName) return nodeName === node.metadata.name;
  return Boolean(allNodes) || Boolean(nodeSelector && selects(nodeSelector, node));
}

/** The pools of a node. @param {any} node @param {any[]} slices  all, by name @returns {Pool[]} */
export function poolsOn(node, slices) {
  const named = slices.filter(({ spec }) => spec.nodeName && !spec.sharedCounters?.length);
  const others = slices.filter(({ spec }) => !spec.nodeName || spec.sharedCounters?.length);
  /** @type {Map<string, any[]>} */
  const kept = new Map();
  for (const slice of [...named, ...others]) {
    if (!isRelevant(slice.spec, node)) continue;
    const id = `${slice.spec.driver}/${slice.spec.pool.name}`;
    const newest = kept.get(id)?.[0].spec.pool.generation ?? -1;
    const { generation } = slice.spec.pool;
    if (generation > newest) kept.set(id, [slice]);
    else if (generation === newest) kept.get(id)?.push(slice);
  }
  const pools = [...kept].flatMap(([id, own]) => poolOf(id, own, slices) ?? []);
  const isLast = (/** @type {Pool} */ { devices }) =>
    devices.some(({ device }) => device.bindingConditions?.length);
  return pools.sort((a, b) => Number(isLast(a)) - Number(isLast(b)) || (a.id < b.id ? -1 : 1));
}

/**
 * @param {string} id @param {any[]} kept the relevant slices @param {any[]} slices  all
 * @returns {Pool | null} null: it has a newer generation elsewhere
 */
function poolOf(id, kept, slices) {
  const { resourceSliceCount, generation } = kept[0].spec.pool;
  const nothing = { id, isIncomplete: false, isInvalid: false, devices: [], others: [] };
  const all = slices.filter(({ spec }) => `${spec.driver}/${spec.pool.name}` === id);
  const present = all.filter(({ spec }) => spec.pool.generation === generation);
  if (kept.length !== resourceSliceCount) {
    if (all.some(({ spec }) => spec.pool.generation > generation)) return null;
    if (present.length !== resourceSliceCount) {
      return { ...nothing, isIncomplete: true, counters: new Map() };
    }
  }
  const devicesOf = (/** @type {any[]} */ some) =>
    [...some]
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
      .flatMap((slice) =>
        (slice.spec.devices ?? []).map((/** @type {any} */ device) => {
          return { id: `${id}/${device.name}`, driver: slice.spec.driver, pool: id, device, slice };
        }),
      );
  const devices = devicesOf(kept);
  const others =
    kept.length === resourceSliceCount
      ? []
      : devicesOf(present.filter((slice) => !kept.includes(slice)));
  const sets = kept.flatMap(({ spec }) => spec.sharedCounters ?? []);
  const counters = new Map(
    sets.flatMap(({ name, counters: own }) =>
      Object.entries(own).map(([counter, { value }]) => [`${name}/${counter}`, numberOf(value)]),
    ),
  );
  const isTwice = (/** @type {string[]} */ names) => new Set(names).size < names.length;
  const isInvalid =
    isTwice(devices.map((one) => one.id)) ||
    isTwice(sets.map(({ name }) => name)) ||
    [...devices, ...others].some(({ device }) =>
      [...consumptionOf(device).keys()].some((counter) => !counters.has(counter)),
    );
  return isInvalid
    ? { ...nothing, isInvalid, counters: new Map() }
    : { ...nothing, devices, others, counters };
}

/** What a device takes of the counters of its pool. @param {any} device */
export function consumptionOf({ consumesCounters = [] }) {
  /** @type {Map<string, number>} */
  const consumed = new Map();
  for (const { counterSet, counters } of consumesCounters) {
    for (const [counter, { value }] of Object.entries(counters)) {
      const key = `${counterSet}/${counter}`;
      consumed.set(key, (consumed.get(key) ?? 0) + numberOf(/** @type {any} */ (value)));
    }
  }
  return consumed;
}

/** @param {any} taint @param {any[]} tolerations */
export function isTolerated({ key, value, effect }, tolerations = []) {
  if (effect !== 'NoSchedule' && effect !== 'NoExecute') return true;
  return tolerations.some((one) => {
    if (one.effect && one.effect !== effect) return false;
    if (one.key && one.key !== key) return false;
    return one.operator === 'Exists' || (one.value ?? '') === (value ?? '');
  });
}
