/**
 * Services, endpoints and ingresses as kubectl prints them. Counterpart:
 * pkg/printers/internalversion/printers.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { age, labelsText, nameOf } from './cells.js';
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

export const SERVICE_PRINTERS = Object.freeze({
  Service: SERVICE,
});
