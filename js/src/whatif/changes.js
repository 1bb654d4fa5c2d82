/** The changes of `whatIf`: data that is checked, and then applied to a future. */
import { ApiError } from '../kubernetes/api_error.js';
import { BatchError, InputError } from '../kubernetes/errors.js';
import { parseQuantity } from '../kubernetes/quantity.js';
import { isRecord } from '../kubernetes/values.js';
import { addNodes } from './changes/added_nodes.js';
import { changeFault } from './changes/changed_cluster.js';
import { cordon, drain, removeNode, taint, uncordon, untaint } from './changes/nodes.js';
import { applyObject, deleteObject } from './changes/objects.js';
import { setRequest } from './changes/requests.js';
import { scale } from './changes/scale.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { ChangedCluster } from './changes/changed_cluster.js'
 */

/**
 * One change. `namespace` is `default` if it is absent. `drain` is a drain that has ended: it does
 * not look at budgets.
 * @typedef {{ type: 'removeNode' | 'cordon' | 'uncordon' | 'drain', node: string }
 *   | { type: 'taint', node: string, key: string, value?: string, effect: string }
 *   | { type: 'untaint', node: string, key: string, effect?: string }
 *   | { type: 'addNodes', count: number, like: string }
 *   | { type: 'scale', kind: string, namespace?: string, name: string, replicas: number }
 *   | { type: 'setRequest', kind: string, namespace?: string, name: string, container?: string,
 *   resource: string, value: string }
 *   | { type: 'apply', object: KubernetesObject }
 *   | { type: 'delete', kind: string, namespace?: string, name: string }} Change
 */

/** Returns what is wrong with a value. @typedef {(value: any) => string | undefined} Rule */

/** The maximum of nodes and replicas of one change: more than the largest clusters have. */
const MOST = 200_000;

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** @type {Rule} */
const text = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a text is expected';

/** @type {Rule} */
const anyText = (value) => (typeof value === 'string' ? undefined : 'a text is expected');

/** @type {Rule} */
const count = (value) =>
  Number.isInteger(value) && value >= 0 && value <= MOST
    ? undefined
    : `a whole number from 0 to ${MOST} is expected`;

/** @type {Rule} */
const effect = (value) =>
  EFFECTS.includes(value) ? undefined : `one of ${EFFECTS.join(', ')} is expected`;

/** @type {Rule} */
const object = (value) =>
  isRecord(value) && value.kind && isRecord(value.metadata)
    ? undefined
    : 'an object with kind and metadata is expected';

/** @type {Rule} */
const quantity = (value) => {
  const amount = typeof value === 'string' ? parseQuantity(value) : null;
  if (amount === null) return 'a quantity is expected, as text: "500m"';
  return amount < 0n ? 'must be greater than or equal to 0' : undefined;
};

const OF_NODE = { node: text };
const OF_OBJECT = { kind: text, namespace: text, name: text };

/**
 * The fields of each type of change, and what it does. Fields in `optional` may be absent.
 * @type {Record<Change['type'], { fields: Record<string, Rule>, optional?: string[], perform:
 *   (cluster: ChangedCluster, change: any) => void }>}
 */
const TYPES = {
  removeNode: { fields: OF_NODE, perform: removeNode },
  cordon: { fields: OF_NODE, perform: cordon },
  uncordon: { fields: OF_NODE, perform: uncordon },
  drain: { fields: OF_NODE, perform: drain },
  taint: {
    fields: { ...OF_NODE, key: text, value: anyText, effect },
    optional: ['value'],
    perform: taint,
  },
  untaint: { fields: { ...OF_NODE, key: text, effect }, optional: ['effect'], perform: untaint },
  addNodes: { fields: { count, like: text }, perform: addNodes },
  scale: { fields: { ...OF_OBJECT, replicas: count }, optional: ['namespace'], perform: scale },
  setRequest: {
    fields: { ...OF_OBJECT, container: text, resource: text, value: quantity },
    optional: ['namespace', 'container'],
    perform: setRequest,
  },
  apply: { fields: { object }, perform: applyObject },
  delete: { fields: OF_OBJECT, optional: ['namespace'], perform: deleteObject },
};

/**
 * Returns the changes of a document `kind: Changes`.
 * @param {any} document
 * @returns {Change[]}
 * @throws {InputError} if it is something else, or a change is malformed
 */
export function changesIn(document) {
  if (!isRecord(document)) throw changeFault('', 'a document of kind Changes is expected');
  const { apiVersion, kind, changes, ...others } = document;
  if (apiVersion !== 'stowage/v1') throw changeFault('apiVersion', 'stowage/v1 is expected');
  if (kind !== 'Changes') throw changeFault('kind', 'Changes is expected', { value: kind });
  const [unknown] = Object.keys(others).filter((name) => name !== 'metadata');
  if (unknown) throw changeFault(unknown, 'unknown field', { code: 'UnknownField' });
  return checkedChanges(changes);
}

/**
 * @param {unknown} changes
 * @returns {Change[]}
 * @throws {InputError} that names the field, such as `changes[2].node`
 */
export function checkedChanges(changes) {
  if (!Array.isArray(changes)) throw changeFault('changes', 'a list is expected');
  return changes.map((change, index) => located(index, () => checked(change)));
}

/**
 * Applies changes in their order.
 * @param {ChangedCluster} cluster
 * @param {Change[]} changes checked
 * @throws {InputError} that names the field
 */
export function performChanges(cluster, changes) {
  changes.forEach(({ type, ...change }, index) =>
    located(index, () => TYPES[type].perform(cluster, { namespace: 'default', ...change })),
  );
}

/**
 * @param {any} change
 * @returns {Change}
 */
function checked(change) {
  if (!isRecord(change)) throw changeFault('', 'an object is expected');
  const known = Object.keys(TYPES);
  if (!known.includes(change.type))
    throw changeFault('type', `one of ${known.join(', ')} is expected`, {
      code: 'FieldValueNotSupported',
      value: change.type,
    });
  const { fields, optional = [] } = TYPES[/** @type {Change['type']} */ (change.type)];
  for (const name of Object.keys(change))
    if (name !== 'type' && !Object.hasOwn(fields, name))
      throw changeFault(name, `a change of type ${change.type} has no such field`, {
        code: 'UnknownField',
      });
  for (const [name, rule] of Object.entries(fields)) {
    const value = change[name];
    if (value === undefined && optional.includes(name)) continue;
    if (value === undefined)
      throw changeFault(name, 'Required value', { code: 'FieldValueRequired' });
    const fault = rule(value);
    if (fault) throw changeFault(name, fault, { value });
  }
  return /** @type {Change} */ (change);
}

/**
 * Returns the function's result; lets its errors name the change.
 * @template T
 * @param {number} index
 * @param {() => T} perform
 * @returns {T}
 */
function located(index, perform) {
  try {
    return perform();
  } catch (error) {
    const [first] = error instanceof BatchError ? error.errors : [error];
    const cause = first instanceof ApiError ? refusalOf(first) : first;
    if (!(cause instanceof InputError)) throw error;
    const { message: _, field, kind, ...fields } = cause.toJSON();
    const own = kind === 'Changes' ? field : ['object', field].filter(Boolean).join('.');
    const path = [`changes[${index}]`, own].filter(Boolean).join('.');
    throw new InputError({ ...fields, kind: 'Changes', field: path }, { cause });
  }
}

/**
 * Returns the API server's refusal of what a change creates as an error of the input.
 * @param {ApiError} refusal
 */
function refusalOf({ code, message }) {
  return new InputError({ code, message, kind: 'Changes', detail: message });
}
