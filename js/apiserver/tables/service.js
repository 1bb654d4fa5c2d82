/**
 * Services and what leads to them, as kubectl prints them.
 * Counterpart: pkg/printers/internalversion/printers.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { age, labelsText, nameOf, selectorText, shortList } from './cells.js';
import { AGE, NAME, text, wide } from './columns.js';

/** @import { Printer } from './columns.js' */

/** @type {Printer} */
const SERVICE = {
  columns: [
    NAME,
    text('Type', 'How the service is reached.'),
    text('Cluster-IP', 'Its address in the cluster.'),
    text('External-IP', 'Its addresses outside of the cluster.'),
    text('Port(s)', 'Its ports.'),
    AGE,
    wide(text('Selector', 'Which pods serve.')),
  ],
  cells: (service, now) => {
    const { spec = {} } = service;
    return [
      nameOf(service),
      spec.type ?? '',
      itemsIn(spec.clusterIPs)[0] ?? '<none>',
      externalIps(service),
      itemsIn(spec.ports).map(portText).join(',') || '<none>',
      age(service, now),
      labelsText(spec.selector),
    ];
  },
};

/** @param {any} port */
function portText({ port, nodePort, protocol }) {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

/** @param {any} service */
function externalIps({ spec = {}, status }) {
  const external = itemsIn(spec.externalIPs);
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancers(status?.loadBalancer), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** @param {any} loadBalancer of a status */
function balancers(loadBalancer) {
  const found = itemsIn(loadBalancer?.ingress).map(({ ip, hostname }) => ip || hostname);
  return [...new Set(found.filter(Boolean))].sort();
}

/** @type {Printer} */
const ENDPOINTS = {
  columns: [NAME, text('Endpoints', 'Where the service’s pods are.'), AGE],
  cells: (object, now) => {
    const list = itemsIn(object.subsets).flatMap(({ addresses, ports }) => {
      const ips = itemsIn(addresses).map(({ ip }) => ip);
      const numbers = itemsIn(ports).map(({ port }) => port);
      if (numbers.length === 0) return ips;
      return numbers.flatMap((port) => ips.map((ip) => hostPort(ip, port)));
    });
    const none = itemsIn(object.subsets).length === 0 ? '<none>' : '';
    return [nameOf(object), shortList(list, none), age(object, now)];
  },
};

/** @param {string} ip @param {number} port */
function hostPort(ip, port) {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** @type {Printer} */
const ENDPOINT_SLICE = {
  columns: [
    NAME,
    text('AddressType', 'What kind of addresses they are.'),
    text('Ports', 'Ports of the endpoints.'),
    text('Endpoints', 'Addresses of the endpoints.'),
    AGE,
  ],
  cells: (object, now) => {
    const ports = itemsIn(object.ports).map(({ port, name }) => String(port ?? name ?? '*'));
    const addresses = itemsIn(object.endpoints).flatMap((endpoint) => itemsIn(endpoint.addresses));
    return [
      nameOf(object),
      object.addressType ?? '',
      shortList(ports, '<unset>'),
      shortList(addresses, '<unset>'),
      age(object, now),
    ];
  },
};

/** @type {Printer} */
const INGRESS = {
  columns: [
    NAME,
    text('Class', 'Who serves it.'),
    text('Hosts', 'For which hosts it is.'),
    text('Address', 'Where it is reached.'),
    text('Ports', 'At which ports.'),
    AGE,
  ],
  cells: (object, now) => {
    const { spec = {}, status } = object;
    const hosts = itemsIn(spec.rules).map(({ host }) => host);
    const shown = hosts.slice(0, 3).filter(Boolean);
    const more = hosts.length > 3 && shown.length === 3 ? ` + ${hosts.length - 3} more...` : '';
    return [
      nameOf(object),
      spec.ingressClassName ?? '<none>',
      shown.length === 0 ? '*' : `${shown.join(',')}${more}`,
      balancers(status?.loadBalancer).join(','),
      itemsIn(spec.tls).length > 0 ? '80, 443' : '80',
      age(object, now),
    ];
  },
};

/** @type {Printer} */
const INGRESS_CLASS = {
  columns: [
    NAME,
    text('Controller', 'Who serves its ingresses.'),
    text('Parameters', 'Where more is said about it.'),
    AGE,
  ],
  cells: (object, now) => {
    const { controller = '', parameters } = object.spec ?? {};
    const group = parameters?.apiGroup ? `.${parameters.apiGroup}` : '';
    return [
      nameOf(object),
      controller,
      parameters ? `${parameters.kind}${group}/${parameters.name}` : '<none>',
      age(object, now),
    ];
  },
};

/** @type {Printer} */
const NETWORK_POLICY = {
  columns: [NAME, text('Pod-Selector', 'For which pods it is.'), AGE],
  cells: (object, now) => [
    nameOf(object),
    selectorText(object.spec?.podSelector),
    age(object, now),
  ],
};

export const SERVICE_PRINTERS = Object.freeze({
  EndpointSlice: ENDPOINT_SLICE,
  Endpoints: ENDPOINTS,
  Ingress: INGRESS,
  IngressClass: INGRESS_CLASS,
  NetworkPolicy: NETWORK_POLICY,
  Service: SERVICE,
});
