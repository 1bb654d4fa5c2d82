/**
 * The rules that every allocation in a cluster obeys, checked on its objects: each result satisfies
 * its request, no device is used twice, and no counter or capacity is exceeded.
 */
import { accepts, Amount, deviceNames } from './selector_evaluator.js';

/** @import { KubernetesObject } from '../../js/src/index.js' */

/**
 * @typedef {object} PublishedDevice
 * @property {string} id driver/pool/device
 * @property {string} driver
 * @property {any} device
 * @property {any} slice
 */

/** A ResourceClaim. @typedef {{ metadata?: any, spec?: any, status?: any }} Claim */

/** The classes, devices and counters of a cluster. */
export class Inventory {
  /** @type {Map<string, PublishedDevice>} */
  devices = new Map();
  /** Counters by driver/pool/set/counter. @type {Map<string, bigint>} */
  counters = new Map();
  /** @type {Map<string, KubernetesObject>} */
  classes = new Map();

  /** @param {readonly any[]} objects ResourceSlices, DeviceClasses and others */
  constructor(objects) {
    for (const object of objects) {
      if (object.kind === 'DeviceClass') this.classes.set(object.metadata.name, object);
      if (object.kind === 'ResourceSlice') this.#add(object);
    }
  }

  /** @param {any} slice */
  #add(slice) {
    const { driver, pool, devices = [], sharedCounters = [] } = slice.spec;
    const prefix = `${driver}/${pool.name}`;
    for (const device of devices) {
      const id = `${prefix}/${device.name}`;
      if (this.devices.has(id)) throw new Error(`${id} is published twice`);
      this.devices.set(id, { id, driver, device, slice });
    }
    for (const { name, counters } of sharedCounters)
      for (const [counter, { value }] of Object.entries(counters))
        this.counters.set(`${prefix}/${name}/${counter}`, new Amount(String(value)).nanos);
  }

  /** @param {any} result of an allocation @returns {PublishedDevice} */
  deviceOf({ driver, pool, device }) {
    const found = this.devices.get(`${driver}/${pool}/${device}`);
    if (!found) throw new Error(`${driver}/${pool}/${device} is not published`);
    return found;
  }

  /** @param {string} name @returns {string[]} its selectors */
  selectorsOfClass(name) {
    return selectorsOf(this.classes.get(name)?.spec);
  }
}

/** @param {any} holder @returns {string[]} */
function selectorsOf(holder) {
  return (holder?.selectors ?? []).map((/** @type {any} */ each) => each.cel.expression);
}

/**
 * The value of an attribute with a fully qualified name.
 *
 * @param {PublishedDevice} published
 * @param {string} name
 * @returns {string | undefined} as text with its type
 */
function attributeText({ driver, device }, name) {
  const [domain, id] = name.split('/');
  const attributes = device.attributes ?? {};
  const value = attributes[name] ?? (domain === driver ? attributes[id] : undefined);
  return value && JSON.stringify(value);
}

/**
 * @param {Inventory} inventory
 * @param {readonly Claim[]} claims
 * @returns {string[]} what is wrong, with the claim's name
 */
export function brokenRules(inventory, claims) {
  const allocated = claims.filter(({ status }) => status?.allocation);
  return [
    ...allocated.flatMap((claim) =>
      brokenInClaim(inventory, claim).map((each) => `${claim.metadata.name}: ${each}`),
    ),
    ...usedTwice(inventory, allocated),
    ...overdrawn(inventory, allocated),
  ];
}

/** @param {Claim} claim @returns {any[]} */
export function resultsOf({ status }) {
  return status?.allocation?.devices?.results ?? [];
}

/** @param {Inventory} inventory @param {Claim} claim @returns {string[]} */
function brokenInClaim(inventory, claim) {
  const { requests = [], constraints = [] } = claim.spec.devices;
  /** @type {Map<string, any[]>} */
  const byRequest = new Map();
  for (const result of resultsOf(claim)) {
    byRequest.set(result.request, [...(byRequest.get(result.request) ?? []), result]);
  }
  const nodes = new Set(
    resultsOf(claim).map((result) => inventory.deviceOf(result).slice.spec.nodeName),
  );
  return [
    ...(nodes.size > 1 ? ['devices of several nodes'] : []),
    ...requests.flatMap((/** @type {any} */ request) =>
      brokenInRequest(inventory, request, byRequest),
    ),
    ...constraints.flatMap((/** @type {any} */ constraint) =>
      brokenConstraint(inventory, constraint, resultsOf(claim)),
    ),
  ];
}

/**
 * @param {Inventory} inventory
 * @param {any} request
 * @param {Map<string, any[]>} byRequest
 * @returns {string[]}
 */
