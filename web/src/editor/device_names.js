/** Names of a cluster's devices, for the fields of claims, slices, classes and taint rules. */

/** @import { Store } from '../../../js/apiserver/index.js' */

/** @typedef {Pick<Store, 'list'>} Lister */

/** The field's names by its place. @type {Record<string, (store: Lister) => string[]>} */
const NAMES_OF = {
  'resource/v1.DeviceConstraint.matchAttribute': attributes,
  'resource/v1.DeviceConstraint.distinctAttribute': attributes,
  'resource/v1.CapacityRequirements.requests': capacities,
  'resource/v1.DeviceToleration.key': taintKeys,
  'resource/v1.DeviceCounterConsumption.counterSet': counterSets,
  'resource/v1.OpaqueDeviceConfiguration.driver': drivers,
  'resource/v1.ResourceSliceSpec.driver': drivers,
  'resource/v1beta2.DeviceTaintSelector.driver': drivers,
  'resource/v1beta2.DeviceTaintSelector.pool': pools,
  'resource/v1beta2.DeviceTaintSelector.device': devices,
};

/**
 * @param {string} field such as `resource/v1.DeviceToleration.key`
 * @param {Lister} store
 * @returns {string[]} each name once, in the order of the slices
 */
export function deviceNames(field, store) {
  return [...new Set(NAMES_OF[field]?.(store))];
}

/**
 * The extended resources that device classes stand for.
 * @param {Lister} store
 * @returns {string[]}
 */
export function extendedResources(store) {
  return store
    .list('deviceclasses')
    .map(({ spec }) => spec?.extendedResourceName)
    .filter(Boolean);
}

/** @param {Lister} store @returns {{ device: any, spec: any }[]} */
function devicesOf(store) {
  return store
    .list('resourceslices')
    .flatMap(({ spec }) =>
      (spec?.devices ?? []).map((/** @type {any} */ device) => ({ device, spec })),
    );
}

/**
 * Attributes with the domain that constraints need: by default the driver's.
 * @param {Lister} store
 */
function attributes(store) {
  return devicesOf(store).flatMap(({ device, spec }) =>
    Object.keys(device.attributes ?? {}).map((name) =>
      name.includes('/') ? name : `${spec.driver}/${name}`,
    ),
  );
}

/** @param {Lister} store */
function capacities(store) {
  return devicesOf(store).flatMap(({ device }) => Object.keys(device.capacity ?? {}));
}

/** @param {Lister} store */
function devices(store) {
  return devicesOf(store).map(({ device }) => device.name);
}

/** @param {Lister} store */
function taintKeys(store) {
  const ofDevices = devicesOf(store).flatMap(({ device }) => device.taints ?? []);
  const ofRules = store.list('devicetaintrules').map(({ spec }) => spec?.taint);
  return [...ofDevices, ...ofRules].flatMap((taint) => taint?.key ?? []);
}

/** @param {Lister} store */
function counterSets(store) {
  return store
    .list('resourceslices')
    .flatMap(({ spec }) => (spec?.sharedCounters ?? []).map((/** @type {any} */ { name }) => name));
}

/** @param {Lister} store */
function drivers(store) {
  return store.list('resourceslices').flatMap(({ spec }) => spec?.driver ?? []);
}

/** @param {Lister} store */
function pools(store) {
  return store.list('resourceslices').flatMap(({ spec }) => spec?.pool?.name ?? []);
}
