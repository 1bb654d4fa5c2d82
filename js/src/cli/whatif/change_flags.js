/** Flags that are changes of a cluster. */
import { oneOf, wholeNumber } from '../arguments/arguments.js';
import { UsageError } from '../terminal/problems.js';
import { objectNamed, objectOrPodNamed } from './resource_names.js';

/** @import { Change } from '../../whatif/changes.js' */

/**
 * A change with its source, for messages.
 * @typedef {{ change: Change, from: string }} GivenChange
 */

/** @type {string[]} */
const NONE = [];

/** @param {string} value @param {string} help */
const repeated = (value, help) =>
  /** @type {const} */ ({ type: 'string', multiple: true, default: NONE, value, help });

/** In the order in which they are made. */
export const CHANGES = /** @type {const} */ ({
  apply: repeated('FILE', 'apply the objects of a file; pods replace those of the same name'),
  'add-nodes': {
    type: 'string',
    value: 'N',
    help: 'add N nodes with the labels, taints, amounts and daemons of --like',
  },
  like: { type: 'string', value: 'NODE', help: 'the model of --add-nodes' },
  uncordon: repeated('NODE', 'allow new pods on the node'),
  untaint: repeated('NODE=KEY[:EFFECT]', 'remove the taint'),
  cordon: repeated('NODE', 'allow no new pods on the node'),
  taint: repeated(
    'NODE=KEY[=VALUE]:EFFECT',
    'add the taint; NoExecute evicts the pods that do not tolerate it',
  ),
  'set-request': repeated(
    '[KIND/]NAME:RESOURCE=AMOUNT',
    'set a request of all containers, and create these pods again; KIND is pod, or a workload',
  ),
  scale: repeated('KIND/NAME=N', 'give a workload N pods; NAMESPACE/NAME is possible everywhere'),
  delete: repeated('KIND/NAME', 'delete an object, a workload with its pods'),
  'without-node': repeated('NODE', 'remove the node'),
});

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The flags before the objects of `--apply`, which are read later, and those after. */
const PARSERS = /** @type {const} */ ({
  uncordon: nodeOf('uncordon'),
  untaint: untaintOf,
  cordon: nodeOf('cordon'),
  taint: taintOf,
  'set-request': setRequestOf,
  scale: scaleOf,
  delete: deleteOf,
  'without-node': nodeOf('removeNode'),
});

/**
 * Returns the changes of the flags, except `--apply`.
 * @param {{ [flag: string]: any }} values of CHANGES
 * @param {string} namespace of names without one
 * @returns {GivenChange[]}
 * @throws {UsageError}
 */
export function changesOfFlags(values, namespace) {
  const added = addedNodes(values['add-nodes'], values.like);
  const others = Object.entries(PARSERS).flatMap(([flag, parse]) =>
    values[flag].map((/** @type {string} */ text) => ({
      change: parse(text, namespace),
      from: `--${flag} ${text}`,
    })),
  );
  return [...added, ...others];
}

/**
 * @param {string | undefined} count
 * @param {string | undefined} like
 * @returns {GivenChange[]}
 */
function addedNodes(count, like) {
  if (count === undefined && like === undefined) return [];
  if (count === undefined || like === undefined)
    throw new UsageError('--add-nodes and --like go together: N nodes like NODE');
  const change = {
    type: /** @type {const} */ ('addNodes'),
    count: wholeNumber('add-nodes', count),
    like,
  };
  return [{ change, from: `--add-nodes ${count} --like ${like}` }];
}

/**
 * @param {'cordon' | 'uncordon' | 'removeNode'} type
 * @returns {(node: string) => Change}
 */
function nodeOf(type) {
  return (node) => ({ type, node });
}

/**
 * `NODE=KEY=VALUE:EFFECT`, as `kubectl taint` writes it.
 * @param {string} text
 * @returns {Change}
 */
function taintOf(text) {
  const found = /^([^=]+)=([^=:]+)(?:=([^:]*))?:(.+)$/.exec(text);
  if (!found) throw new UsageError(`--taint is NODE=KEY[=VALUE]:EFFECT, not "${text}"`);
  const [, node, key, value, effect] = found;
  oneOf('taint', effect, EFFECTS);
  return { type: 'taint', node, key, ...(value !== undefined && { value }), effect };
}

/**
 * @param {string} text
 * @returns {Change}
 */
function untaintOf(text) {
  const found = /^([^=]+)=([^=:]+)(?::([^-]+))?-?$/.exec(text);
  if (!found) throw new UsageError(`--untaint is NODE=KEY[:EFFECT], not "${text}"`);
  const [, node, key, effect] = found;
  if (effect !== undefined) oneOf('untaint', effect, EFFECTS);
  return { type: 'untaint', node, key, ...(effect !== undefined && { effect }) };
}

/**
 * @param {string} text
 * @param {string} namespace
 * @returns {Change}
 */
function scaleOf(text, namespace) {
  const [object, count, ...more] = text.split('=');
  if (count === undefined || more.length > 0)
    throw new UsageError(`--scale is KIND/[NAMESPACE/]NAME=N, not "${text}"`);
  const replicas = wholeNumber('scale', count);
  return { type: 'scale', ...objectNamed(object, { flag: 'scale', namespace }), replicas };
}

/**
 * @param {string} text
 * @param {string} namespace
 * @returns {Change}
 */
function setRequestOf(text, namespace) {
  const found = /^([^:]+):([^=]+)=(.+)$/.exec(text);
  if (!found) throw new UsageError(`--set-request is [KIND/]NAME:RESOURCE=AMOUNT, not "${text}"`);
  const [, object, resource, value] = found;
  const target = objectOrPodNamed(object, { flag: 'set-request', namespace });
  return { type: 'setRequest', ...target, resource, value };
}

/**
 * @param {string} text
 * @param {string} namespace
 * @returns {Change}
 */
function deleteOf(text, namespace) {
  return { type: 'delete', ...objectNamed(text, { flag: 'delete', namespace }) };
}
