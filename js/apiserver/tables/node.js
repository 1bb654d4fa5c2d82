/**
 * Nodes as kubectl prints them.
 * Counterpart: printNode of pkg/printers/internalversion/printers.go, v1.36.
 */
import { itemsIn } from '../../src/kubernetes/values.js';
import { age, nameOf } from './cells.js';
import { AGE, NAME, text, wide } from './columns.js';

/** @import { Printer } from './columns.js' */

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

/** @type {Printer} */
const NODE = {
  columns: [
    NAME,
    text('Status', 'Whether the node is ready and takes pods.'),
    text('Roles', 'The roles of the node.'),
    AGE,
    text('Version', 'Version of the kubelet.'),
    wide(text('Internal-IP', 'Its address in the cluster.')),
    wide(text('External-IP', 'Its address outside of the cluster.')),
    wide(text('OS-Image', 'Its operating system.')),
    wide(text('Kernel-Version', 'Version of its kernel.')),
    wide(text('Container-Runtime', 'The container runtime of the node.')),
  ],
  cells: (node, now) => {
    const { kubeletVersion, osImage, kernelVersion, containerRuntimeVersion } =
      node.status?.nodeInfo ?? {};
    return [
      nameOf(node),
      statusText(node),
      rolesOf(node).join(',') || '<none>',
      age(node, now),
      kubeletVersion ?? '',
      addressOf(node, 'InternalIP'),
      addressOf(node, 'ExternalIP'),
      osImage || '<unknown>',
      kernelVersion || '<unknown>',
      containerRuntimeVersion || '<unknown>',
    ];
  },
};

export const NODE_PRINTERS = Object.freeze({ Node: NODE });

/** @param {any} node */
function statusText({ spec, status }) {
  const ready = itemsIn(status?.conditions).findLast(({ type }) => type === 'Ready');
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (spec?.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

/** @param {any} node */
function rolesOf({ metadata }) {
  const roles = Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === ROLE_LABEL ? [String(value)] : [];
  });
  return [...new Set(roles.filter(Boolean))].sort();
}

/** @param {any} node @param {string} type */
function addressOf({ status }, type) {
  return itemsIn(status?.addresses).find((address) => address.type === type)?.address ?? '<none>';
}
