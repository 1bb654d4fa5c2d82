/** Gives a pod other host ports. */
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withSpec } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 */

const PORT_MAX = 65_535;

/**
 * Returns the edit that gives each conflicting port the next number that no pod on the node has.
 * @param {Culprit} culprit of NodePorts
 * @param {KubernetesObject[]} podsOnNode
 * @param {KubernetesObject} pod
 * @returns {Edit[][]}
 */
export function changeHostPorts({ ports = [] }, podsOnNode, pod) {
  const taken = new Set([...podsOnNode, pod].flatMap(hostPortsOf));
  /** @type {Map<string, number>} */
  const changed = new Map();
  for (const { port, protocol } of ports) {
    let next = port + 1;
    while (taken.has(`${next}/${protocol}`)) next += 1;
    if (next > PORT_MAX) return [];
    taken.add(`${next}/${protocol}`);
    changed.set(`${port}/${protocol}`, next);
  }
  if (changed.size === 0) return [];
  const texts = [...changed].map(([port, next]) => `${port} to ${next}`);
  const name = changed.size === 1 ? 'host port' : 'host ports';
  return [
    [
      {
        key: `ChangeHostPort ${texts}`,
        shape: `ChangeHostPort ${[...changed.keys()]}`,
        kind: 'ChangeHostPort',
        sentence: `change the pod's ${name} ${texts.join(', ')}`,
        asks: ASKS.pod,
        size: 0.3 * changed.size,
        pod: (before) => withSpec(before, (spec) => withPorts(spec, changed)),
      },
    ],
  ];
}

/** @param {KubernetesObject} pod */
function hostPortsOf({ spec }) {
  const containers = [...itemsIn(spec?.containers), ...itemsIn(spec?.initContainers)];
  return containers.flatMap(({ ports }) =>
    itemsIn(ports).flatMap(({ hostPort, protocol = 'TCP' }) =>
      hostPort ? [`${hostPort}/${protocol}`] : [],
    ),
  );
}

/**
 * A pod in the host's network has the same port inside.
 * @param {any} spec
 * @param {Map<string, number>} changed
 */
function withPorts(spec, changed) {
  const withOthers = (/** @type {any[]} */ containers) =>
    containers.map((container) => ({
      ...container,
      ...(container.ports && { ports: container.ports.map(portOf) }),
    }));
  const portOf = (/** @type {any} */ port) => {
    const next = changed.get(`${port.hostPort}/${port.protocol ?? 'TCP'}`);
    if (next === undefined) return port;
    return { ...port, hostPort: next, ...(spec.hostNetwork && { containerPort: next }) };
  };
  return {
    ...spec,
    containers: withOthers(itemsIn(spec.containers)),
    ...(spec.initContainers && { initContainers: withOthers(spec.initContainers) }),
  };
}
