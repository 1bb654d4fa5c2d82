/** The devices of nodes and pods, from ResourceSlices and allocated ResourceClaims. */

/**
 * @import { ClaimRow, DeviceRow, SliceRow } from '../../model/device_rows.js'
 */

/**
 * A device of a node, and the claims that it is allocated to.
 * @typedef {DeviceRow & { id: string, claims: ClaimRow[] }} NodeDevice
 */

/**
 * The rows of slices and claims, by what the page looks for.
 * @typedef {object} Devices
 * @property {Map<string, SliceRow>} slices by name
 * @property {Map<string, Map<string, SliceRow>>} slicesOf by node and name
 * @property {Map<string, ClaimRow>} claims by key
 * @property {Map<string, Map<string, ClaimRow>>} holders by device, `driver/pool/device`, and key
 */

/** @returns {Devices} */
export function noDevices() {
  return { slices: new Map(), slicesOf: new Map(), claims: new Map(), holders: new Map() };
}

/**
 * @param {Devices} devices
 * @param {string} name
 * @param {SliceRow} [row] absent: the slice is gone
 */
export function putSlice({ slices, slicesOf }, name, row) {
  const old = slices.get(name);
  if (old) take(slicesOf, old.node, name);
  slices.delete(name);
  if (!row) return;
  slices.set(name, row);
  put(slicesOf, row.node, name, row);
}

/**
 * @param {Devices} devices
 * @param {string} key
 * @param {ClaimRow} [row] absent: the claim is gone
 */
export function putClaim({ claims, holders }, key, row) {
  for (const device of claims.get(key)?.devices ?? []) take(holders, device, key);
  claims.delete(key);
  if (!row) return;
  claims.set(key, row);
  for (const device of row.devices) put(holders, device, key, row);
}

/**
 * The devices that the node's own slices offer, slice by slice. Devices that serve several nodes
 * are not among them.
 * @param {Devices} devices
 * @param {string} node
 * @returns {NodeDevice[]}
 */
export function devicesOf({ slicesOf, holders }, node) {
  return newestOf(slicesOf.get(node))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ pool, devices }) =>
      devices.map((device) => {
        const id = `${pool}/${device.name}`;
        return { ...device, id, claims: [...(holders.get(id)?.values() ?? [])] };
      }),
    );
}

/**
 * The number of the node's devices, and of those that are allocated.
 * @param {Devices} devices
 * @param {string} node
 */
export function deviceUse({ slicesOf, holders }, node) {
  const use = { used: 0, all: 0 };
  for (const { pool, devices } of newestOf(slicesOf.get(node))) {
    use.all += devices.length;
    for (const { name } of devices) if (holders.has(`${pool}/${name}`)) use.used += 1;
  }
  return use;
}

/**
 * The slices of the newest generation of each pool.
 * @param {Map<string, SliceRow>} [slices]
 */
function newestOf(slices = new Map()) {
  const rows = [...slices.values()];
  /** @type {Map<string, number>} */
  const newest = new Map();
  for (const { pool, generation } of rows)
    newest.set(pool, Math.max(generation, newest.get(pool) ?? generation));
  return rows.filter(({ pool, generation }) => generation === newest.get(pool));
}

/**
 * `allocated to default/training (claim default/training-gpu)`, or `not allocated`, because other
 * devices may take the counters of such a device.
 * @param {NodeDevice} device
 */
export function holdersText({ claims }) {
  if (claims.length === 0) return 'not allocated';
  const holders = claims.map(({ key, pods }) =>
    pods.length > 0 ? `${pods.join(', ')} (claim ${key})` : `claim ${key}`,
  );
  return `allocated to ${holders.join(', ')}`;
}

/**
 * The devices of the claims that are reserved for a pod.
 * @param {Devices} devices
 * @param {string} pod `namespace/name`
 * @returns {string[]} `driver/pool/device`
 */
export function devicesOfPod({ claims }, pod) {
  return [...claims.values()]
    .filter(({ pods }) => pods.includes(pod))
    .flatMap((row) => row.devices);
}

/**
 * @template T
 * @param {Map<string, Map<string, T>>} groups
 * @param {string} name
 * @param {string} key
 * @param {T} row
 */
function put(groups, name, key, row) {
  const own = groups.get(name);
  if (own) own.set(key, row);
  else groups.set(name, new Map([[key, row]]));
}

/**
 * @template T
 * @param {Map<string, Map<string, T>>} groups
 * @param {string} name
 * @param {string} key
 */
function take(groups, name, key) {
  const own = groups.get(name);
  own?.delete(key);
  if (own?.size === 0) groups.delete(name);
}