function brokenInRequest(inventory, request, byRequest) {
  const { name, exactly, firstAvailable = [] } = request;
  /** @type {[string, any][]} */
  const choices = exactly
    ? [[name, exactly]]
    : firstAvailable.map((/** @type {any} */ each) => [`${name}/${each.name}`, each]);
  const chosen = choices.filter(([key]) => byRequest.has(key));
  if (chosen.length !== 1) return [`${name}: ${chosen.length} alternatives are allocated`];
  const [[key, content]] = chosen;
  const results = byRequest.get(key) ?? [];
  const faults = results.flatMap((result) => brokenResult(inventory, content, result));
  const count = content.allocationMode === 'All' ? results.length : (content.count ?? 1);
  if (results.length !== count) faults.push(`${key}: ${results.length} devices of ${count}`);
  return faults;
}

/** @param {Inventory} inventory @param {any} content @param {any} result @returns {string[]} */
function brokenResult(inventory, content, result) {
  const { id, driver, device } = inventory.deviceOf(result);
  const names = deviceNames(driver, device);
  const selectors = [
    ...inventory.selectorsOfClass(content.deviceClassName),
    ...selectorsOf(content),
  ];
  const refusing = selectors.filter((selector) => !accepts(selector, names));
  const tolerations = content.tolerations ?? [];
  const untolerated = (device.taints ?? []).filter(
    (/** @type {any} */ taint) =>
      taint.effect !== 'None' &&
      !tolerations.some((/** @type {any} */ each) => tolerates(each, taint)),
  );
  return [
    ...refusing.map((selector) => `${id} is not selected by ${selector}`),
    ...untolerated.map((/** @type {any} */ { key }) => `${id} has the taint ${key}`),
  ];
}

/** @param {any} toleration @param {any} taint */
function tolerates({ key, operator = 'Equal', value = '', effect }, taint) {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || value === (taint.value ?? '');
}

/**
 * @param {Inventory} inventory
 * @param {any} constraint
 * @param {any[]} results
 * @returns {string[]}
 */
function brokenConstraint(inventory, constraint, results) {
  const { requests = [], matchAttribute, distinctAttribute } = constraint;
  const values = results
    .filter(({ request }) => requests.length === 0 || requests.includes(request.split('/')[0]))
    .map((result) =>
      attributeText(inventory.deviceOf(result), matchAttribute ?? distinctAttribute),
    );
  const name = matchAttribute ?? distinctAttribute;
  if (values.includes(undefined)) return [`a device has no ${name}`];
  const different = new Set(values).size;
  const isKept = matchAttribute ? different <= 1 : different === values.length;
  return isKept ? [] : [`${name}: ${values.join(', ')}`];
}

/** @param {Inventory} inventory @param {readonly Claim[]} claims @returns {string[]} */
function usedTwice(inventory, claims) {
  /** @type {Map<string, string>} */
  const users = new Map();
  /** @type {string[]} */
  const faults = [];
  for (const claim of claims) {
    for (const result of resultsOf(claim)) {
      const { id, device } = inventory.deviceOf(result);
      if (result.adminAccess || device.allowMultipleAllocations) continue;
      const { name } = claim.metadata;
      if (users.has(id)) faults.push(`${id} is allocated for ${users.get(id)} and ${name}`);
      users.set(id, name);
    }
  }
  return faults;
}

/** @param {Inventory} inventory @param {readonly Claim[]} claims @returns {string[]} */
function overdrawn(inventory, claims) {
  /** @type {Map<string, bigint>} */
  const consumed = new Map();
  const take = (/** @type {string} */ key, /** @type {any} */ value) =>
    consumed.set(key, (consumed.get(key) ?? 0n) + new Amount(String(value)).nanos);
  const used = new Set();
  /** @type {Map<string, bigint>} */
  const limits = new Map(inventory.counters);
  for (const result of claims.flatMap(resultsOf)) {
    if (result.adminAccess) continue;
    const { id, driver, device, slice } = inventory.deviceOf(result);
    for (const [name, amount] of Object.entries(result.consumedCapacity ?? {})) {
      take(`${id}/${name}`, amount);
      limits.set(`${id}/${name}`, new Amount(String(device.capacity[name].value)).nanos);
    }
    // However many claims share a device, it takes its counters once.
    if (used.has(id)) continue;
    used.add(id);
    for (const { counterSet, counters } of device.consumesCounters ?? [])
      for (const [counter, { value }] of Object.entries(counters))
        take(`${driver}/${slice.spec.pool.name}/${counterSet}/${counter}`, value);
  }
  return [...consumed]
    .filter(([key, amount]) => amount > (limits.get(key) ?? -1n))
    .map(([key, amount]) => `${key}: ${amount} of ${limits.get(key)}`);
}
