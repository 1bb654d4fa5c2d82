/**
 * Services: each gets an address, and node ports if its type has them. Counterpart:
 * pkg/registry/core/service, v1.36. Only IPv4; the first free address is assigned.
 */
import { serviceDefaults } from '../defaults/other_kinds.js';
import { present } from '../object_meta.js';
import { serviceUpdateErrors } from '../validation/immutable_fields.js';
import { serviceErrors } from '../validation/other_kinds.js';
import { ServiceNumbers } from './service_numbers.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Store } from '../store.js'
 * @import { Strategy, StrategyContext } from './strategy.js'
 */

/** The addresses 10.0.0.0/16, and the first of kube-apiserver's node ports. */
const ADDRESS = /^10\.0\.(\d+)\.(\d+)$/;
const ADDRESSES = 256 * 256;
const NODE_PORT_FIRST = 30_000;

/** @type {WeakMap<Store, { addresses: ServiceNumbers, nodePorts: ServiceNumbers }>} */
const NUMBERS = new WeakMap();

/** @type {Strategy} */
export const serviceStrategy = {
  allowCreateOnUpdate: true,
  returnsDeleted: true,
  setDefaults: serviceDefaults,
  prepareForCreate: allocated,
  prepareForUpdate: (service, old, context) => allocated(withAllocated(service, old), context),
  validate: serviceErrors,
  validateUpdate: serviceUpdateErrors,
};

/**
 * Allocated values stay if an update omits them.
 * @param {KubernetesObject} service
 * @param {KubernetesObject} old
 */
function withAllocated(service, old) {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, ports = [] } = old.spec;
  const kept = service.spec.type === 'ExternalName' ? {} : { clusterIP, clusterIPs };
  const textOf = (/** @type {any} */ { port, name }) => JSON.stringify([port, name]);
  const known = new Map(
    ports.map((/** @type {any} */ port) => [textOf(port), port.nodePort]).reverse(),
  );
  const nodePortOf = (/** @type {any} */ port) => known.get(textOf(port));
  const given = service.spec.ports?.map((/** @type {any} */ port) => ({
    ...present({ nodePort: hasNodePorts(service) ? nodePortOf(port) : undefined }),
    ...port,
  }));
  const spec = { ...present({ ...kept, ipFamilies, ipFamilyPolicy }), ...service.spec };
  return { ...service, spec: { ...spec, ...(given && { ports: given }) } };
}

/**
 * @param {KubernetesObject} service
 * @param {StrategyContext} context
 */
function allocated(service, { store }) {
  const { spec } = service;
  if (spec.type === 'ExternalName') return service;
  const { addresses, nodePorts } = numbersOf(store);
  const clusterIP = spec.clusterIP || spec.clusterIPs?.[0] || textOf(addresses.free(1)[0]);
  const isWithout = (/** @type {any} */ { nodePort }) => !nodePort && hasNodePorts(service);
  const free = nodePorts.free(spec.ports?.filter(isWithout).length ?? 0);
  const ports = spec.ports?.map((/** @type {any} */ port) =>
    isWithout(port) ? { ...port, nodePort: free.shift() } : port,
  );
  const whole = {
    ...service,
    spec: {
      ...spec,
      ...(ports && { ports }),
      clusterIP,
      clusterIPs: spec.clusterIPs ?? [clusterIP],
      ipFamilies: spec.ipFamilies ?? ['IPv4'],
      ipFamilyPolicy: spec.ipFamilyPolicy ?? 'SingleStack',
    },
  };
  addresses.hold(whole);
  nodePorts.hold(whole);
  return whole;
}

/** @param {KubernetesObject} service */
function hasNodePorts({ spec }) {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** @param {Store} store */
function numbersOf(store) {
  let numbers = NUMBERS.get(store);
  if (!numbers) {
    const addresses = new ServiceNumbers(store, 1, addressNumbers);
    const nodePorts = new ServiceNumbers(store, NODE_PORT_FIRST, nodePortsOf);
    NUMBERS.set(store, (numbers = { addresses, nodePorts }));
  }
  return numbers;
}

/** @param {KubernetesObject} service @returns {number[]} */
function nodePortsOf({ spec }) {
  const ports = /** @type {any[]} */ (spec?.ports ?? []);
  return ports.flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

/** @param {KubernetesObject} service */
function addressNumbers({ spec }) {
  const parts = ADDRESS.exec(spec?.clusterIP ?? '');
  return parts ? [Number(parts[1]) * 256 + Number(parts[2])] : [];
}

/** @param {number} address */
function textOf(address) {
  return address < ADDRESSES ? `10.0.${address >> 8}.${address & 255}` : 'None';
}
