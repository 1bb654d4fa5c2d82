/**
 * Services: each gets an address, and node ports if its type has them. Counterpart:
 * pkg/registry/core/service, v1.36. Only IPv4; the first free address is assigned.
 */
import { serviceDefaults } from '../defaults/other_kinds.js';
import { present } from '../object_meta.js';
import { serviceErrors } from '../validation/other_kinds.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Store } from '../store.js'
 * @import { Strategy, StrategyContext } from './strategy.js'
 */

/** The addresses 10.0.0.0/16, and kube-apiserver's node ports. */
const ADDRESS_PREFIX = '10.0.';
const ADDRESSES = 256 * 256;
const NODE_PORT_FIRST = 30_000;

/** @type {Strategy} */
export const serviceStrategy = {
  allowCreateOnUpdate: true,
  returnsDeleted: true,
  setDefaults: serviceDefaults,
  prepareForCreate: allocated,
  prepareForUpdate: (service, old, context) => allocated(withAllocated(service, old), context),
  validate: serviceErrors,
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
  const clusterIP = spec.clusterIP || spec.clusterIPs?.[0] || freeAddress(store);
  const taken = hasNodePorts(service) ? nodePorts(store) : new Set();
  const ports = spec.ports?.map((/** @type {any} */ port) => {
    if (!hasNodePorts(service) || port.nodePort) return port;
    let nodePort = NODE_PORT_FIRST;
    while (taken.has(nodePort)) nodePort++;
    taken.add(nodePort);
    return { ...port, nodePort };
  });
  return {
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
}

/** @param {KubernetesObject} service */
function hasNodePorts({ spec }) {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** @param {Store} store */
function freeAddress(store) {
  const taken = new Set(store.list('services').map(({ spec }) => spec.clusterIP));
  for (let number = 1; number < ADDRESSES; number++) {
    const address = `${ADDRESS_PREFIX}${number >> 8}.${number & 255}`;
    if (!taken.has(address)) return address;
  }
  return 'None';
}

/** @param {Store} store */
function nodePorts(store) {
  const ports = store.list('services').flatMap(({ spec }) => spec.ports ?? []);
  return new Set(ports.map(({ nodePort }) => nodePort));
}
