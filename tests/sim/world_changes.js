/** Changes of the world by others than the scheduler under test, by name. */
import { deviceChanges } from './device_changes.js';
import { gangChanges } from './gang_changes.js';
import { volumeChanges } from './volume_changes.js';
import { isFinished, keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('./world.js').Change} Change */
/** @typedef {import('./world.js').Surroundings} Surroundings */
/** @typedef {(world: World, change: any, surroundings: Surroundings) => boolean} Happen */

const SECOND_US = 1_000_000;

/** @param {(world: World, pod: any, change: any, surroundings: Surroundings) => boolean} happen */
function ofPod(happen) {
  /** @type {Happen} */
  return (world, change, surroundings) => {
    const pod = world.get('Pod', change.pod);
    return pod ? happen(world, pod, change, surroundings) : false;
  };
}

/** @param {(node: any, change: any) => object} changed returns the members that change */
function ofNode(changed) {
  /** @type {Happen} */
  return (world, change) => {
    const node = world.get('Node', change.node);
    if (!node) return false;
    world.put({ ...node, ...changed(node, change) });
    return true;
  };
}

/** @type {Record<string, Happen>} */
export const changes = {
  ...volumeChanges,
  ...deviceChanges,
  ...gangChanges,

  createPod(world, { pod, claims = [] }, { later }) {
    if (world.get('Pod', keyOf(pod))) return false;
    for (const { object, delayUs } of claims) {
      const create = () => void world.apply({ op: 'createClaim', object });
      if (delayUs === 0) create();
      else later(delayUs, create);
    }
    world.put(pod);
    if (pod.spec.nodeName) world.start(pod);
    return true;
  },

  createCrowd(world, { node: name, crowd, large }) {
    const cpu = world.get('Node', name)?.status.allocatable?.cpu;
    if (!cpu) return false;
    for (const pod of crowd) world.put(pod);
    const containers = [{ name: 'c', resources: { requests: { cpu } } }];
    world.put({ ...large, spec: { ...large.spec, containers } });
    return true;
  },

  deletePod: ofPod((world, pod, { graceUs }) => {
    world.terminate(pod, graceUs);
    return true;
  }),

  finishPod: ofPod((world, pod, { phase }, { later, draw }) => {
    if (!pod.spec.nodeName || isFinished(pod)) return false;
    world.changePod(pod, { status: { phase } });
    const key = keyOf(pod);
    const { uid } = pod.metadata;
    later((1 + draw('finish', uid).below(60)) * SECOND_US, () => {
      const ended = world.get('Pod', key);
      if (ended?.metadata.uid === uid && isFinished(ended)) world.remove('Pod', key);
    });
    return true;
  }),

  ungatePod: ofPod((world, pod) => {
    if (!pod.spec.schedulingGates?.length) return false;
    world.changePod(pod, { spec: { schedulingGates: undefined } });
    return true;
  }),

  labelPod: ofPod((world, pod, { labels }) => {
    world.changePod(pod, { metadata: { labels } });
    return true;
  }),

  toleratePod: ofPod((world, pod, { toleration }) => {
    const tolerations = [...(pod.spec.tolerations ?? []), toleration];
    world.changePod(pod, { spec: { tolerations } });
    return true;
  }),

  bindForeign: ofPod((world, pod, { node }) => {
    const { nodeName, schedulingGates } = pod.spec;
    if (nodeName || schedulingGates?.length || pod.metadata.deletionTimestamp) return false;
    world.bindTo(pod, node);
    return true;
  }),

  putNode(world, { node }) {
    world.put(node);
    return true;
  },

  deleteNode(world, { node: name }, { later, draw }) {
    if (!world.get('Node', name)) return false;
    world.remove('Node', name);
    // Its pods are garbage collected after it has been missing for some time.
    later((5 + draw('collect', name, world.resourceVersion).below(60)) * SECOND_US, () => {
      if (world.get('Node', name)) return;
      for (const pod of world.list('Pod')) {
        if (pod.spec.nodeName === name) world.remove('Pod', keyOf(pod));
      }
    });
    return true;
  },

  cordon: ofNode(({ spec }, { isOn }) => ({ spec: { ...spec, unschedulable: isOn } })),
  taintNode: ofNode(({ spec }, { taints }) => ({ spec: { ...spec, taints } })),
  resizeNode: ofNode(({ status }, { allocatable }) => ({ status: { ...status, allocatable } })),
  labelNode: ofNode(({ metadata }, { labels }) => ({ metadata: { ...metadata, labels } })),
  reportNode: ofNode(({ status }, { members }) => ({ status: { ...status, ...members } })),

  putOther(world, { object }) {
    world.put(object);
    return true;
  },

  deleteOther(world, { kind, key }) {
    if (!world.get(kind, key)) return false;
    world.remove(kind, key);
    return true;
  },
};
