/** Lets a pod onto nodes with taints, and onto cordoned ones. */
import { untoleratedTaints } from '../../kubernetes/node_match.js';
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withSpec } from './edit.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 */

const EFFECTS = ['NoSchedule', 'NoExecute'];

/** The taint of cordoned nodes. */
const CORDONED = 'node.kubernetes.io/unschedulable';

/** Taints that the control plane and kubelets manage: they come back while their cause lasts. */
const MANAGED = /^node(\.cloudprovider)?\.kubernetes\.io\//;

/**
 * Returns the alternatives by which the pod gets past the node's taints.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} node
 * @returns {Edit[][]}
 */
export function passTaints(pod, node) {
  const options = { comparesValues: true };
  const taints = untoleratedTaints(pod.spec, node, EFFECTS, options);
  if (taints.length === 0) return [];
  const removable = taints.filter(({ key }) => !MANAGED.test(key));
  const isCordoned = taints.some(({ key }) => key === CORDONED);
  const isFreed = removable.length + (isCordoned ? 1 : 0) === taints.length;
  const freed = [
    ...(removable.length > 0 ? [removeTaints(node, removable)] : []),
    ...(isCordoned ? [uncordon(node)] : []),
  ];
  return [taints.map(addToleration), ...(isFreed ? [freed] : [])];
}

/**
 * Returns the alternatives by which the pod gets onto a cordoned node.
 * @param {KubernetesObject} node
 * @returns {Edit[][]}
 */
export function passCordon(node) {
  return [[addToleration({ key: CORDONED, effect: 'NoSchedule' })], [uncordon(node)]];
}

/**
 * @param {{ key: string, value?: string, effect: string }} taint
 * @returns {Edit}
 */
export function addToleration({ key, value, effect }) {
  const text = `${key}${value ? `=${value}` : ''}:${effect}`;
  const toleration = value
    ? { key, operator: 'Equal', value, effect }
    : { key, operator: 'Exists', effect };
  return {
    key: `AddToleration ${text}`,
    shape: `AddToleration ${text}`,
    kind: 'AddToleration',
    sentence: `add a toleration of the taint ${text} to the pod`,
    asks: ASKS.toleration,
    size: MANAGED.test(key) ? 1 : 0.5,
    pod: (pod) =>
      withSpec(pod, (spec) => ({
        ...spec,
        tolerations: [...itemsIn(spec.tolerations), toleration],
      })),
  };
}

/**
 * @param {KubernetesObject} node
 * @param {any[]} taints
 * @returns {Edit}
 */
function removeTaints(node, taints) {
  const texts = taints.map(({ key, effect }) => `${key}:${effect}`);
  const noun = texts.length === 1 ? 'taint' : 'taints';
  const { name } = node.metadata;
  return {
    key: `RemoveTaints ${name} ${texts}`,
    shape: `RemoveTaints ${texts}`,
    kind: 'RemoveTaints',
    sentence: `remove ${noun} ${texts.join(', ')} from node ${name}`,
    asks: ASKS.node,
    size: 0.2 * texts.length,
    node: {
      object: node,
      change: (object) =>
        withSpec(object, (spec) => ({
          ...spec,
          taints: itemsIn(spec.taints).filter(
            ({ key, effect }) => !taints.some((one) => one.key === key && one.effect === effect),
          ),
        })),
    },
  };
}

/** @param {KubernetesObject} node @returns {Edit} */
function uncordon(node) {
  const { name } = node.metadata;
  return {
    key: `Uncordon ${name}`,
    shape: 'Uncordon',
    kind: 'Uncordon',
    sentence: `uncordon node ${name}`,
    asks: ASKS.node,
    size: 0.5,
    node: {
      object: node,
      change: (object) =>
        withSpec(object, ({ unschedulable: _, taints, ...spec }) => ({
          ...spec,
          ...(taints && { taints: itemsIn(taints).filter(({ key }) => key !== CORDONED) }),
        })),
    },
  };
}
