/**
 * Asks the engine for its verdict on a selector and a device: each device is alone on a node, and a
 * pod on that node claims one device that the selector accepts.
 */
import { nodeOf } from './cluster.js';
import { RESOURCE_VERSION, selectorsOf } from './device_objects.js';

/** @import { Engine } from '../../js/src/engine/engine.js' */

/** @typedef {{ driver: string, device: any }} JudgedDevice */

/** The words that a pod's message has before the error. */
const ERROR = /CEL (?:runtime|compile) error: (.*)$/s;

export class SelectorJudge {
  #scheduler;
  #claims = 0;

  /** @param {Engine} engine @param {readonly JudgedDevice[]} devices as in ResourceSlices */
  constructor(engine, devices) {
    this.#scheduler = engine.createScheduler();
    this.#scheduler.apply([
      {
        apiVersion: RESOURCE_VERSION,
        kind: 'DeviceClass',
        metadata: { name: 'any', uid: 'class-any' },
        spec: {},
      },
      ...devices.flatMap(({ driver, device }, index) => [
        nodeOf(nameOf(index), 'judged'),
        sliceOf(driver, device, nameOf(index)),
      ]),
    ]);
  }

  dispose() {
    this.#scheduler.dispose();
  }

  /**
   * @param {string} selector
   * @returns {(device: number) => boolean | string} the verdict on each device: whether the
   *   selector accepts it, or the error
   */
  verdictsOf(selector) {
    const name = `claim-${this.#claims++}`;
    const exactly = { deviceClassName: 'any', selectors: selectorsOf([selector]) };
    this.#scheduler.apply({
      apiVersion: RESOURCE_VERSION,
      kind: 'ResourceClaim',
      metadata: { name, namespace: 'default', uid: name },
      spec: { devices: { requests: [{ name: 'one', exactly }] } },
    });
    return (device) => {
      const { result, node, message } = this.#scheduler.evaluate(podOn(nameOf(device), name));
      if (result === 'scheduled') return node === nameOf(device);
      const [, error] = ERROR.exec(String(message)) ?? [];
      if (error !== undefined) return error;
      if (!String(message).includes('cannot allocate all claims')) throw new Error(message);
      return false;
    };
  }
}

/** @param {number} index */
function nameOf(index) {
  return `judged-${index}`;
}

/** @param {string} driver @param {any} device @param {string} node */
function sliceOf(driver, device, node) {
  // The counters of the device are those of other devices' slices.
  const { consumesCounters: _counters, taints: _taints, ...alone } = device;
  return {
    apiVersion: RESOURCE_VERSION,
    kind: 'ResourceSlice',
    metadata: { name: `slice-${node}`, uid: `slice-${node}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices: [alone],
    },
  };
}

/** @param {string} node @param {string} claim */
function podOn(node, claim) {
  const fields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const terms = [{ matchFields: fields }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-of-${claim}`, namespace: 'default', uid: `pod-of-${claim}` },
    spec: {
      schedulerName: 'default-scheduler',
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
        },
      },
      containers: [{ name: 'main', image: 'app:v1' }],
      resourceClaims: [{ name: 'devices', resourceClaimName: claim }],
    },
  };
}
