/** Changes of pod groups by users and by the scheduler, and the loss of a gang's nodes. */
import { groupOf } from './gangs.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('../support/api_calls.js').ApiAnswer} ApiAnswer */
/** @typedef {import('../support/api_calls.js').ApiCall} ApiCall */

const KIND = 'PodGroup';
const STATUS =
  /^\/apis\/scheduling\.k8s\.io\/v1alpha2\/namespaces\/([^/]+)\/podgroups\/([^/]+)\/status$/;

/** @type {Record<string, (world: World, change: any) => boolean>} */
export const gangChanges = {
  /** A group that exists stays as it is: its spec is immutable. */
  putGroup(world, { object }) {
    const { namespace, name } = object.metadata;
    if (world.get(KIND, `${namespace}/${name}`)) return false;
    world.put(object);
    return true;
  },

  deleteGroup(world, { group }) {
    if (!world.get(KIND, group)) return false;
    world.remove(KIND, group);
    return true;
  },

  createMembers(world, { pods }) {
    return pods
      .map((/** @type {any} */ one) => world.apply({ op: 'createPod', ...one }))
      .some(Boolean);
  },

  /** The nodes of the group's pods vanish, all at once. */
  loseNodes(world, { group }) {
    const members = world.list('Pod').filter((pod) => groupOf(pod) === group);
    const nodes = new Set(members.flatMap(({ spec }) => spec.nodeName ?? []));
    return [...nodes].map((node) => world.apply({ op: 'deleteNode', node })).some(Boolean);
  },
};

/** namespace/name of the group whose status a call writes. @param {ApiCall} call */
export function groupWriteOf({ verb, path }) {
  const [, namespace, name] = STATUS.exec(path) ?? [];
  return verb === 'patch' && name ? `${namespace}/${name}` : null;
}

/** @param {World} world @param {string} key @param {any} patch @returns {ApiAnswer} */
export function answerGroup(world, key, { status: { conditions } }) {
  const group = world.get(KIND, key);
  if (!group) return { status: 404, body: { kind: 'Status', status: 'Failure', code: 404 } };
  const known = group.status?.conditions ?? [];
  const types = conditions.map((/** @type {any} */ { type }) => type);
  const others = known.filter((/** @type {any} */ { type }) => !types.includes(type));
  world.put({ ...group, status: { ...group.status, conditions: [...others, ...conditions] } });
  return { status: 200, body: {} };
}
